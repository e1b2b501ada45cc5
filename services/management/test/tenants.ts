import { randomUUID } from 'node:crypto';
import { makeEventRow } from '@smartlink/test-support/event-row';
import { importFile } from './import-calls.js';
import { uploadPicture } from './pictures.js';
import {
  addEvents,
  caller,
  type Caller,
  createPerson,
  signIn,
  type TestService,
  type TestUser,
  urlSmartlink,
} from './start-service.js';

export type IdName =
  | 'live'
  | 'paused'
  | 'deleted'
  | 'renamed'
  | 'webhook'
  | 'delivery'
  | 'key'
  | 'member'
  | 'tag'
  | 'otherTag'
  | 'folder'
  | 'template'
  | 'import'
  | 'media'
  | 'domain';

export type Tenant = TestUser & {
  readonly api: Caller;
  /** An Owner's session. */
  readonly person: Caller;
  readonly ids: Readonly<Record<IdName, string>>;
  readonly slugs: readonly string[];
  /** What no answer to another user may hold. */
  readonly secrets: RegExp;
};

// Webhooks may name a port of this machine on which no process listens.
export const HOOK = { url: 'http://127.0.0.1:9/mine', eventTypes: ['smartlink.unsafe'] };

/** A user with smartlinks in every status, and one of everything else that has an id. */
export async function createTenant(service: TestService, word: string): Promise<Tenant> {
  const user = await service.createUser();
  const api = caller(service.app, user.apiKey);
  const ids: Record<string, string> = {};
  for (const name of ['live', 'paused', 'deleted', 'renamed']) {
    const url = `https://secret-${word.toLowerCase()}.example.net/`;
    const link = urlSmartlink(
      { smartlinkName: `Secret${word}`, smartlinkUrl: `${word}${name}` },
      { url, protected: true, password: 'open sesame' },
      { openGraph: { title: `Secret${word}` } },
    );
    ids[name] = String((await api.post('/smartlink', link)).body.data.id);
  }
  await api.post('/smartlink/status', { id: ids['paused'], status: 'Paused' });
  await api.delete('/smartlink', { smartlinkId: ids['deleted'] });
  await api.patch('/smartlink', { id: ids['renamed'], configuration: { smartlinkUrl: `${word}second` } });
  await addEvents(
    service.app,
    Object.values(ids).map((id) =>
      makeEventRow(user.userId, id, { country: 'AZ', browser: `Secret${word}` }),
    ),
  );
  const hook = { ...HOOK, url: `http://127.0.0.1:9/secret-${word.toLowerCase()}` };
  ids['webhook'] = String((await api.post('/webhooks', hook)).body.data.id);
  ids['delivery'] = randomUUID();
  for (const name of ['tag', 'otherTag'])
    ids[name] = String((await api.post('/tags', { name: `Secret${word} ${name}` })).body.data.id);
  const template = { name: `Secret${word}`, utm: { source: `Secret${word}` } };
  ids['template'] = String((await api.post('/utm-templates', template)).body.data.id);
  const domain = { host: `secret-${word.toLowerCase()}.example.org` };
  ids['domain'] = String((await api.post('/domains', domain)).body.data.id);
  ids['folder'] = String((await api.post('/folders', { name: `Secret${word}` })).body.data.id);
  await service.app.pg.query(
    `insert into webhook_deliveries (id, webhook_id, event_type, data, status, next_attempt_at)
     values ($1, $2, 'smartlink.unsafe', '{}', 'Delivered', null)`,
    [ids['delivery'], ids['webhook']],
  );
  const owner = await createPerson(service.app, { roles: { [user.userId]: 'Owner' } });
  const { api: person } = await signIn(service.app, owner, user.userId);
  ids['key'] = String((await person.post('/keys', { name: `Secret${word}` })).body.data.id);
  ids['media'] = String((await uploadPicture(api)).body.data.id);
  ids['import'] = await importFile(person, `url\nhttps://secret-${word}.example.net/\n`);
  const viewer = await createPerson(service.app, { roles: { [user.userId]: 'Viewer' } });
  ids['member'] = viewer.personId;
  return {
    ...user,
    api,
    person,
    ids: ids as Tenant['ids'],
    slugs: [`${word}live`, `${word}paused`, `${word}deleted`, `${word}renamed`, `${word}second`],
    secrets: new RegExp(
      [`secret-?${word}`, user.userId, user.email, owner.personId, ...Object.values(ids)].join('|'),
      'i',
    ),
  };
}
