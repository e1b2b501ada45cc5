import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { until } from '@smartlink/test-support/until';
import { removeOutdatedRows } from '../src/cleanup.js';
import { A, buttons, menuItem, ROUTING, smartlink } from './smartlink-bodies.js';
import {
  addKey,
  type Caller,
  caller,
  createPerson,
  createSmartlink,
  sessionHeaders,
  signIn,
  urlSmartlink,
  useService,
} from './start-service.js';

const { service, user } = useService();

let editor: Caller & { readonly token: string };
beforeAll(async () => {
  editor = await editorOf(user.userId);
});

async function editorOf(userId: string) {
  const person = await createPerson(service.app, { roles: { [userId]: 'Editor' } });
  const { api, token } = await signIn(service.app, person, userId);
  return { ...api, token, personId: person.personId };
}

/** Uploads a file as a browser does. */
async function upload(
  { token }: { readonly token: string },
  file: string | Buffer,
  { query = '', type = 'application/octet-stream' } = {},
) {
  const res = await service.app.inject({
    method: 'POST',
    url: `/api/v1/imports${query}`,
    headers: { ...sessionHeaders(token), 'content-type': type },
    payload: file,
  });
  return { status: res.statusCode, body: res.json() };
}

async function runImport(api: Caller, id: string, more: object = {}) {
  const started = await api.post('/imports/start', { id, ...more });
  expect([started.status, started.body.data?.state]).toEqual([200, 'running']);
  return until(async () => {
    const { data } = (await api.get(`/imports?id=${id}`)).body;
    return data.state === 'done' ? data : undefined;
  }, 'the import is done');
}

/** Every member that a smartlink can have, of each type. */
const WHOLE = [
  {
    ...smartlink('Url', {}, { smartlinkName: 'Whole', smartlinkUrl: 'wholeurl' }),
    shortener: { url: `${A}x`, protected: true, password: 'correct horse' },
    utm: { source: 's', medium: 'm', campaign: 'c', term: 't', content: 'k', ref: 'r' },
    redirect: { status: 307, cacheSeconds: 0, forwardQuery: false },
    availability: { startsAt: '2020-01-01T00:00:00.000Z', maxVisits: 9, expiredUrl: `${A}over` },
  },
  smartlink('App', { appStores: { fallBackLink: A } }, { smartlinkUrl: 'wholeapp' }),
  smartlink('TxtBin', { txtBin: { text: 'two\nlines' } }, { smartlinkUrl: 'wholetxt' }),
  ...['Landing', 'QRTag', 'DigiCard'].map((type) => ({
    ...buttons(type),
    appearance: { buttonStyle: 'soft', buttonShape: 'pill', background: 'gradient' },
  })),
  { ...menuItem({}), appearance: { background: 'plain' } },
].map((body, i) => ({
  ...body,
  openGraph: { title: `Title ${i}` },
  tags: ['a', `b${i}`],
  notes: `Notes\n${i}`,
  archived: i % 2 === 0,
  externalId: `ext-${i}`,
  routing: ROUTING,
}));

const countLinks = async (userId: string): Promise<number> => {
  const { rows } = await service.app.pg.query(
    'select count(*)::integer as count from smartlinks where user_id = $1',
    [userId],
  );
  return rows[0].count;
};

describe('an upload', () => {
  test('is checked and creates nothing; started, it creates what was ready', async () => {
    const own = await service.createUser();
    const api = await editorOf(own.userId);
    const taken = await createSmartlink(caller(service.app, own.apiKey));
    const csv = `name,slug,url,tags,folder,notes\nOne,impone,https://example.org/1,"a,b",Menus,"two\nlines"\nTwo,${taken.slug},https://example.org/2,,,\nThree,,nowhere,,,\n`;
    const checked = await upload(api, csv, { type: 'text/csv' });
    expect(checked.status).toBe(201);
    expect(checked.body.data).toMatchObject({ format: 'csv', rows: 3, ready: 1, refused: 2 });
    expect(checked.body.data.problems.map(({ row }: { row: number }) => row)).toEqual([2, 3]);
    expect(await countLinks(own.userId)).toBe(1);
    const { id } = checked.body.data;
    expect((await api.get(`/imports?id=${id}`)).body.data).toMatchObject({
      state: 'checked',
      total: 3,
      done: 0,
      created: 0,
      refused: 2,
    });

    const done = await runImport(api, id);
    expect(done).toMatchObject({ total: 3, done: 3, created: 1, refused: 2 });
    const created = (await api.get('/smartlink?slug=impone')).body.data[0];
    expect(created).toMatchObject({ tags: ['a', 'b'], notes: 'two\nlines', createdBy: api.personId });
    const { rows } = await service.app.pg.query(
      'select actor, action from audit_entries where user_id = $1 and actor like $2 order by id',
      [own.userId, 'session%'],
    );
    expect(rows.map(({ action }) => action)).toEqual(['import.create', 'import.start', 'smartlink.import']);
    const report = await api.get(`/imports/report?id=${id}`);
    expect(report.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(report.text.split('\r\n').map((line) => line.split(',')[0])).toEqual(['row', '2', '3', '']);
    const { rows: left } = await service.app.pg.query(
      'select count(*)::integer as count from import_rows where import_id = $1',
      [id],
    );
    expect(left).toEqual([{ count: 0 }]);
  });

  test('with assignSlugs creates the rows whose address is taken', async () => {
    const api = await editorOf((await service.createUser()).userId);
    const csv = 'slug,url\nwelcome,https://example.org/1\nas-it-is,https://example.org/2\n';
    const { body } = await upload(api, csv);
    expect(body.data).toMatchObject({ rows: 2, ready: 1, refused: 1 });
    expect(await runImport(api, body.data.id, { assignSlugs: true })).toMatchObject({
      created: 2,
      refused: 0,
    });
    const { text } = await api.get(`/imports/report?id=${body.data.id}`);
    expect(text).toContain('1,2,welcome,configuration.smartlinkUrl: This smartlink URL is reserved,');
  });

  test('stores passwords as hashes, and unlocks by them', async () => {
    const api = await editorOf((await service.createUser()).userId);
    const secret = `secret ${randomBytes(8).toString('hex')}`;
    const { body } = await upload(api, `slug,url,password\npwd1,https://example.org/1,${secret}\n`);
    const { rows } = await service.app.pg.query(
      'select candidate::text from import_rows where import_id = $1',
      [body.data.id],
    );
    expect(rows[0].candidate).toContain('$argon2id$');
    expect(rows[0].candidate).not.toContain(secret);
    await runImport(api, body.data.id);
    const { body: found } = await api.get('/smartlink?slug=pwd1');
    expect(found.data[0].shortener).toMatchObject({ protected: true });
    expect(service.logLines.join('')).not.toContain(secret);
  });

  test('two starts at once start one run', async () => {
    const own = await service.createUser();
    const api = await editorOf(own.userId);
    const rows = Array.from({ length: 250 }, (_, i) => urlSmartlink({ smartlinkUrl: `both${i}` }));
    const { body } = await upload(api, JSON.stringify(rows), { type: 'application/json' });
    const { id } = body.data;
    const starts = await Promise.all([1, 2, 3].map(() => api.post('/imports/start', { id })));
    expect(starts.map(({ status }) => status)).toEqual([200, 200, 200]);
    await until(
      async () => (await api.get(`/imports?id=${id}`)).body.data.state === 'done',
      'the import is done',
    );
    expect(await countLinks(own.userId)).toBe(250);
    const { rows: audit } = await service.app.pg.query(
      `select count(*)::integer as count from audit_entries where user_id = $1 and action = 'import.start'`,
      [own.userId],
    );
    expect(audit).toEqual([{ count: 1 }]);
  });

  test('rows beyond the plan are refused, when it is checked and when it runs', async () => {
    const own = await service.createUser('Starter');
    await service.app.pg.query(`update plans set smartlinks_max = 2 where name = 'Starter'`);
    const api = await editorOf(own.userId);
    const { body } = await upload(api, 'url\nhttps://a.example\nhttps://b.example\nhttps://c.example\n');
    expect(body.data).toMatchObject({ ready: 2, refused: 1 });
    expect(body.data.problems).toMatchObject([{ row: 3, reason: 'Subscription limit reached' }]);
    expect(await runImport(api, body.data.id)).toMatchObject({ created: 2, refused: 1 });
  });

  test('an account keeps the three files that it checked last', async () => {
    const api = await editorOf((await service.createUser()).userId);
    const ids: string[] = [];
    for (let i = 0; i < 4; i += 1) ids.push((await upload(api, 'url\nhttps://a.example\n')).body.data.id);
    const { body } = await api.get('/imports');
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual(ids.slice(1).reverse());
    expect((await api.post('/imports/start', { id: ids[0] })).status).toBe(404);
  });
});

describe('an export', () => {
  test('that is imported again is the same in every member, and streams as CSV', async () => {
    const own = await service.createUser();
    const key = caller(service.app, own.apiKey);
    const folder = (await key.post('/folders', { name: 'Menus' })).body.data.id;
    for (const body of WHOLE) await createSmartlink(key, { ...body, folderId: folder });
    await service.app.pg.query(`select take_visits(smartlink_id, 4) from slugs where key = 'wholeurl'`);
    const before = await key.get('/export');
    expect(before.headers['content-type']).toBe('application/json; charset=utf-8');
    const items = JSON.parse(before.text) as Record<string, unknown>[];
    expect(items).toHaveLength(WHOLE.length);
    expect(items[0]).toMatchObject({
      utm: { ref: 'r' },
      redirect: { status: 307, cacheSeconds: 0, forwardQuery: false },
      routing: { rules: [{ id: 'r' }, { id: 's' }] },
      tags: ['a', 'b0'],
      notes: 'Notes\n0',
      archived: true,
      externalId: 'ext-0',
      availability: { startsAt: '2020-01-01T00:00:00.000Z', maxVisits: 9, expiredUrl: `${A}over` },
      export: { folder: 'Menus', passwordHash: expect.stringContaining('$argon2id$'), visitsUsed: 4 },
    });
    for (const { id } of (await key.get('/smartlink?archived=all')).body.data)
      await key.delete('/smartlink', { smartlinkId: id });
    expect(JSON.parse((await key.get('/export')).text)).toEqual([]);

    const api = await editorOf(own.userId);
    const { body } = await upload(api, gzipSync(before.text));
    expect(body.data).toMatchObject({ ready: WHOLE.length, refused: 0 });
    await runImport(api, body.data.id);
    const after = JSON.parse((await api.get('/export')).text) as Record<string, unknown>[];
    const bySlug = (list: Record<string, unknown>[]) =>
      list.toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)));
    expect(bySlug(after)).toEqual(bySlug(items));
    const csv = await key.get('/export?format=csv');
    expect(csv.text.split('\r\n')).toHaveLength(WHOLE.length + 2);
    expect(csv.text).toContain(`Whole,https://sl.example.com/wholeurl,Url,${A}x,Active,`);
  });

  test('has no hashes of passwords for a Viewer', async () => {
    const own = await service.createUser();
    const shortener = { url: 'https://a.example/', protected: true, password: 'secret of a link' };
    const configuration = { smartlinkName: 'Locked', smartlinkType: 'Url' };
    await createSmartlink(caller(service.app, own.apiKey), { configuration, shortener });
    const viewer = await createPerson(service.app, { roles: { [own.userId]: 'Viewer' } });
    const { api } = await signIn(service.app, viewer, own.userId);
    const { status, text } = await api.get('/export');
    expect(status).toBe(200);
    expect(text).toContain('"Locked"');
    expect(text).not.toMatch(/passwordHash|argon2/);
  });

  test('needs the scope links:read', async () => {
    const own = await service.createUser();
    await service.app.pg.query(`update api_keys set scopes = '{analytics:read}' where user_id = $1`, [
      own.userId,
    ]);
    const { status, body } = await caller(service.app, own.apiKey).get('/export');
    expect([status, body.error.details[0].message]).toEqual([403, 'Needs the scope links:read']);
  });
});

test('what uploads leave behind is removed in time', async () => {
  const api = await editorOf((await service.createUser()).userId);
  const { body } = await upload(api, 'slug,url\n,https://a.example\n,nowhere\n');
  const { id } = body.data;
  const { pg } = service.app;
  await removeOutdatedRows(pg);
  expect((await api.get(`/imports?id=${id}`)).status).toBe(200);
  await pg.query(`update imports set started_at = now() - interval '25 hours' where id = $1`, [id]);
  await removeOutdatedRows(pg);
  expect((await api.get(`/imports?id=${id}`)).status).toBe(404);
  const { rows } = await pg.query(
    `select (select count(*) from imports where id = $1)::integer as imports,
            (select count(*) from import_rows where import_id = $1)::integer as rows`,
    [id],
  );
  expect(rows).toEqual([{ imports: 0, rows: 0 }]);
});

describe('a file that cannot be imported', () => {
  const LINK = 'url\nhttps://example.org/\n';

  test.each<[string, string | Buffer, string, number, string]>([
    ['an empty one', '', '', 400, 'The file is empty'],
    ['HTML', '<!doctype html>', '', 400, 'The file is HTML or XML, not CSV or JSON'],
    ['another format than the given one', LINK, '?format=shlink-csv', 400, 'The file has no columns for'],
    [
      'cut gzip',
      gzipSync(LINK.repeat(10)).subarray(0, 20),
      '',
      400,
      'The file cannot be read: its compression',
    ],
    ['a table of unknown columns', 'a,b\n1,2\n', '', 400, 'The file has no known column names'],
  ])('%s is refused', async (_name, file, query, status, message) => {
    const res = await upload(editor, file, { query });
    expect([res.status, res.body.error.code]).toEqual([status, 'VALIDATION_FAILED']);
    expect(res.body.error.details[0].message).toContain(message);
  });

  test('holds up no upload after it when some of it is left unread', async () => {
    const long = `a,b\n${'1,2\n'.repeat(700_000)}`;
    for (const file of [long, gzipSync(randomBytes(2 ** 21).toString('hex'))])
      expect((await upload(editor, file)).status).toBe(400);
    expect((await upload(editor, LINK)).status).toBe(201);
  }, 20_000);

  test('a bomb of gzip is read no further than 200 times its size', async () => {
    // A long row would end the file before.
    const row = `https://example.org/${'x'.repeat(400_000)}\n`;
    const bomb = gzipSync(LINK + row.repeat(80));
    const { status, body } = await upload(editor, bomb);
    expect(status).toBe(201);
    expect(body.data.rows).toBeLessThan(40);
    const { text } = await editor.get(`/imports/report?id=${body.data.id}`);
    expect(text).toContain('it unpacks to more than 200 times its size');
  });

  test('bytes that are no UTF-8, and the end of a cut file, cost their row alone', async () => {
    const csv = Buffer.concat([
      Buffer.from('name,url\nGood,https://example.org/\n'),
      Buffer.from([0xff, 0xfe]),
      Buffer.from(',https://example.org/\nCut'),
    ]);
    const { body } = await upload(editor, csv);
    expect(body.data).toMatchObject({ rows: 3, ready: 1, refused: 2 });
    expect(body.data.problems.map(({ reason }: { reason: string }) => reason)).toEqual([
      'is not UTF-8: save it as CSV UTF-8',
      'has 1 cell where the heading has 2: the file ends here, cut off',
    ]);
    const { body: json } = await upload(editor, '[{"url":"https://example.org/"},{"url":"https://exa');
    expect(json.data).toMatchObject({ rows: 2, ready: 1, refused: 1 });
  });

  test('is refused above 200 MiB by its length alone', async () => {
    const res = await service.app.inject({
      method: 'POST',
      url: '/api/v1/imports',
      headers: {
        ...sessionHeaders(editor.token),
        'content-type': 'text/csv',
        'content-length': String(200 * 1024 * 1024 + 1),
      },
    });
    expect(res.statusCode).toBe(413);
    expect(res.json().error).toEqual({
      code: 'PAYLOAD_TOO_LARGE',
      message: 'The file is larger than 200 MiB',
    });
  });

  test('of another content type is 415, and leaves no trace', async () => {
    for (const type of [
      'text/plain',
      'multipart/form-data; boundary=x',
      'application/x-www-form-urlencoded',
    ]) {
      expect((await upload(editor, LINK, { type })).status).toBe(415);
    }
    const { rows } = await service.app.pg.query(`select id from imports where state = 'receiving'`);
    expect(rows).toEqual([]);
  });
});

describe('who may import', () => {
  test('a key gets 403 FORBIDDEN `Needs a signed-in person`, a Viewer 403', async () => {
    const key = caller(service.app, await addKey(service.app, user.userId));
    const viewer = await createPerson(service.app, { roles: { [user.userId]: 'Viewer' } });
    const { api } = await signIn(service.app, viewer, user.userId);
    for (const [method, path, body] of [
      ['POST', '/imports', 'url\nhttps://example.org\n'],
      ['POST', '/imports/start', { id: 'x' }],
      ['GET', '/imports', undefined],
      ['GET', '/imports/report?id=x', undefined],
    ] as const) {
      const headers = path === '/imports' && method === 'POST' ? { 'content-type': 'text/csv' } : {};
      const byKey = await key.call(method, path, body, headers);
      expect([byKey.status, byKey.body.error.details[0].message]).toEqual([403, 'Needs a signed-in person']);
      const byViewer = await api.call(method, path, body, headers);
      expect([byViewer.status, byViewer.body.error.details[0].message]).toEqual([
        403,
        'Needs the role Editor',
      ]);
    }
  });

  test('an import of another account is answered like an unknown one', async () => {
    const { body } = await upload(editor, 'url\nhttps://example.org/foreign\n');
    const other = await editorOf((await service.createUser()).userId);
    const answers = await Promise.all(
      [body.data.id, '019aa5c4-c000-7000-8000-000000000001', 'none'].flatMap((id: string) => [
        other.get(`/imports?id=${id}`),
        other.get(`/imports/report?id=${id}`),
        other.post('/imports/start', { id }),
      ]),
    );
    for (const { status, body: answer } of answers) {
      expect([status, answer.error]).toEqual([404, { code: 'NOT_FOUND', message: 'Import not found' }]);
    }
    expect((await other.get('/imports')).body.data).toEqual([]);
  });

  test('a page of another site cannot upload', async () => {
    const res = await service.app.inject({
      method: 'POST',
      url: '/api/v1/imports',
      headers: {
        ...sessionHeaders(editor.token),
        origin: 'https://evil.example',
        'content-type': 'text/csv',
      },
      payload: 'url\nhttps://example.org\n',
    });
    expect(res.statusCode).toBe(403);
  });
});
