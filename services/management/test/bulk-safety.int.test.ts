import { AsyncLocalStorage } from 'node:async_hooks';
import { Client } from 'pg';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  bulkCaller,
  createMany,
  createOperation as create,
  renameOperation as rename,
} from './bulk-calls.js';
import { createScriptedProvider } from './recheck-fixtures.js';
import { smartlink } from './smartlink-bodies.js';
import { caller, useService } from './start-service.js';

const BAD = 'https://bad.example.org/';
const provider = createScriptedProvider();
const { unsafe, questions } = provider;

const { service, api } = useService({ urlSafety: provider });
beforeEach(() => {
  provider.reset();
});

describe('the safety provider', () => {
  const app = (fallBackLink: string) => smartlink('App', { openGraph: { imageUrl: BAD } }, { fallBackLink });

  test('is asked once for a call, about each URL once, and refuses the operations that bring an unsafe one', async () => {
    const [id] = await createMany(api, 1);
    provider.forget();
    unsafe.add(BAD);
    const good = 'https://good.example.org/';
    const { results } = await bulkCaller(api)([
      create({}, { url: good }),
      { create: app(good) },
      { create: smartlink('TxtBin', { txtBin: { text: BAD } }) },
      { patch: { id, shortener: { url: BAD } } },
      { patch: { id, shortener: { url: `${good}x` } } },
      { patch: { id, openGraph: { imageUrl: good } } },
    ]);
    expect(results.map(({ status }) => status)).toEqual([201, 422, 201, 422, 200, 200]);
    expect(results[1]!.error).toEqual({
      code: 'UNSAFE_URL',
      message: 'URL is not safe',
      details: [{ path: 'openGraph.imageUrl', message: 'URL was judged unsafe' }],
    });
    expect(questions).toEqual([[good, BAD, `${good}x`]]);
  });

  test('refuses to activate what has become unsafe, and asks about each URL of the others once', async () => {
    const [good, bad] = await createMany(api, 2);
    await bulkCaller(api)([good, bad].map((id) => ({ status: { id, status: 'Paused' } })));
    await bulkCaller(api)([{ patch: { id: bad, shortener: { url: BAD } } }]);
    provider.forget();
    unsafe.add(BAD);
    const activate = (id: string | undefined) => ({ status: { id, status: 'Active' } });
    const { results } = await bulkCaller(api)([
      activate(good),
      activate(bad),
      { patch: { id: bad, shortener: { url: 'https://mended.example.org/' } } },
      activate(bad),
    ]);
    expect(results.map(({ status, message }) => [status, message])).toEqual([
      [200, 'Smartlink activated'],
      [422, undefined],
      [200, 'Smartlink updated'],
      [200, 'Smartlink activated'],
    ]);
  });

  test('unavailable and fail-closed, refuses operations that bring URLs and no others', async () => {
    const [id] = await createMany(api, 1);
    provider.state = 'down and fail-closed';
    const text = { create: smartlink('TxtBin', { txtBin: { text: 'x' } }) };
    const res = await bulkCaller(api)([
      create(),
      text,
      rename(id!, 'Other'),
      { patch: { id, shortener: { url: BAD } } },
    ]);
    expect(res.statuses).toEqual([503, 201, 200, 503]);
    expect(res.results[0]!.error!.code).toBe('SERVICE_UNAVAILABLE');
  });

  test('unavailable, leaves new URLs marked as unchecked', async () => {
    provider.state = 'down';
    const [id] = await createMany(api, 1);
    const isChecked = async () => {
      const { rows } = await service.app.pg.query('select urls_checked_at from smartlinks where id = $1', [
        id,
      ]);
      return (rows[0] as { urls_checked_at: Date | null }).urls_checked_at !== null;
    };
    expect(await isChecked()).toBe(false);
  });

  test('may be slow: a smartlink changed in the meantime is patched in its new state', async () => {
    const [id] = await createMany(api, 1);
    provider.meanwhile = () => api.patch('/smartlink', { id, configuration: { smartlinkName: 'Meanwhile' } });
    const { results } = await bulkCaller(api)([
      { patch: { id, shortener: { url: 'https://new.example.org/' } } },
      { patch: { id, openGraph: { title: 'Both' } } },
    ]);
    expect(results.map(({ status }) => status)).toEqual([200, 200]);
    expect((await api.get(`/smartlink?id=${id}`)).body.data).toMatchObject({
      configuration: { smartlinkName: 'Meanwhile' },
      shortener: { url: 'https://new.example.org/' },
      openGraph: { title: 'Both' },
    });
  });
});

test('more passwords than the queue holds are all hashed', async () => {
  const operations = Array.from({ length: 60 }, (_, i) =>
    create({}, { protected: true, password: `secret ${i}` }),
  );
  const { statuses } = await bulkCaller(api)(operations);
  expect(new Set(statuses)).toEqual(new Set([201]));
});

test('calls that change the same smartlinks in other orders wait for each other, and all are done', async () => {
  const ids = await createMany(api, 20);
  const operations = ids.map((id, i) => rename(id, `Name ${i}`));
  const all = await Promise.all(
    [operations, operations.toReversed(), operations, operations.toReversed()].map((each) =>
      bulkCaller(api)(each),
    ),
  );
  expect(new Set(all.flatMap(({ statuses }) => statuses))).toEqual(new Set([200]));
});

test('patches that would leave more than 8 MiB are refused as a whole', async () => {
  const text = 'x'.repeat(100_000);
  const { data } = (await api.post('/smartlink', smartlink('TxtBin', { txtBin: { text } }))).body;
  const patches = (count: number) =>
    Array.from({ length: count }, (_, i) => rename(data.id as string, `Name ${i}`));
  const refused = await bulkCaller(api)(patches(100));
  expect([refused.status, refused.body.error]).toEqual([
    413,
    { code: 'PAYLOAD_TOO_LARGE', message: 'The patched smartlinks are too large for one call' },
  ]);
  // One patch that fills a small smartlink is carried by all that come after it.
  const [id] = await createMany(api, 1);
  const fill = { patch: { id, configuration: { smartlinkType: 'TxtBin' }, txtBin: { text } } };
  const filled = await bulkCaller(api)([fill, ...Array.from({ length: 99 }, () => rename(id!, 'x'))]);
  expect(filled.status).toBe(413);
  expect(new Set((await bulkCaller(api)(patches(20))).statuses)).toEqual(new Set([200]));
});

// Most statements of a hundred operations of a kind, the transaction's two and the publishing's one among them. An address
// that is assigned and already taken costs one more.
const STATEMENTS_MAX: Readonly<Record<string, number>> = {
  creates: 12,
  patches: 9,
  'patches of addresses': 12,
  pauses: 9,
  activations: 9,
  deletions: 8,
};

test('a hundred operations of one kind cost a handful of statements', async () => {
  // Of an account without costly requests: those of another are not served in this thread.
  const own = caller(service.app, (await service.createUser()).apiKey);
  const counts: Record<string, number> = {};
  // What goes on beside the call, for the outbox and webhooks, is not in its context.
  const context = new AsyncLocalStorage<string[]>();
  const query = Reflect.get(Client.prototype, 'query') as (...args: unknown[]) => unknown;
  const spy = vi.spyOn(Client.prototype, 'query').mockImplementation(function (
    this: Client,
    ...args: unknown[]
  ) {
    context.getStore()?.push(String(args[0]));
    return query.apply(this, args);
  });
  const countDuring = async (name: string, operations: readonly unknown[]) => {
    const texts: string[] = [];
    const { results, statuses } = await context.run(texts, () => bulkCaller(own)(operations));
    expect(statuses.every((status) => status < 300)).toBe(true);
    // The key is looked up, and once a minute its use is noted.
    counts[name] = texts.filter((text) => !text.includes('api_keys')).length;
    return results.map(({ data }) => data?.id ?? '');
  };
  onTestFinished(() => {
    spy.mockRestore();
  });
  const creates = Array.from({ length: 100 }, (_, i) => create(i % 2 ? { smartlinkUrl: `count${i}` } : {}));
  const ids = await countDuring('creates', creates);
  const renames = ids.map((id, i) => rename(id, `Name ${i}`));
  await countDuring('patches', renames);
  const move = (id: string, i: number) => ({ patch: { id, configuration: { smartlinkUrl: `moved${i}` } } });
  await countDuring('patches of addresses', ids.map(move));
  await countDuring(
    'pauses',
    ids.map((id) => ({ status: { id, status: 'Paused' } })),
  );
  await countDuring(
    'activations',
    ids.map((id) => ({ status: { id, status: 'Active' } })),
  );
  const deletions = ids.map((smartlinkId) => ({ delete: { smartlinkId } }));
  await countDuring('deletions', deletions);
  for (const [name, count] of Object.entries(counts)) {
    expect([name, count > 4, count <= STATEMENTS_MAX[name]!]).toEqual([name, true, true]);
  }
  expect(Object.keys(counts)).toEqual(Object.keys(STATEMENTS_MAX));
});
