import { randomUUID } from 'node:crypto';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { describe, expect, test } from 'vitest';
import { createSmartlinkValidator } from '@smartlink/smartlink/document';
import { isTargetPath } from '@smartlink/smartlink/model';
import { trialSize } from '@smartlink/test-support/trial-size';
import {
  type Field,
  type FieldSchema,
  fieldsOf,
  fullDocument,
  type Path,
  TYPES,
  withValue,
} from './schema-documents.js';
import { MALFORMED_SLUGS } from './smartlink-bodies.js';
import { PUBLIC_BASE_URL, createSmartlink, faultsOf, urlSmartlink, useService } from './start-service.js';
import { storedRows, untilPublished } from './stored-state.js';
import { worstBodies } from './worst-bodies.js';

// Wrong values in every field of every type, as the schemas list them. All go through the validator; an ordinary run sends
// one of each field in a create and a PATCH, a full one all of them.
const isSent = trialSize(
  (i: number, index: number, count: number) => i === index % count,
  () => true,
);

const validator = createSmartlinkValidator({ publicBaseUrl: PUBLIC_BASE_URL });
const { service, user, api } = useService({ takesNewMembers: true });

const SLUGS = ['', ...MALFORMED_SLUGS, 'Dashboard', 'TOS', 'a'.repeat(65)];
const COLORS = [
  ...['', 'red', '#12', '#12345', '#1234567', '#ggg', '#fff;background:url(x)', ' #fff', '#fff\n', '＃fff'],
];

/** Values that a field cannot hold. */
function wrongValues({ path, schema }: Field): readonly unknown[] {
  const missing = schema.isNullable ? [] : [null];
  switch (schema.type) {
    case 'object':
      return [...missing, [], 'x', '', 1, true];
    case 'array':
      return [...missing, {}, 'x', '', 1, true];
    case 'boolean':
      return [...missing, 'true', '', 0, 1, [], {}];
    case 'integer':
      return [...missing, '1', '', true, [], {}, 0.5, ...numbersOutside(schema)];
    case 'number':
      return [...missing, '1', '', true, [], {}, ...numbersOutside(schema)];
    default:
      return [...missing, 5, true, [], {}, ['x'], ...wrongTexts(schema), ...ownAddresses(path, schema)];
  }
}

function numbersOutside({ minimum, maximum }: FieldSchema): readonly number[] {
  return [
    ...(minimum === undefined || minimum < 0 ? [] : [minimum - 0.01, -1, -1e308]),
    ...(maximum === undefined || maximum > 1e300 ? [] : [maximum * 1.01, 1e19, 1e308]),
  ];
}

function wrongTexts(schema: FieldSchema): readonly string[] {
  if (schema.enum)
    return [
      '',
      'Nonsense',
      schema.enum[0]!.toUpperCase() + ' ',
      ` ${schema.enum[0]}`,
      '__proto__x',
      'toString',
    ];
  if (schema.pattern?.startsWith('^#')) return COLORS;
  if (schema.pattern) return SLUGS;
  // In this order, so that every third of them has one that only the parser of addresses refuses.
  if (schema.format === 'uri') {
    const inside = ['http://127.0.0.1/', 'https://user@example.org/', 'http://[::1]/'];
    return [...inside, '', 'x', '//evil.com', 'javascript:alert(1)', 'tel:*%2306%23'];
  }
  const tooLong = '😀'.repeat((schema.maxLength ?? 0) + 1);
  if (schema.format === 'password')
    return ['', '12345', '😀😀😀😀😀', tooLong, 'pass\0word', 'pass\nword', '\ud800password'];
  const invisible = ['', ' ', '\u200b\u202e\ufeff', '\u3164\u2800\u00a0', '\u200d'];
  return [tooLong, 'a\0b', '\ud800', ...(schema.minLength === 1 ? invisible : [])];
}

/** An address of this instance, where visitors would be redirected to it. */
function ownAddresses(path: Path, schema: FieldSchema): readonly string[] {
  return schema.format === 'uri' && isTargetPath(path.join('.')) ? [`${PUBLIC_BASE_URL}/x`] : [];
}

test.each(TYPES)(
  '%s: a wrong value in any field is a fault at its path and nowhere else',
  async (type) => {
    const { id } = (await api.post('/smartlink', fullDocument(type))).body.data as { id: string };
    await untilPublished(service.app);
    const before = await storedRows(service.app);
    const unexpected: string[] = [];
    for (const [index, field] of fieldsOf(type).entries()) {
      const { path, schema } = field;
      const values = [...wrongValues(field), ...(schema.isNullable ? [] : [undefined])];
      // An element that is not there is a shorter array.
      const possible = values.filter((known) => known !== undefined || path.at(-1) !== 0);
      const note = (how: string, value: unknown, faults: readonly string[]) => {
        const found = [...new Set(faults)].join(' ');
        const what = `${how} ${path.join('.')} ${JSON.stringify([value]).slice(0, 40)}`;
        if (found !== path.join('.')) unexpected.push(`${what}: ${found}`);
      };
      for (const [i, value] of possible.entries()) {
        const document = withValue(fullDocument(type), path, value);
        const checked = validator.validate(document, { hasStoredPassword: false });
        // The parser of bodies refuses lone surrogates before; only the database knows the folders.
        const isJudged = typeof value !== 'string' || (value.isWellFormed() && path[0] !== 'folderId');
        if (isJudged) note('validator', value, checked.ok ? [] : checked.faults.map((one) => one.path));
        if (!isSent(i, index, possible.length)) continue;
        const created = await api.post('/smartlink', document);
        note('create', value, created.status === 400 ? faultsOf(created) : []);
        // What a PATCH leaves out stays as it is.
        if (value === undefined && !path.includes(0)) continue;
        const patched = await api.patch('/smartlink', { ...document, id });
        note('PATCH', value, patched.status === 400 ? faultsOf(patched) : []);
      }
    }
    expect(unexpected).toEqual([]);
    expect(await storedRows(service.app)).toBe(before);
  },
  60_000,
);

// Members that no client may set, at every depth of every body.

const FORBIDDEN = {
  ...{ userId: randomUUID(), user_id: randomUUID(), version: 999_999_999, password_version: 9 },
  ...{ createdAt: '2000-01-01T00:00:00.000Z', deletedAt: '2000-01-01T00:00:00.000Z' },
  password_hash: '$argon2id$v=19$m=8,t=1,p=1$c2FsdHNhbHQ$aGFzaA',
  analytics: { totalClicks: 9, totalQrCodeScans: 9, totalFallBack: 9 },
  content: { Url: { shortener: { url: 'https://elsewhere.example/' } } },
  ...{ relink: 'https://elsewhere.example/', type: 'Planted', slug: 'planted' },
  ...{ prototype: { isAdmin: true }, toString: 'planted', then: 'planted', toJSON: 'planted', length: 9 },
};
/** At the top of a PATCH and of a status body these two mean something. */
const WITH_IDS = { id: 'planted', status: 'Deleted', ...FORBIDDEN };

/** A copy with the forbidden members in every object. */
function plant(value: unknown, members: object, isTop = true): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((element) => plant(element, WITH_IDS, false));
  const own = Object.entries(value).map(([key, member]) => [key, plant(member, WITH_IDS, false)]);
  return { ...(isTop ? members : WITH_IDS), ...(Object.fromEntries(own) as object) };
}

/** What must be the same of two smartlinks made of the same document. */
const comparable = (data: Record<string, unknown>) => {
  const { id: _id, relink: _relink, createdAt: _createdAt, updatedAt: _updatedAt, ...rest } = data;
  const { smartlinkUrl: _slug, ...configuration } = rest['configuration'] as Record<string, unknown>;
  return { ...rest, configuration };
};

async function rowOf(id: unknown) {
  const { rows } = await service.app.pg.query('select * from smartlinks where id = $1', [id]);
  return rows[0] as Record<string, unknown>;
}

describe.each(TYPES)('%s', (type) => {
  test('on create they are dropped: the smartlink is as the one without them', async () => {
    const clean = await api.post('/smartlink', fullDocument(type));
    expect([clean.status, clean.body.error]).toEqual([201, undefined]);
    const res = await api.post('/smartlink', plant(fullDocument(type), WITH_IDS));
    expect([res.status, res.body.error]).toEqual([201, undefined]);
    expect(comparable(res.body.data as Record<string, unknown>)).toEqual(
      comparable(clean.body.data as Record<string, unknown>),
    );
    expect(res.body.data).toMatchObject({ userId: user.userId, status: 'Active', type });
    expect(res.body.data.createdAt > '2020').toBe(true);
    const [row, cleanRow] = [await rowOf(res.body.data.id), await rowOf(clean.body.data.id)];
    expect(row['content']).toEqual(cleanRow['content']);
    expect([row['open_graph'], row['password_version']]).toEqual([
      cleanRow['open_graph'],
      cleanRow['password_version'],
    ]);
    expect(JSON.stringify(row)).not.toMatch(/planted|elsewhere/i);
  });

  test('on PATCH and status they change nothing, not even the version', async () => {
    const { id } = (await api.post('/smartlink', fullDocument(type))).body.data as { id: string };
    await untilPublished(service.app);
    const before = await storedRows(service.app);
    // A password would be a change; all other members are those that are stored.
    const document = fullDocument(type) as { shortener?: { password?: string } };
    delete document.shortener?.password;
    const planted = plant(document, FORBIDDEN) as object;
    const patched = await api.patch('/smartlink', { ...planted, id, status: 'Deleted' });
    expect([patched.status, patched.body.error]).toEqual([200, undefined]);
    expect((await api.patch('/smartlink', { ...FORBIDDEN, id, status: 'Paused' })).status).toBe(200);
    expect((await api.post('/smartlink/status', { ...FORBIDDEN, id, status: 'Active' })).status).toBe(200);
    expect(await storedRows(service.app)).toBe(before);
  });
});

test('a pause with all of them beside it changes the status, the version and the time', async () => {
  const { id } = (await api.post('/smartlink', fullDocument('Url'))).body.data as { id: string };
  const before = await rowOf(id);
  await api.post('/smartlink/status', { ...FORBIDDEN, id, status: 'Paused' });
  const after = await rowOf(id);
  const changed = Object.keys(after).filter(
    (name) => JSON.stringify(after[name]) !== JSON.stringify(before[name]),
  );
  expect(changed.sort()).toEqual(['status', 'updated_at', 'version']);
  // No prototype was changed on the way.
  expect(({} as Record<string, unknown>)['isAdmin']).toBeUndefined();
});

// What is too large is refused, and the largest allowed body delays no other request.

const MIB = 1024 * 1024;
const ANSWER_BYTES_MAX = MIB / 4;
// The goal is 200 ms on a machine that does nothing else.
const BLOCKED_MS_MAX = 2_000;

const CALLS = [
  ['PATCH', '/smartlink'],
  ['POST', '/smartlink/status'],
  ['DELETE', '/smartlink'],
] as const;

/** A create, and in a full run all other calls, else another one for each body. */
const callsFor = (index: number) => [
  ['POST', '/smartlink'] as const,
  ...trialSize<readonly (typeof CALLS)[number][]>([CALLS[index % CALLS.length]!], CALLS),
];

test('a body of exactly a mebibyte is read, and one of a byte more is not', async () => {
  const body = (bytes: number) => {
    const text = JSON.stringify(urlSmartlink({}, {}, { x: '' }));
    return text.replace('"x":""', `"x":"${'x'.repeat(bytes - text.length)}"`);
  };
  expect(Buffer.byteLength(body(MIB))).toBe(MIB);
  expect((await api.post('/smartlink', body(MIB))).status).toBe(201);
  await untilPublished(service.app);
  const before = await storedRows(service.app);
  const res = await api.post('/smartlink', body(MIB + 1));
  expect([res.status, res.body.error]).toEqual([
    413,
    { code: 'PAYLOAD_TOO_LARGE', message: 'Request body is too large' },
  ]);
  expect(await storedRows(service.app)).toBe(before);
});

const arrays = TYPES.flatMap((type) =>
  fieldsOf(type)
    .filter(({ schema }) => schema.type === 'array')
    .map(({ path, schema }) => [`${type} ${path.join('.')}`, type, path, schema.maxItems ?? 0] as const),
);

test.each(arrays)('%s holds as many elements as it may and not one more', async (_name, type, path, max) => {
  const document = fullDocument(type);
  let element: unknown = document;
  for (const step of [...path, 0]) element = (element as Record<string | number, unknown>)[step];
  const withElements = (count: number) =>
    withValue(
      document,
      path,
      Array.from({ length: count }, () => element),
    );
  expect(max).toBeGreaterThanOrEqual(20);
  expect((await api.post('/smartlink', withElements(max))).status).toBe(201);
  const res = await api.post('/smartlink', withElements(max + 1));
  expect([res.status, faultsOf(res)]).toEqual([400, [path.join('.')]]);
});

test('the worst mebibytes are answered in a few words, and other requests are not held up', async () => {
  await untilPublished(service.app);
  const { app } = service;
  const { id } = await createSmartlink(api);
  const found: string[] = [];
  for (const [index, [name, body]] of Object.entries(worstBodies(id)).entries()) {
    for (const [method, path] of callsFor(index)) {
      const delay = monitorEventLoopDelay({ resolution: 1 });
      delay.enable();
      const from = process.cpuUsage();
      const res = await api.call(method, path, body);
      const { user, system } = process.cpuUsage(from);
      // One more turn, so that the last delay is counted.
      await new Promise((resolve) => setImmediate(resolve));
      delay.disable();
      // No longer than the processor worked for all of it: the rest was other processes' turn.
      const blockedMs = Math.min(delay.max / 1e6, (user + system) / 1e3);
      if (blockedMs > BLOCKED_MS_MAX) found.push(`${name}: ${Math.round(blockedMs)} ms blocked`);
      if (res.status >= 500) found.push(`${name}: ${res.status}`);
      // A document that is stored is answered with.
      const isLong = res.status >= 400 && res.text.length > ANSWER_BYTES_MAX;
      if (isLong) found.push(`${name}: ${res.text.length} bytes`);
    }
  }
  expect(found).toEqual([]);
  expect((await app.inject('/-/live')).statusCode).toBe(200);
}, 300_000);
