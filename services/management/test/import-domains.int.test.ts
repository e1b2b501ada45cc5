import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { importFile, uploadTo } from './import-calls.js';
import { caller, createPerson, createSmartlink, signIn, urlSmartlink, useService } from './start-service.js';

const { service } = useService();

async function editorOf(userId: string) {
  const person = await createPerson(service.app, { roles: { [userId]: 'Editor' } });
  return (await signIn(service.app, person, userId)).api;
}

const addDomain = (userId: string, host: string, status = 'Active') =>
  service.app.pg.query(`insert into domains (id, user_id, host, status, token) values ($1, $2, $3, $4, '')`, [
    randomUUID(),
    userId,
    host,
    status,
  ]);
const linksOf = async (apiKey: string) => {
  const { body } = await caller(service.app, apiKey).get('/export');
  return (body as { configuration: object; export: Record<string, unknown> }[])
    .map(({ configuration, export: past }) => ({
      ...configuration,
      aliases: past['aliases'],
      otherAliases: past['otherAliases'],
    }))
    .toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)));
};

test('an export carries domains and former addresses on others, which an import gives back', async () => {
  const [from, to] = [await service.createUser(), await service.createUser()];
  await addDomain(from.userId, 'one.example.org');
  await addDomain(from.userId, 'two.example.org');
  const api = caller(service.app, from.apiKey);
  await createSmartlink(api, urlSmartlink({ smartlinkUrl: 'kept1', domain: 'one.example.org' }));
  const { id } = await createSmartlink(api, urlSmartlink({ smartlinkUrl: 'kept2' }));
  for (const domain of ['one.example.org', 'two.example.org']) {
    await api.patch('/smartlink', { id, configuration: { domain } });
  }
  await api.patch('/smartlink', { id, configuration: { smartlinkUrl: 'kept3' } });
  const file = (await api.get('/export')).text;
  const before = await linksOf(from.apiKey);
  expect(before.find(({ aliases }) => (aliases as string[]).length > 0)).toMatchObject({
    domain: 'two.example.org',
    aliases: ['kept2'],
    otherAliases: [
      { slug: 'kept2', domain: 'one.example.org' },
      { slug: 'kept2', domain: null },
    ],
  });
  const csv = (await api.get('/export?format=csv')).text;
  expect(csv).toContain('https://two.example.org/kept3');

  // The hosts are handed on, and start empty.
  const editorOfTo = await editorOf(to.userId);
  const early = await uploadTo(editorOfTo, file);
  expect(early.body.data.refused).toBe(2);
  await service.app.pg.query(`update domains set status = 'Removed' where user_id = $1`, [from.userId]);
  await addDomain(to.userId, 'one.example.org');
  await addDomain(to.userId, 'two.example.org');
  await service.app.pg.query(`update smartlinks set domain_number = null where user_id = $1`, [from.userId]);
  const { body } = await uploadTo(editorOfTo, file);
  expect([body.data.ready, body.data.refused]).toEqual([1, 1]);
  await importFile(editorOfTo, file);
  expect((await linksOf(to.apiKey)).map((each) => JSON.stringify(each))).toEqual([
    expect.stringContaining('"domain":"one.example.org"'),
  ]);
});

test('a link of Shlink or Kutt goes to its domain if the account has verified it, and else to the instance', async () => {
  const owner = await service.createUser();
  await addDomain(owner.userId, 'kutt.example.org');
  await addDomain(owner.userId, 'waits.example.org', 'Pending');
  const rows = ['kutt.example.org', 'waits.example.org', 'sl.example.com'].map((domain, i) => ({
    ...{ address: `moved${i}`, target: 'https://example.org/', link: `https://${domain}/moved${i}` },
    ...{ id: randomUUID(), visit_count: 3, created_at: '2024-01-01T00:00:00.000Z', domain },
  }));
  const theirs = await editorOf(owner.userId);
  const { body } = await uploadTo(theirs, JSON.stringify(rows));
  expect([body.data.ready, body.data.refused]).toEqual([3, 0]);
  await importFile(theirs, JSON.stringify(rows));
  const domains = (await linksOf(owner.apiKey)).map((each) => (each as { domain?: string }).domain);
  expect(domains.toSorted()).toEqual(['kutt.example.org', undefined, undefined]);
});
