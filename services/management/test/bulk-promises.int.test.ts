import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  bulkCaller,
  createMany,
  createOperation as create,
  renameOperation as rename,
  withoutNew,
} from './bulk-calls.js';
import { createScriptedProvider } from './recheck-fixtures.js';
import { caller, urlSmartlink, useService } from './start-service.js';
import { everythingStored, storedRows, untilPublished } from './stored-state.js';

const BAD = 'https://bad.example.org/';
const provider = createScriptedProvider();
provider.unsafe.add(BAD);

// Everything that is stored is compared.
const { service, api } = useService({ urlSafety: provider, clickhouse: 'own' });

const newCaller = async (plan?: string) => caller(service.app, (await service.createUser(plan)).apiKey);
const creates = (count: number) => Array.from({ length: count }, () => create());
const remove = (smartlinkId: string) => ({ delete: { smartlinkId } });

test('Starter making bulk calls is 403 PLAN_RESTRICTED, unless the call is wrong anyway', async () => {
  const starter = await newCaller('Starter');
  for (const dryRun of [false, true]) {
    const res = await bulkCaller(starter)(creates(1), { dryRun });
    expect([res.status, res.body.error]).toEqual([
      403,
      { code: 'PLAN_RESTRICTED', message: 'Your plan does not include this' },
    ]);
  }
  expect((await bulkCaller(starter)([])).status).toBe(400);
  expect((await starter.get('/smartlink')).body.data).toEqual([]);
});

test('a bulk call is one request to the rate limit', async () => {
  // Not by what remains: a minute may end in between, and Redis may take longer than the limiter waits.
  const checks = async () => {
    const body = await service.app.metrics.registry.metrics();
    const counts = body.matchAll(/^smartlink_rate_limit_checks_total\{.*\} (\d+)$/gm);
    return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
  };
  const before = await checks();
  expect((await bulkCaller(api)(creates(10))).statuses).toHaveLength(10);
  expect((await checks()) - before).toBe(1);
});

describe('the limit of the plan', () => {
  test('holds exactly when two calls at once are at one below it', async () => {
    const own = await newCaller('Professional');
    await createMany(own, 9);
    const both = await Promise.all([bulkCaller(own)(creates(5)), bulkCaller(own)(creates(5))]);
    const statuses = both.flatMap((res) => res.statuses).sort();
    expect(statuses).toEqual([201, ...Array.from({ length: 9 }, () => 403)]);
    expect(await createMany(await newCaller('Professional'), 10)).toHaveLength(10);
    expect((await bulkCaller(own)([create(), rename('x', 'y')])).results[0]!.error!.code).toBe(
      'SUBSCRIPTION_LIMIT_REACHED',
    );
  });

  test('has room again for what the call itself deletes, and what is refused takes none', async () => {
    const own = await newCaller('Professional');
    const ids = await createMany(own, 10);
    const { results } = await bulkCaller(own)([
      create(),
      remove(ids[0]!),
      remove(ids[1]!),
      create({}, { url: BAD }),
      create({ smartlinkUrl: 'room' }),
      create({ smartlinkUrl: 'ROOM' }),
      create(),
      create({}, { url: BAD }),
      create({ smartlinkUrl: 'room' }),
    ]);
    expect(results.map(({ status }) => status)).toEqual([403, 200, 200, 422, 201, 409, 201, 403, 403]);
    expect((await own.get('/smartlink')).body.data).toHaveLength(10);
  });
});

describe('a dry run', () => {
  test('answers as the call would and leaves no trace', async () => {
    const user = await service.createUser();
    const own = caller(service.app, user.apiKey);
    await service.app.pg.query(
      `insert into webhooks (id, user_id, url, event_types, secret)
       values ($1, $2, 'https://127.0.0.1/', '{smartlink.created,smartlink.updated,smartlink.deleted}', 'x')`,
      [randomUUID(), user.userId],
    );
    const ids = await createMany(own, 3);
    await untilPublished(service.app);
    // Deliveries continue: only the existence of these and their webhooks is compared.
    const trace = async () =>
      (await everythingStored(service))
        .split('\n')
        .filter((line) => !/^api_keys: |^[^ ]*usage:|sha256/.test(line))
        .map((line) => (line.startsWith('webhook') ? line.slice(0, 60) : line))
        .sort();
    const before = await trace();
    const operations = [
      create({ smartlinkUrl: 'dry' }, { protected: true, password: 'open sesame' }),
      rename(ids[0]!, 'Other'),
      { patch: { id: ids[0]!, configuration: { smartlinkUrl: 'dryToo' } } },
      remove(ids[1]!),
      rename(ids[1]!, 'Gone'),
      create({ smartlinkUrl: 'DRY' }),
    ];
    const key = { 'idempotency-key': 'dry' };
    const dry = await bulkCaller(own)(operations, { dryRun: true }, key);
    expect(await trace()).toEqual(before);
    expect(dry.body.message).toBe('Dry run done: 4 would succeed, 2 would fail');
    const real = await bulkCaller(own)(operations, {}, key);
    expect(withoutNew(dry.results)).toEqual(withoutNew(real.results));
    expect(real.statuses).toEqual([201, 200, 200, 200, 404, 409]);
    // And what the real one notes: each change once, in order.
    const { rows: noted } = await service.app.pg.query(
      `select action, smartlink_id from audit_entries where user_id = $1 order by id offset 3`,
      [user.userId],
    );
    const { rows: told } = await service.app.pg.query(
      `select event_type from webhook_deliveries join webhooks on webhooks.id = webhook_id
       where user_id = $1 and data ->> 'smartlinkId' = any($2) order by 1`,
      [user.userId, [real.results[0]!.data!.id, ids[0], ids[1]]],
    );
    const actions = (noted as { action: string }[]).map(({ action }) => action.replace('smartlink.', ''));
    expect(actions).toEqual(['create', 'update', 'update', 'delete']);
    const types = (told as { event_type: string }[]).map(({ event_type }) =>
      event_type.replace('smartlink.', ''),
    );
    expect(types.filter((type) => type !== 'created')).toEqual(['deleted', 'updated', 'updated']);
    // Otherwise their delivery would change rows while other tests compare what is stored.
    await service.app.pg.query('delete from webhooks where user_id = $1', [user.userId]);
  });
});

describe('a database failure in the middle of a call', () => {
  test.each([
    ['an error', `raise exception 'refused by a test'`, 500],
    ['a lost connection', 'perform pg_terminate_backend(pg_backend_pid())', 503],
  ])('leaves nothing of it: %s', async (_how, statement, status) => {
    const ids = await createMany(api, 3);
    await untilPublished(service.app);
    const before = await storedRows(service.app);
    await service.app.pg.query(
      `create or replace function fail() returns trigger language plpgsql as $$ begin ${statement}; return new; end $$`,
    );
    // The last that is written.
    await service.app.pg.query('create trigger fail before insert on publish_outbox execute function fail()');
    const call = () => bulkCaller(api)([create(), rename(ids[0]!, 'Other'), remove(ids[1]!)], {}, key);
    const key = { 'idempotency-key': randomUUID() };
    try {
      const res = await call();
      expect(res.status).toBe(status);
      expect(res.text).not.toContain('refused');
    } finally {
      await service.app.pg.query('drop trigger fail on publish_outbox');
    }
    expect(await storedRows(service.app)).toBe(before);
    expect((await call()).statuses).toEqual([201, 200, 200]);
  });
});

describe('with an Idempotency-Key', () => {
  const call = (operations: readonly unknown[], key: string, own = api) =>
    bulkCaller(own)(operations, {}, { 'idempotency-key': key });

  test('the first answer is given again, refusals in it included; another call is 409', async () => {
    const operations = [create({ smartlinkUrl: 'once' }), create({ smartlinkUrl: 'ONCE' }), rename('x', 'y')];
    const first = await call(operations, 'same');
    expect(first.statuses).toEqual([201, 409, 404]);
    expect((await call(operations, 'same')).text).toBe(first.text);
    for (const other of [operations.slice(1), [...operations, create()]]) {
      expect((await call(other, 'same')).body.error.code).toBe('IDEMPOTENCY_KEY_REUSED');
    }
    expect((await api.post('/smartlink', urlSmartlink(), { 'idempotency-key': 'same' })).status).toBe(409);
  });

  test('a password is part of the stored request, and cannot be read from it', async () => {
    const operations = (password: string) => [create({}, { protected: true, password })];
    const first = await call(operations('correct horse'), 'secret');
    expect((await call(operations('correct horse'), 'secret')).text).toBe(first.text);
    expect((await call(operations('battery staple'), 'secret')).status).toBe(409);
    const { rows } = await service.app.pg.query(
      `select fingerprint from idempotency_keys where key = 'secret'`,
    );
    expect(rows[0].fingerprint).toMatch(/^\$argon2id\$/);
  });

  test('many concurrent calls with one key execute once', async () => {
    const own = await newCaller();
    const all = await Promise.all(Array.from({ length: 5 }, () => call(creates(3), 'at-once', own)));
    expect(new Set(all.map(({ text }) => text)).size).toBe(1);
    expect((await own.get('/smartlink')).body.data).toHaveLength(3);
  });
});
