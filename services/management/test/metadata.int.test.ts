import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { findSnapshots } from '@smartlink/links/publish';
import { withTransaction } from '@smartlink/process/database';
import { createSmartlinkValidator } from '@smartlink/smartlink/document';
import { toParts } from '@smartlink/smartlink/store';
import { makeEventRow } from '@smartlink/test-support/event-row';
import { until } from '@smartlink/test-support/until';
import { storeDocuments } from '../src/smartlinks/documents/create-smartlink.js';
import { bulkCaller } from './bulk-calls.js';
import { fullDocument, TYPES } from './schema-documents.js';
import {
  addEvents,
  caller,
  createSmartlink,
  faultsOf,
  PUBLIC_BASE_URL,
  urlSmartlink,
  useService,
} from './start-service.js';
import { count } from './stored-state.js';

// Tags, folders, notes, archiving and external ids as members of smartlinks.

const { service, user, api } = useService({ takesNewMembers: true });

const METADATA = ['tags', 'folderId', 'notes', 'archived', 'externalId', 'createdBy'];
const metadataOf = (data: Record<string, unknown>) =>
  Object.fromEntries(METADATA.filter((name) => name in data).map((name) => [name, data[name]]));

async function addFolder(userId = user.userId): Promise<string> {
  const id = randomUUID();
  await service.app.pg.query(`insert into folders (id, user_id, name, key) values ($1, $2, $3, $3)`, [
    id,
    userId,
    id,
  ]);
  return id;
}

const newUser = async () => {
  const created = await service.createUser();
  return { ...created, api: caller(service.app, created.apiKey) };
};

test('every type takes the members, and answers them only where they are set', async () => {
  const folderId = await addFolder();
  for (const type of TYPES) {
    const set = {
      tags: ['zoo', 'Ähre', 'alpha'],
      folderId,
      notes: 'One\nTwo',
      archived: true,
      externalId: `crm ${type}`,
    };
    const { utm: _, ...document } = fullDocument(type);
    const { id, data } = await createSmartlink(api, { ...document, ...set });
    const shown = { ...set, tags: expect.arrayContaining(set.tags) as string[] };
    expect(metadataOf(data)).toEqual(shown);
    const fetched = await api.get(`/smartlink?externalId=${encodeURIComponent(set.externalId)}`);
    expect(fetched.body.data).toEqual(data);
    expect((await api.get(`/smartlink?id=${id}`)).headers.etag).toBe(fetched.headers.etag);
    const cleared = { tags: [], folderId: null, notes: null, archived: false, externalId: null };
    expect(metadataOf((await api.patch('/smartlink', { id, ...cleared })).body.data)).toEqual({});
  }
  const { data } = await createSmartlink(
    api,
    urlSmartlink({}, {}, { tags: null, archived: false, notes: null }),
  );
  expect(metadataOf(data)).toEqual({});
});

test('spellings of a name are one tag, the first spelling stays, and the names are in order', async () => {
  const { api: own } = await newUser();
  const first = await createSmartlink(own, urlSmartlink({}, {}, { tags: ['b', 'A\u0308', ' b', 'a', 'B'] }));
  expect(first.data.tags).toEqual([' b', 'a', 'b', 'A\u0308']);
  const second = await createSmartlink(own, urlSmartlink({}, {}, { tags: ['B', '\u00e4'] }));
  expect(second.data.tags).toEqual(['b', 'A\u0308']);
  const same = await own.patch('/smartlink', { id: second.id, tags: ['Ä', 'b'] });
  expect([same.body.message, same.body.data.tags]).toEqual(['Smartlink unchanged', ['b', 'A\u0308']]);
});

test('faults have their paths, and nothing of a refused request is stored', async () => {
  const other = await newUser();
  const foreign = await addFolder(other.userId);
  const { id } = await createSmartlink(api, urlSmartlink({}, {}, { tags: ['kept'], externalId: 'taken' }));
  const tags = (length: number) => Array.from({ length }, (_, i) => `t${i}`);
  const cases: [object, [string, string][]][] = [
    [{ tags: ['a,b'] }, [['tags.0', 'Must not contain commas']]],
    [
      { tags: ['', 'x'.repeat(51)] },
      [
        ['tags.0', 'Must not be empty'],
        ['tags.1', 'Must be at most 50 characters'],
      ],
    ],
    [{ tags: tags(21) }, [['tags', 'Must have at most 20 elements']]],
    [{ notes: '' }, [['notes', 'Must not be empty']]],
    [{ notes: 'x'.repeat(2_001) }, [['notes', 'Must be at most 2000 characters']]],
    [{ archived: 'yes' }, [['archived', 'Must be true or false']]],
    [{ externalId: 'x'.repeat(256) }, [['externalId', 'Must be at most 255 characters']]],
    [{ folderId: 1 }, [['folderId', 'Must be a string']]],
    [{ folderId: 'unknown' }, [['folderId', 'No such folder']]],
    [{ folderId: randomUUID() }, [['folderId', 'No such folder']]],
    [{ folderId: foreign }, [['folderId', 'No such folder']]],
  ];
  for (const [members, details] of cases) {
    const expected = details.map(([path, message]) => ({ path, message }));
    for (const res of [
      await api.post('/smartlink', urlSmartlink({}, {}, { tags: ['new'], ...members })),
      await api.patch('/smartlink', { id, ...members }),
    ]) {
      expect([res.status, res.body.error.code, res.body.error.details]).toEqual([
        400,
        'VALIDATION_FAILED',
        expected,
      ]);
    }
  }
  const { id: second } = await createSmartlink(api);
  for (const res of [
    await api.post('/smartlink', urlSmartlink({}, {}, { tags: ['new'], externalId: 'taken' })),
    await api.patch('/smartlink', { id: second, tags: ['new'], externalId: 'taken' }),
  ]) {
    expect([res.status, res.body.error.code, faultsOf(res)]).toEqual([409, 'NAME_TAKEN', ['externalId']]);
  }
  expect(await count(service.app, `tags where user_id = $1 and key in ('new', 'a,b')`, [user.userId])).toBe(
    0,
  );
  // It is free once its smartlink is deleted, and then found no more.
  await api.delete('/smartlink', { smartlinkId: id });
  expect((await api.get('/smartlink?externalId=taken')).status).toBe(404);
  expect((await api.patch('/smartlink', { id: second, externalId: 'taken' })).status).toBe(200);
  expect((await other.api.get('/smartlink?externalId=taken')).status).toBe(404);
});

test('addTags and removeTags change tags unread, and have their faults', async () => {
  const { id } = await createSmartlink(api, urlSmartlink({}, {}, { tags: ['one', 'two'] }));
  const patch = (body: object) => api.patch('/smartlink', { id, ...body });
  const changed = await patch({ addTags: ['three', 'TWO'], removeTags: ['ONE', 'none'] });
  expect(changed.body.data.tags).toEqual(['three', 'two']);
  expect('ignored' in changed.body).toBe(false);
  expect((await patch({ addTags: ['two'], removeTags: null })).body.message).toBe('Smartlink unchanged');
  const both = await patch({ tags: ['x'], addTags: ['y'], removeTags: ['a,b'] });
  expect(both.body.error.details).toEqual([
    { path: 'removeTags.0', message: 'Must not contain commas' },
    { path: 'addTags', message: 'Must not be combined with tags' },
    { path: 'removeTags', message: 'Must not be combined with tags' },
  ]);
  const many = Array.from({ length: 19 }, (_, i) => `many ${i}`);
  const tooMany = await patch({ addTags: many });
  expect(tooMany.body.error.details).toEqual([
    { path: 'addTags', message: 'A smartlink has at most 20 tags' },
  ]);
  expect((await patch({ addTags: many, removeTags: ['two'] })).body.data.tags).toHaveLength(20);
  const create = await api.post('/smartlink', urlSmartlink({}, {}, { addTags: ['x'] }));
  expect([create.status, create.body.ignored]).toEqual([201, ['addTags']]);
});

test('the message of a change names the changed members, and the log of deliveries shows it', async () => {
  const own = await newUser();
  const hook = randomUUID();
  // Deliveries to the address are refused.
  await service.app.pg.query(
    `insert into webhooks (id, user_id, url, event_types, secret)
     values ($1, $2, 'https://127.0.0.1/', '{smartlink.updated}', 'x')`,
    [hook, own.userId],
  );
  const metadata = {
    ...{ tags: ['new'], folderId: await addFolder(own.userId), notes: 'N', archived: true, externalId: 'E' },
  };
  const page = { configuration: { smartlinkName: 'Page', smartlinkType: 'Landing' }, landing: {} };
  for (const [body, patch] of [
    [urlSmartlink(), { ...metadata, utm: { source: 'mail' }, openGraph: { title: 'T' } }],
    [page, { appearance: { buttonShape: 'pill' } }],
  ]) {
    const { id } = await createSmartlink(own.api, body);
    expect((await own.api.patch('/smartlink', { id, ...patch })).status).toBe(200);
    const [delivery] = (await own.api.get(`/webhooks/deliveries?id=${hook}&limit=1`)).body.data;
    expect(delivery.data).toMatchObject({ smartlinkId: id, status: 'Active' });
    expect(delivery.data.changed.toSorted()).toEqual(Object.keys(patch ?? {}).sort());
  }
});

test('visitors see nothing of them: the snapshot of an archived smartlink is that of any other', async () => {
  const folderId = await addFolder();
  const { id, slug } = await createSmartlink(api);
  const snapshot = async () =>
    (await findSnapshots(service.app.pg, [slug.toLowerCase()])).get(slug.toLowerCase());
  const { version: first, ...before } = (await snapshot()) ?? { version: 0 };
  const set = { tags: ['seen by the owner'], folderId, notes: 'N', archived: true, externalId: randomUUID() };
  expect((await api.patch('/smartlink', { id, ...set })).status).toBe(200);
  const { version, ...after } = (await snapshot()) ?? { version: 0 };
  expect([version > first, after]).toEqual([true, before]);
});

test('an archived smartlink counts against the plan, and its visits count', async () => {
  const starter = await service.createUser('Starter');
  const own = caller(service.app, starter.apiKey);
  const { id } = await createSmartlink(own, urlSmartlink({}, {}, { archived: true }));
  await service.app.pg.query(
    `insert into smartlinks (id, user_id, status, type, name, slug, content, version, archived_at)
     select gen_random_uuid(), $1, 'Active', 'Url', 'n', 'archived' || n, '{}', n, now()
     from plans, generate_series(2, smartlinks_max) as n where plans.name = 'Starter'`,
    [starter.userId],
  );
  expect((await own.post('/smartlink', urlSmartlink())).body.error.code).toBe('SUBSCRIPTION_LIMIT_REACHED');
  await addEvents(service.app, [makeEventRow(starter.userId, id)]);
  expect((await own.get(`/smartlink?id=${id}`)).body.data.analytics.totalClicks).toBe(1);
});

test('a change moves updatedAt and the ETag, names its members, and survives a change of type', async () => {
  const folderId = await addFolder();
  const before = await createSmartlink(api);
  const set = { tags: ['t'], folderId, notes: 'N', archived: true, externalId: randomUUID() };
  const after = await api.patch('/smartlink', { id: before.id, ...set }, { 'if-match': before.etag });
  expect(after.headers.etag).not.toBe(before.etag);
  expect(after.body.data.updatedAt > before.data.updatedAt).toBe(true);
  const { rows } = await service.app.pg.query<{ details: unknown }>(
    `select details from audit_entries where smartlink_id = $1 order by id desc limit 1`,
    [before.id],
  );
  expect(rows).toEqual([{ details: { changed: ['tags', 'folderId', 'notes', 'archived', 'externalId'] } }]);
  const text = { configuration: { smartlinkType: 'TxtBin' }, txtBin: { text: 'T' } };
  const moved = await api.patch('/smartlink', { id: before.id, ...text });
  expect(metadataOf(moved.body.data)).toEqual(set);
  expect(
    (await api.patch('/smartlink', { id: before.id, notes: 'M' }, { 'if-match': before.etag })).status,
  ).toBe(412);
  // A folder that goes leaves the version as it is: a patch of something else must not bring it back.
  await service.app.pg.query('delete from folders where id = $1', [folderId]);
  const renamed = await api.patch('/smartlink', { id: before.id, configuration: { smartlinkName: 'New' } });
  expect([renamed.status, renamed.body.data.folderId]).toEqual([200, undefined]);
});

test('in a bulk call each operation sees those before it', async () => {
  const { userId, api: own } = await newUser();
  const bulk = bulkCaller(own);
  const folderId = await addFolder(userId);
  const create = (members: object) => ({ create: urlSmartlink({}, {}, members) });
  const made = await bulk([
    create({ externalId: 'a', tags: ['x'] }),
    create({ externalId: 'a', tags: ['refused'] }),
    create({ externalId: 'b', tags: ['X', 'y'], folderId }),
    create({ folderId: randomUUID() }),
  ]);
  expect(made.statuses).toEqual([201, 409, 201, 400]);
  const [a, , b] = made.results.map(({ data }) => data?.id);
  const patch = (id: string | undefined, members: object) => ({ patch: { id, ...members } });
  const swapped = await bulk([
    patch(a, { externalId: 'b' }),
    patch(a, { externalId: null, removeTags: ['x'] }),
    patch(b, { externalId: 'a', addTags: ['z'] }),
    patch(a, { externalId: 'b', addTags: ['y'], archived: true }),
    { delete: { smartlinkId: b } },
    create({ externalId: 'a', tags: ['Y'] }),
  ]);
  expect(swapped.statuses).toEqual([409, 200, 200, 200, 200, 201]);
  expect(metadataOf(swapped.results[3]!.data as never)).toEqual({
    tags: ['y'],
    archived: true,
    externalId: 'b',
  });
  const { rows } = await service.app.pg.query('select name from tags where user_id = $1 order by key', [
    userId,
  ]);
  expect(rows).toEqual(['x', 'y', 'z'].map((name) => ({ name })));
});

test('an account has 1,000 tags at most, and 50 creates of one new tag at once all succeed', async () => {
  const { userId, api: own } = await newUser();
  await service.app.pg.query(
    `insert into tags (id, user_id, name, key) select gen_random_uuid(), $1, 'n' || n, 'n' || n from generate_series(1, 998) as n`,
    [userId],
  );
  const spellings = [
    ['new', 'n1'],
    ['n1', 'NEW'],
  ];
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, i) =>
      until(async () => {
        const answer = await own.post('/smartlink', urlSmartlink({}, {}, { tags: spellings[i % 2] }));
        // It waited too long for its turn, and nothing was done.
        return answer.status !== 503 && answer.status !== 429 && answer;
      }, 'a create is answered'),
    ),
  );
  expect(service.logLines.filter((line) => line.includes('deadlock'))).toEqual([]);
  expect(answers.map(({ status, body }) => [status, body.data.tags[1].toLowerCase()])).toEqual(
    answers.map(() => [201, 'new']),
  );
  const tooMany = await own.post('/smartlink', urlSmartlink({}, {}, { tags: ['n1', 'last', 'one more'] }));
  expect(tooMany.body.error.details).toEqual([{ path: '', message: 'A user has at most 1000 tags' }]);
  const last = await bulkCaller(own)(
    ['last', 'one more', 'LAST'].map((tag) => ({ create: urlSmartlink({}, {}, { tags: [tag] }) })),
  );
  expect(last.statuses).toEqual([201, 400, 201]);
});

test('a smartlink that a person creates names the person', async () => {
  const { pg } = service.app;
  const personId = randomUUID();
  await pg.query('insert into people (id, email) values ($1, $2)', [personId, `${personId}@example.com`]);
  const checked = createSmartlinkValidator({ publicBaseUrl: PUBLIC_BASE_URL }).validate(urlSmartlink(), {
    hasStoredPassword: false,
  });
  if (!checked.ok) throw new Error('It is valid');
  const document = { parts: toParts(checked.value), passwordHash: null, urlsChecked: true, refusal: null };
  const credential = { kind: 'session', id: 's', personId, role: 'Editor', isOperator: false } as const;
  const [row] = await withTransaction(pg, (client) =>
    storeDocuments(client, { userId: user.userId, credential }, [document], null),
  );
  if (row === undefined || row instanceof Error) throw new Error('It is stored');
  expect((await api.get(`/smartlink?id=${row.id}`)).body.data.createdBy).toBe(personId);
  expect('createdBy' in (await createSmartlink(api)).data).toBe(false);
});
