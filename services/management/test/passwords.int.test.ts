import { afterAll, beforeAll, expect, test } from 'vitest';
import { faultsOf, startServiceWithUser, urlSmartlink } from './start-service.js';
import type { Caller, TestService } from './start-service.js';

let service: TestService;
let api: Caller;

beforeAll(async () => {
  ({ service, api } = await startServiceWithUser());
});
afterAll(() => service.close());

async function create(configuration: object = {}, shortener: object = {}) {
  const res = await api.post('/smartlink', urlSmartlink(configuration, shortener));
  expect(res.text).toContain('"success":true');
  return { id: res.body.data.id as string, etag: String(res.headers.etag) };
}

async function rowOf(id: string) {
  const { rows } = await service.app.pg.query('select * from smartlinks where id = $1', [id]);
  return rows[0] as Record<string, unknown>;
}

test('protection without a password is a fault, with one it holds, and the password is never returned', async () => {
  const { id } = await create();
  const bare = await api.patch('/smartlink', { id, shortener: { protected: true } });
  expect(faultsOf(bare)).toEqual(['shortener.password']);
  const set = await api.patch('/smartlink', { id, shortener: { protected: true, password: 'secret-1' } });
  expect(set.body.data.shortener).toEqual({ url: 'https://example.org/', protected: true });
  expect(JSON.stringify(await rowOf(id))).not.toContain('secret-1');
  expect((await rowOf(id))['password_hash']).toMatch(/^\$argon2id\$/);
  expect(service.logLines.join('')).not.toContain('secret-1');
});

test('a password given while unprotected is kept, and protection can use it later', async () => {
  const { id } = await create({}, { password: 'secret-2' });
  const res = await api.patch('/smartlink', { id, shortener: { protected: true } });
  expect(res.body.data.shortener.protected).toBe(true);
  const off = await api.patch('/smartlink', { id, shortener: { protected: false } });
  expect(off.body.data.shortener.protected).toBe(false);
  expect((await rowOf(id))['password_hash']).toMatch(/^\$argon2id\$/);
});

test('null clears it when unprotected and is a fault when protected', async () => {
  const { id } = await create({}, { protected: true, password: 'secret-3' });
  const fault = await api.patch('/smartlink', { id, shortener: { password: null } });
  expect([fault.status, faultsOf(fault)]).toEqual([400, ['shortener.password']]);
  const cleared = await api.patch('/smartlink', { id, shortener: { protected: false, password: null } });
  expect(cleared.status).toBe(200);
  expect((await rowOf(id))['password_hash']).toBeNull();
});

test.each([
  ['12345', false],
  ['123456', true],
  ['x'.repeat(128), true],
  ['x'.repeat(129), false],
  ['', false],
  [123456, false],
])('%j is taken: %s', async (password, isTaken) => {
  const { id } = await create();
  const res = await api.patch('/smartlink', { id, shortener: { protected: true, password } });
  expect(res.status).toBe(isTaken ? 200 : 400);
});

test('a new password moves the password version that unlock cookies are bound to; other changes do not', async () => {
  const { id } = await create({}, { protected: true, password: 'secret-4' });
  const before = (await rowOf(id))['password_version'] as number;
  await api.patch('/smartlink', { id, configuration: { smartlinkName: 'x' } });
  expect((await rowOf(id))['password_version']).toBe(before);
  await api.patch('/smartlink', { id, shortener: { password: 'secret-5' } });
  expect((await rowOf(id))['password_version']).toBe(before + 1);
});
