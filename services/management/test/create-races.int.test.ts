import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { caller, startServiceOn, startServiceWithUser, urlSmartlink } from './start-service.js';
import type { Caller, TestService } from './start-service.js';

let service: TestService;
let second: TestService['app'];
let api: Caller;

beforeAll(async () => {
  ({ service, api } = await startServiceWithUser());
  ({ app: second } = await startServiceOn(service.databases));
});
afterAll(async () => {
  await second.close();
  await service.close();
});

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

  test('asked for by 50 creates of 2 users on 2 processes goes to exactly one', async () => {
    const stranger = caller(second, (await service.createUser()).apiKey);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        (i % 2 === 0 ? api : stranger).post(
          '/smartlink',
          urlSmartlink({ smartlinkUrl: i % 3 === 0 ? 'RACE' : 'race' }),
        ),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(49);
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
  test.each([
    ['Starter', 3],
    ['Professional', 10],
  ])('of %s is %i, and of 50 creates at one below it exactly one succeeds', async (plan, limit) => {
    const { userId, apiKey } = await service.createUser('Enterprise');
    const one = caller(service.app, apiKey);
    const two = caller(second, apiKey);
    for (let i = 1; i < limit; i += 1)
      expect((await one.post('/smartlink', urlSmartlink())).status).toBe(201);
    // Not by the API, whose requests a minute would be in the way: a plan of the same size without them.
    await service.app.pg.query(
      `insert into plans select name || ' fast', smartlinks_max, 3000, analytics_days_max, advanced_allowed
       from plans where name = $1`,
      [plan],
    );
    await service.app.pg.query(`update users set plan = $2 where id = $1`, [userId, `${plan} fast`]);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => (i % 2 === 0 ? one : two).post('/smartlink', urlSmartlink())),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    const refused = answers.filter(({ status }) => status !== 201);
    expect(new Set(refused.map(({ status, body }) => JSON.stringify([status, body.error])))).toEqual(
      new Set([JSON.stringify([403, LIMIT])]),
    );
    expect((await one.get('/smartlink')).body.data).toHaveLength(limit);
  });

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
