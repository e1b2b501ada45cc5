import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { trialSize } from '@smartlink/test-support/trial-size';
import { until } from '@smartlink/test-support/until';
import { bulkCaller } from './bulk-calls.js';
import { caller, type Caller, createSmartlink, urlSmartlink, useService } from './start-service.js';
import { count } from './stored-state.js';

// Tags and folders as objects of an account.

const { service } = useService();

const newUser = async () => {
  const user = await service.createUser();
  return { ...user, api: caller(service.app, user.apiKey) };
};

const idOf = async (api: Caller, path: string, name: string) =>
  String((await api.post(path, { name })).body.data.id);

/** All pages of a list. */
async function pagesOf(api: Caller, path: string): Promise<string[][]> {
  const pages: string[][] = [];
  let next: string | undefined = path;
  while (next !== undefined) {
    const { body, headers }: Awaited<ReturnType<Caller['get']>> = await api.get(next);
    pages.push((body.data as { name: string }[]).map(({ name }) => name));
    next = /^<\/api\/v1([^>]+)>; rel="next"$/.exec(String(headers.link))?.[1];
    if (next !== undefined) expect(next).toContain(`cursor=${String(headers['x-next-cursor'])}`);
  }
  return pages;
}

const NAME_FAULTS = {
  tag: [
    [{ name: 'a,b' }, [['name', 'Must not contain commas']]],
    [{ name: 'x'.repeat(51) }, [['name', 'Must be at most 50 characters']]],
    [{ name: 'x', color: 'red' }, [['color', 'Must be a hex color such as #1a2b3c']]],
  ],
  folder: [
    [{ name: 'x'.repeat(65) }, [['name', 'Must be at most 64 characters']]],
    [{ name: 'x', description: 'x'.repeat(257) }, [['description', 'Must be at most 256 characters']]],
  ],
} as const;

test.each([
  ['/tags', 'Tag', 'tag', { color: '#1a2b3c' }, 1_000],
  ['/folders', 'Folder', 'folder', { description: 'One\nTwo' }, 500],
] as const)('%s: create, list, change and delete', async (path, Noun, noun, more, max) => {
  const { api, userId } = await newUser();
  const member = Object.keys(more)[0]!;
  const created = await api.post(path, { name: 'Ähre', ...more });
  const { id, createdAt, ...rest } = created.body.data as Record<string, string>;
  expect([created.status, created.body.message, rest]).toEqual([
    201,
    `${Noun} created`,
    { name: 'Ähre', ...more, smartlinkCount: 0 },
  ]);
  expect(createdAt).toMatch(/Z$/);
  expect((await api.get(path)).body).toMatchObject({
    message: `${Noun}s retrieved`,
    data: [created.body.data],
  });

  // Another spelling is the same name; of an object itself it is free.
  for (const taken of [
    await api.post(path, { name: 'A\u0308HRE' }),
    await api.patch(path, { id: await idOf(api, path, 'other'), name: 'ähre' }),
  ]) {
    expect([taken.status, taken.body.error]).toEqual([
      409,
      {
        code: 'NAME_TAKEN',
        message: 'Name is already taken',
        details: [{ path: 'name', message: 'Is already taken' }],
      },
    ]);
  }
  const renamed = await api.patch(path, { id, name: 'ÄHRE', [member]: null });
  expect([renamed.body.message, renamed.body.data]).toEqual([
    `${Noun} updated`,
    { id, name: 'ÄHRE', smartlinkCount: 0, createdAt },
  ]);
  await api.patch(path, { id });

  for (const [body, details] of [
    [{}, [['name', 'Required']]],
    [{ name: '' }, [['name', 'Must not be empty']]],
    [{ name: 'a\nb' }, [['name', 'Must not contain line breaks or control characters']]],
    [
      { name: null, [member]: 7 },
      [
        ['name', 'Must be a string'],
        [member, 'Must be a string'],
      ],
    ],
    ...NAME_FAULTS[noun],
  ] as const) {
    const { error } = (await api.post(path, body)).body;
    expect(error.details).toEqual(details.map(([at, message]) => ({ path: at, message })));
  }

  expect((await api.delete(path, { [`${noun}Id`]: id })).body).toMatchObject({
    message: `${Noun} deleted`,
    data: null,
  });
  const gone = await api.delete(path, { [`${noun}Id`]: id });
  expect([gone.status, gone.body.error.message]).toEqual([404, `${Noun} not found`]);
  expect((await api.patch(path, { id: 'x', name: 'y' })).body.error.message).toBe(`${Noun} not found`);

  const { rows } = await service.app.pg.query(
    `select action, details from audit_entries where user_id = $1 and details ->> $2 = $3 order by id`,
    [userId, `${noun}Id`, id],
  );
  expect(rows).toEqual([
    { action: `${noun}.create`, details: { [`${noun}Id`]: id } },
    { action: `${noun}.update`, details: { [`${noun}Id`]: id, changed: ['name', member] } },
    { action: `${noun}.delete`, details: { [`${noun}Id`]: id } },
  ]);

  await service.app.pg.query(
    `insert into ${noun}s (id, user_id, name, key, created_at)
     select gen_random_uuid(), $1, 'n' || n, 'n' || n, now() + (n % 7) * interval '1 hour' from generate_series(1, $2) as n`,
    [userId, max - 1],
  );
  const tooMany = await api.post(path, { name: 'one more' });
  expect(tooMany.body.error.details).toEqual([{ path: '', message: `A user has at most ${max} ${noun}s` }]);
  // In pages all of them come once: tags by name, folders newest first.
  const pages = await pagesOf(api, path);
  expect(pages.map((page) => page.length)).toEqual(Array.from({ length: max / 100 }, () => 100));
  const names = pages.flat();
  expect(new Set(names).size).toBe(max);
  expect((await pagesOf(api, `${path}?limit=33`)).flat()).toEqual(names);
  if (noun === 'tag') expect(names.slice(0, 3)).toEqual(['n1', 'n10', 'n100']);
  for (const cursor of ['', '%', 'AAAA', 'gA'])
    expect((await api.get(`${path}?cursor=${cursor}`)).body.error.details[0].path).toBe('cursor');
  expect((await api.get(`${path}?limit=101`)).status).toBe(400);
});

test('a list of tags is searched by q, in any case', async () => {
  const { api } = await newUser();
  for (const name of ['Spring', 'offspring', '100%', 'summer']) await api.post('/tags', { name });
  const find = async (q: string) => (await pagesOf(api, `/tags?limit=1&q=${encodeURIComponent(q)}`)).flat();
  expect(await find('SPRING')).toEqual(['offspring', 'Spring']);
  expect(await find('%')).toEqual(['100%']);
  expect(await find('_')).toEqual([]);
  const longest = '🏷'.repeat(50);
  await api.post('/tags', { name: longest });
  expect(await find(longest)).toEqual([longest]);
  for (const [q, message] of [
    ['', 'Must not be empty'],
    ['%00', 'Must not contain NUL'],
    ['x'.repeat(51), 'Must be at most 50 characters'],
  ]) {
    const { body } = await api.get(`/tags?q=${q}`);
    expect(body.error.details).toEqual([{ path: 'q', message }]);
  }
});

test('counts are of Active and Paused smartlinks; renaming, merging and deleting leave ETags as they are', async () => {
  const { api, userId } = await newUser();
  const folderId = await idOf(api, '/folders', 'F');
  const links: Awaited<ReturnType<typeof createSmartlink>>[] = [];
  for (const tags of [['a', 'b'], ['A'], ['b'], ['a']])
    links.push(await createSmartlink(api, urlSmartlink({}, {}, { tags, folderId })));
  await api.post('/smartlink/status', { id: links[1]!.id, status: 'Paused' });
  await api.delete('/smartlink', { smartlinkId: links[3]!.id });
  const read = async () => {
    const answers = await Promise.all(links.map(({ id }) => api.get(`/smartlink?id=${id}`)));
    return answers.map(({ headers, body: { data } }) => ({
      version: [headers.etag, data.updatedAt],
      filed: [data.tags, data.folderId],
    }));
  };
  const tagsOf = async () =>
    ((await api.get('/tags')).body.data as { id: string; name: string; smartlinkCount: number }[]).map(
      ({ id, name, smartlinkCount }) => ({ id, name, smartlinkCount }),
    );
  const before = await read();
  const [a, b] = await tagsOf();
  expect([a, b]).toMatchObject([
    { name: 'a', smartlinkCount: 2 },
    { name: 'b', smartlinkCount: 2 },
  ]);
  expect((await api.get('/folders')).body.data).toMatchObject([{ smartlinkCount: 3 }]);

  await api.patch('/tags', { id: a!.id, name: 'Alpha', color: '#fff' });
  const same = await api.post('/tags/merge', { fromId: a!.id, intoId: a!.id });
  expect(same.body.error.details).toEqual([{ path: 'intoId', message: 'Must be another tag' }]);
  const merged = await api.post('/tags/merge', { fromId: b!.id, intoId: a!.id });
  expect(merged.body).toMatchObject({
    message: 'Tags merged',
    data: { name: 'Alpha', color: '#fff', smartlinkCount: 3 },
  });
  expect((await api.post('/tags/merge', { fromId: b!.id, intoId: a!.id })).body.error.message).toBe(
    'Tag not found',
  );
  const { rows: audited } = await service.app.pg.query(
    `select details from audit_entries where user_id = $1 and action = 'tag.merge'`,
    [userId],
  );
  expect(audited).toEqual([{ details: { tagId: b!.id, intoId: a!.id } }]);
  expect((await api.delete('/folders', { folderId })).status).toBe(200);
  const after = await read();
  expect(after.map(({ version }) => version)).toEqual(before.map(({ version }) => version));
  expect(after.map(({ filed }) => filed)).toEqual(before.map(() => [['Alpha'], undefined]));
  await api.delete('/tags', { tagId: a!.id });
  expect((await read()).map(({ filed }) => filed)).toEqual(before.map(() => [undefined, undefined]));
  expect(await count(service.app, 'tags where user_id = $1', [userId])).toBe(0);
});

test('of renames and creates of one name at once, one succeeds', async () => {
  const { api, userId } = await newUser();
  for (const path of ['/tags', '/folders']) {
    const ids = await Promise.all([1, 2, 3].map((n) => idOf(api, path, `${n}`)));
    const answers = await Promise.all([
      ...ids.map((id, i) => api.patch(path, { id, name: ['Same', 'SAME', 'same'][i] })),
      ...['sAme', 'saMe'].map((name) => api.post(path, { name })),
    ]);
    const codes = answers.map(({ body }) => String(body.error?.code ?? 'OK'));
    expect([path, codes.toSorted()]).toEqual([path, [...Array<string>(4).fill('NAME_TAKEN'), 'OK']]);
    expect(await count(service.app, `${path.slice(1)} where user_id = $1 and key = 'same'`, [userId])).toBe(
      1,
    );
  }
});

test('every plan has tags and folders', async () => {
  const starter = caller(service.app, (await service.createUser('Starter')).apiKey);
  const folderId = await idOf(starter, '/folders', 'F');
  await starter.post('/tags', { name: 'T' });
  const { data } = await createSmartlink(starter, urlSmartlink({}, {}, { tags: ['t'], folderId }));
  expect([data.tags, data.folderId]).toEqual([['T'], folderId]);
});

const ROUNDS = trialSize(3, 30);
const SETTLED = new Set([200, 201, 400, 404, 409]);

test('merges, deletions and bulk calls at once end without deadlock, and lose no tag', async () => {
  const { api, userId } = await newUser();
  const bulk = bulkCaller(api);
  const ids: string[] = [];
  for (let i = 0; i < 10; i += 1) ids.push((await createSmartlink(api)).id);
  const call = <Answer extends { status: number }>(make: () => Promise<Answer>) =>
    until(async () => {
      const answer = await make();
      // It waited too long for its turn, and nothing was done.
      return answer.status !== 503 && answer.status !== 429 && answer;
    }, 'a call is answered');
  for (let round = 0; round < ROUNDS; round += 1) {
    const [from, into, gone, folderId] = [
      await idOf(api, '/tags', `from ${round}`),
      await idOf(api, '/tags', `into ${round}`),
      await idOf(api, '/tags', `gone ${round}`),
      await idOf(api, '/folders', `folder ${round}`),
    ];
    const names = [`from ${round}`, `gone ${round}`, `new ${round}`];
    const patches = (order: readonly string[], addTags: readonly string[]) =>
      bulk([
        ...order.map((id) => ({ patch: { id, addTags, folderId } })),
        { create: urlSmartlink({}, {}, { tags: addTags, folderId }) },
      ]);
    const [forwards, backwards, merge, ...others] = await Promise.all([
      call(() => patches(ids, names)),
      call(() => patches(ids.toReversed(), names.toReversed())),
      call(() => api.post('/tags/merge', { fromId: from, intoId: into })),
      call(() => api.delete('/tags', { tagId: gone })),
      call(() => api.delete('/folders', { folderId })),
      call(() => api.post('/smartlink', urlSmartlink({}, {}, { tags: names, folderId }))),
      call(() => api.patch('/smartlink', { id: ids[0], folderId, configuration: { smartlinkName: 'New' } })),
      call(() => api.patch('/smartlink', { id: ids[1], notes: `${round}` })),
    ]);
    expect(merge.status).toBe(200);
    expect(others.filter(({ status }) => !SETTLED.has(status))).toEqual([]);
    // Each bulk call came before the deletion of the folder, or all of its operations are refused for it.
    for (const { statuses } of [forwards, backwards]) {
      expect([[400], [200, 201]]).toContainEqual([...new Set(statuses)].sort());
    }
    if (forwards.statuses[0] === 200 || backwards.statuses[0] === 200) {
      const { rows } = await service.app.pg.query<{ count: number }>(
        `select count(*)::integer as count from smartlink_tags join tags on tags.id = tag_id
         where tags.user_id = $1 and key = $2 and smartlink_id = any($3)`,
        [userId, `new ${round}`, ids],
      );
      expect(rows[0]!.count).toBe(ids.length);
      // Those tagged before the merge have the tag that stays, those tagged after it the one of the old name.
      const { rows: moved } = await service.app.pg.query<{ id: string }>(
        `select distinct smartlink_id as id from smartlink_tags join tags on tags.id = tag_id
         where tags.user_id = $1 and key in ($2, $3) and smartlink_id = any($4)`,
        [userId, `from ${round}`, `into ${round}`, ids],
      );
      expect(moved).toHaveLength(ids.length);
    }
    expect(await count(service.app, 'smartlinks where folder_id = $1', [folderId])).toBe(0);
  }
  expect(service.logLines.filter((line) => line.includes('deadlock'))).toEqual([]);
}, 120_000);

test('a key that only reads changes nothing, and one that creates links may name new tags', async () => {
  const { api, userId } = await newUser();
  const { pg } = service.app;
  const limited = async (scopes: string) => {
    const { apiKey } = await service.createUser();
    await pg.query(
      `update api_keys set scopes = $3, user_id = $1
       where user_id = (select user_id from api_keys where display_prefix = left($2, length(display_prefix)) limit 1)`,
      [userId, apiKey, scopes],
    );
    return caller(service.app, apiKey);
  };
  await api.post('/tags', { name: 'seen' });
  const reader = await limited('{links:read}');
  expect((await reader.get('/tags')).body.data).toHaveLength(1);
  const writer = await limited('{links:create}');
  for (const refused of [
    await reader.post('/tags', { name: 'x' }),
    await writer.post('/tags', { name: 'x' }),
    await writer.get('/tags'),
    await reader.delete('/folders', { folderId: randomUUID() }),
  ])
    expect([refused.status, refused.body.error.code]).toEqual([403, 'FORBIDDEN']);
  expect((await createSmartlink(writer, urlSmartlink({}, {}, { tags: ['made'] }))).data.tags).toEqual([
    'made',
  ]);
});
