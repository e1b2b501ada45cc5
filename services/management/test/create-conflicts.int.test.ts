import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { caller, startServiceWithUser, urlSmartlink } from './start-service.js';
import type { Caller, TestService } from './start-service.js';

let service: TestService;
let api: Caller;

beforeAll(async () => {
  ({ service, api } = await startServiceWithUser());
});
afterAll(() => service.close());

const TAKEN = {
  code: 'SMARTLINK_URL_TAKEN',
  message: 'Smartlink URL is already taken',
  details: [{ path: 'configuration.smartlinkUrl', message: 'This smartlink URL is already taken' }],
};
const LIMIT = { code: 'SUBSCRIPTION_LIMIT_REACHED', message: 'Subscription limit reached' };

describe('a slug', () => {
  test('that is taken, in any case and by anybody, is 409 and stores nothing', async () => {
    await api.post('/smartlink', urlSmartlink({ smartlinkUrl: 'Taken1' }));
    const stranger = caller(service.app, (await service.createUser()).apiKey);
    for (const who of [api, stranger]) {
      for (const smartlinkUrl of ['Taken1', 'taken1', 'TAKEN1']) {
        const res = await who.post('/smartlink', urlSmartlink({ smartlinkUrl }));
        expect(res.status).toBe(409);
        expect(res.body.error).toEqual(TAKEN);
      }
    }
    expect((await stranger.get('/smartlink')).body.data).toEqual([]);
  });

  test('of a deleted link is free to its owner and to nobody else, in any case', async () => {
    const first = await api.post('/smartlink', urlSmartlink({ smartlinkUrl: 'Again' }));
    await api.delete('/smartlink', { smartlinkId: first.body.data.id });
    const stranger = caller(service.app, (await service.createUser()).apiKey);
    expect((await stranger.post('/smartlink', urlSmartlink({ smartlinkUrl: 'again' }))).body.error).toEqual(
      TAKEN,
    );
    const next = await api.post('/smartlink', urlSmartlink({ smartlinkUrl: 'aGAIN' }));
    expect(next.status).toBe(201);
    expect(next.headers.location).toBe('https://sl.example.com/aGAIN');
    expect((await api.post('/smartlink', urlSmartlink({ smartlinkUrl: 'Again' }))).body.error).toEqual(TAKEN);
    // The newest version decides what visitors get.
    const { rows } = await service.app.pg.query(
      'select id::text, version from smartlinks where id = any($1)',
      [[first.body.data.id, next.body.data.id]],
    );
    const versions = new Map(
      (rows as { id: string; version: string }[]).map(({ id, version }) => [id, Number(version)]),
    );
    expect(versions.get(String(next.body.data.id))).toBeGreaterThan(
      versions.get(String(first.body.data.id)) ?? NaN,
    );
  });

  test('whose owner was erased goes to nobody', async () => {
    const user = await service.createUser();
    await caller(service.app, user.apiKey).post('/smartlink', urlSmartlink({ smartlinkUrl: 'orphan' }));
    await service.app.pg.query('delete from users where id = $1', [user.userId]);
    expect((await api.post('/smartlink', urlSmartlink({ smartlinkUrl: 'Orphan' }))).body.error).toEqual(
      TAKEN,
    );
  });
});

describe("the plan's limit", () => {
  test('counts what is Paused and not what is Deleted', async () => {
    const { apiKey } = await service.createUser('Starter');
    const starter = caller(service.app, apiKey);
    const ids: string[] = [];
    for (let i = 0; i < 3; i += 1) {
      ids.push(String((await starter.post('/smartlink', urlSmartlink())).body.data.id));
    }
    await service.app.pg.query(`update smartlinks set status = 'Paused' where id = $1`, [ids[0]]);
    expect((await starter.post('/smartlink', urlSmartlink())).status).toBe(403);
    await starter.delete('/smartlink', { smartlinkId: ids[1] });
    expect((await starter.post('/smartlink', urlSmartlink())).status).toBe(201);
    expect((await starter.post('/smartlink', urlSmartlink())).status).toBe(403);
  });

  test('comes after the schema and before the slug', async () => {
    const { apiKey } = await service.createUser('Starter');
    const starter = caller(service.app, apiKey);
    for (let i = 0; i < 3; i += 1) await starter.post('/smartlink', urlSmartlink());
    await api.post('/smartlink', urlSmartlink({ smartlinkUrl: 'ordered' }));
    expect((await starter.post('/smartlink', urlSmartlink({ smartlinkUrl: 'ordered' }))).body.error).toEqual(
      LIMIT,
    );
    expect((await starter.post('/smartlink', urlSmartlink({ smartlinkUrl: 'a-b' }))).status).toBe(400);
  });
});
