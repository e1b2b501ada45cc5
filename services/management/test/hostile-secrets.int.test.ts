import { randomBytes } from 'node:crypto';
import type { InjectOptions } from 'fastify';
import { beforeAll, expect, test } from 'vitest';
import { makeEventRow } from '@smartlink/test-support/event-row';
import { addEvents, addKey, caller, revokeKey, urlSmartlink, useService } from './start-service.js';
import { everythingStored, routesOf, untilPublished } from './stored-state.js';

// After a session with every route, keys and passwords are nowhere to be found.

// Everything that is stored is searched.
const { service, user, api } = useService({ clickhouse: 'own' });
let routes: readonly string[];
/** Every answer of the session, its headers too. */
const answers: string[] = [];
/** Those that speak of passwords, and tell the same to everybody. */
const references = new Set<string>();
/** Each of them was sent to the service once at least. */
const secrets = new Set<string>();

beforeAll(async () => {
  routes = routesOf(service.app);
  await sendKeysEverywhere();
  await sendPasswords();
}, 120_000);

/** A new password that cannot be anywhere by chance. */
function password(): string {
  const made = `pass-${randomBytes(8).toString('hex')}-wörd`;
  secrets.add(made);
  return made;
}

async function send(
  method: InjectOptions['method'],
  path: string,
  body?: unknown,
  headers: object = {},
  key: string = user.apiKey,
) {
  const res = await caller(service.app, key).call(method, path, body, headers);
  const isReference = path.startsWith('/openapi.json');
  // An export has the hashes of passwords, for those who may write links, and nothing else of them.
  const text = path.startsWith('/export') ? res.text.replaceAll(/"passwordHash":"[^"]*"/g, '') : res.text;
  answers.push(`${JSON.stringify(res.headers)} ${isReference ? '' : text}`);
  // A large one, and always the same.
  if (isReference) references.add(text);
  return res;
}

const methodOf = (route: string) => route.split(' ')[0];
const pathOf = (route: string) => route.split(' ')[1]!;

/** Puts keys wherever they do and do not belong, on every route. */
async function sendKeysEverywhere(): Promise<void> {
  const unknown = await addKey(service.app, user.userId);
  await service.app.pg.query('delete from api_keys where display_prefix = $1', [unknown.slice(0, 17)]);
  const revoked = await addKey(service.app, user.userId);
  await revokeKey(service.app, revoked);
  const badChecksum = `${user.apiKey.slice(0, -1)}${user.apiKey.endsWith('A') ? 'B' : 'A'}`;
  const keys = [user.apiKey, unknown, revoked, badChecksum];
  for (const key of keys) secrets.add(key);
  for (const key of keys) {
    const basic = Buffer.from(key).toString('base64');
    const names = ['x-api-key', 'cookie', 'referer', 'idempotency-key', 'if-match', 'accept', 'user-agent'];
    const body = {
      id: key,
      smartlinkId: key,
      status: key,
      apiKey: key,
      configuration: { smartlinkUrl: key },
    };
    for (const route of routes) {
      const hasBody = !/^(?:GET|HEAD) /.test(route);
      const parameters = ['key', 'api_key', 'authorization', 'id', 'q', 'cursor', 'tz'];
      const at = `${pathOf(route)}?${parameters.map((name) => `${name}=${key}`).join('&')}`;
      for (const headers of [
        {},
        Object.fromEntries([...names, 'if-none-match', 'origin'].map((name) => [name, key])),
        { authorization: key },
        { authorization: `Basic ${basic}` },
        { 'content-type': key },
      ]) {
        await send(methodOf(route), at, hasBody ? body : undefined, headers, key);
      }
    }
    await send('GET', `/${key}`);
    await send('POST', '/smartlink', urlSmartlink(), { 'idempotency-key': key });
    await send('POST', '/smartlink', `{"key": ${key}`);
    await send('POST', '/smartlink', urlSmartlink({ smartlinkName: `${key}${key}` }));
    await send('POST', '/smartlink', urlSmartlink({ smartlinkType: key, smartlinkName: key }));
    await send('POST', '/smartlink', urlSmartlink({ apiKey: key }, { apiKey: key }, { [key]: key }));
  }
}

/** Sends passwords in requests of every kind, good and bad. */
async function sendPasswords(): Promise<void> {
  const create = (shortener: object, configuration: object = {}, headers = {}) =>
    send('POST', '/smartlink', urlSmartlink(configuration, shortener), headers);
  const made = await create({ protected: true, password: password() }, { smartlinkUrl: 'Guarded' });
  expect(made.status).toBe(201);
  const { id } = made.body.data as { id: string };
  await addEvents(service.app, [makeEventRow(user.userId, id)]);

  const twice = password();
  for (const secret of [twice, twice, password()])
    await create({ protected: true, password: secret }, {}, { 'idempotency-key': 'one' });
  for (const [shortener, configuration] of [
    [{ protected: true, password: password() }, { smartlinkUrl: 'guarded' }],
    [{ protected: false, password: password() }],
    [{ protected: 'yes', password: password() }],
    [{ url: 'x', protected: true, password: password() }],
    [{ protected: true, password: [password()] }],
    [{ protected: true, password: password().repeat(10) }],
    [{ protected: true, password: `${password()}\n` }],
    [{ protected: true }, { smartlinkUrl: password() }],
    [
      { protected: true, pass: password() },
      { smartlinkName: password(), password: password() },
    ],
  ] as const)
    await create(shortener, configuration);
  const landing = { password: password() };
  await send('POST', '/smartlink', { ...urlSmartlink(), password: password(), landing });
  await send('POST', '/smartlink', `{"shortener":{"password":"${password()}"`);
  await send('POST', `/smartlink?password=${encodeURIComponent(password())}`, urlSmartlink());
  await send('POST', '/smartlink', urlSmartlink(), { 'x-password': encodeURIComponent(password()) });

  for (const shortener of [
    { password: password() },
    { protected: false, password: password() },
    { protected: true, password: password() },
    { password: password(), url: 'x' },
    { password: { secret: password() } },
  ]) {
    await send('PATCH', '/smartlink', { id, shortener });
    await send('PATCH', '/smartlink', { id, shortener }, { 'if-match': '"0"' });
  }
  await send('PATCH', '/smartlink', { id: password(), shortener: { password: password() } });
  const toLanding = { configuration: { smartlinkType: 'Landing' }, landing: {} };
  await send('PATCH', '/smartlink', { id, ...toLanding, shortener: { password: password() } });
  await send('PATCH', '/smartlink', { id, configuration: { smartlinkType: 'Url' } });
  await send('POST', '/smartlink/status', { id, status: password() });
  await send('POST', '/smartlink/status', { id, status: 'Paused', password: password() });
  for (const route of routes.filter((known) => known.startsWith('GET')))
    await send(
      'GET',
      `${pathOf(route)}?id=${id}&password=${encodeURIComponent(password())}&pw=${encodeURIComponent(password())}`,
    );
  await send('DELETE', '/smartlink', { smartlinkId: id, password: password() });
  await send('DELETE', `/smartlink?password=${encodeURIComponent(password())}`, { smartlinkId: password() });
}

test('a fault of the database while a password is stored shows neither row nor hash', async () => {
  await service.app.pg.query(`alter table smartlinks add constraint fault check (name <> 'Fault')`);
  const from = service.logLines.length;
  const res = await send(
    'POST',
    '/smartlink',
    urlSmartlink(
      { smartlinkName: 'Fault' },
      { url: 'https://hidden.example.net/', protected: true, password: password() },
    ),
  );
  await service.app.pg.query('alter table smartlinks drop constraint fault');
  expect([res.status, res.body.error]).toEqual([500, { code: 'INTERNAL_ERROR', message: 'Internal error' }]);
  const lines = service.logLines.slice(from).join('');
  expect(lines).toContain('violates check constraint');
  // Postgres tells the whole row, hash and destination and all.
  expect(lines).not.toMatch(/argon2|hidden\.example/);
});

test('no row, key, event, log line or answer holds a key or a password', async () => {
  await untilPublished(service.app);
  const places: Record<string, string> = {
    'the engines': await everythingStored(service),
    'the log': service.logLines.join(''),
    'the answers': answers.join('\n'),
    'the reference': [...references].join('\n'),
  };
  const found: string[] = [];
  for (const secret of secrets) {
    for (const form of formsOf(secret)) {
      for (const [place, text] of Object.entries(places))
        if (text.includes(form)) found.push(`${form} in ${place}`);
    }
  }
  expect(found).toEqual([]);
  // A path of `ignored` may name the member, and no answer has it.
  expect(places['the answers']).not.toMatch(/argon2|"password\w*":/);
  expect(places['the log']).not.toMatch(/argon2|example\.org/);
  // What is searched does hold what may be there.
  expect(places['the engines']).toContain('$argon2id$');
  expect(places['the engines']).toContain(user.apiKey.slice(0, 17));
  expect((await api.get('/validate')).status).toBe(200);
});

/** Of a key the part that people are not shown; and what encodings make of a secret. */
function formsOf(secret: string): string[] {
  const kept = secret.startsWith('slk_live_') ? secret.slice(17) : secret;
  const bytes = Buffer.from(kept);
  return [
    kept,
    encodeURIComponent(kept),
    bytes.toString('hex'),
    // Without its last letters, which depend on what follows.
    bytes.toString('base64').slice(0, -4),
    bytes.toString('base64url').slice(0, -4),
    JSON.stringify(kept).slice(1, -1),
  ];
}
