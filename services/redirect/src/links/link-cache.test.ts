import { expect, test } from 'vitest';
import type { LinkSnapshot } from '@smartlink/smartlink/document';
import { inDomain } from '@smartlink/smartlink/model';
import { createClockMap } from '../bounded-maps.js';
import {
  ENTRY_LIFE_MS,
  REFRESH_AGE_MS,
  RETRY_AFTER_FAILURE_MS,
  STALE_MAX_MS,
  createLinkCache,
  findByAddress,
} from './link-cache.js';
import { prepareLink, type ServedLink } from './served-link.js';

type Question = {
  slugKey: string;
  minVersion: number;
  answer: (version: number | null, lagMs?: number) => void;
  fail: () => void;
};

const snapshot = (version: number): LinkSnapshot => ({
  version,
  smartlinkId: 'id',
  ownerId: 'owner',
  slug: 'Docs',
  status: 'Active',
  type: 'Url',
  url: `https://example.org/${version}`,
});

/** A cache whose every question the test answers itself, at a time the test sets. */
function createTrial(entriesMax = 100) {
  const questions: Question[] = [];
  const clock = { time: 0 };
  const cache = createLinkCache({
    now: () => clock.time,
    entriesMax,
    bytesMax: 1e9,
    prepare: (found) => prepareLink(found, { status: 302, forwardsQuery: true }, ''),
    resolve: (slugKey, minVersion) =>
      new Promise((resolve, reject) => {
        questions.push({
          slugKey,
          minVersion,
          answer: (version, lagMs = 0) => {
            resolve({ snapshot: version === null ? null : snapshot(version), source: 'postgres', lagMs });
          },
          fail: () => {
            reject(new Error('nobody answers'));
          },
        });
      }),
  });
  const next = (): Question => {
    const question = questions.shift();
    if (!question) throw new Error('Nothing was asked');
    return question;
  };
  return { cache, questions, next, clock, find: async (key = 'docs') => versionOf(await cache.find(key)) };
}

const versionOf = (link: ServedLink | null) => link?.version ?? null;
const settle = () => new Promise((resolve) => setImmediate(resolve));

async function fill(trial: ReturnType<typeof createTrial>, version: number | null, key = 'docs') {
  const found = trial.find(key);
  trial.next().answer(version);
  return found;
}

test('the bounds in the docs: fresh for 30 s from its fill, served without Redis and Postgres for an hour', async () => {
  const trial = createTrial();
  await fill(trial, 1);
  for (let time = 0; time < REFRESH_AGE_MS; time += 100) {
    trial.clock.time = time;
    expect(trial.cache.find('docs')).not.toBeInstanceOf(Promise);
  }
  expect(trial.questions).toHaveLength(0);
  // The clock ticks every 50 ms, for the reader and for the writer of an entry.
  trial.clock.time = 29_899;
  expect(trial.cache.find('docs')).not.toBeInstanceOf(Promise);
  trial.questions.splice(0);
  trial.clock.time = 29_900;
  expect(trial.cache.find('docs')).toBeInstanceOf(Promise);

  const outage = createTrial();
  await fill(outage, 1);
  outage.clock.time = 3_600_000;
  const old = outage.find();
  outage.next().fail();
  expect(await old).toBe(1);
  outage.clock.time = 3_600_001;
  const tooOld = outage.find();
  outage.next().fail();
  await expect(tooOld).rejects.toThrow();
});

test('a busy link is looked up again behind a visit before its time is over', async () => {
  const trial = createTrial();
  await fill(trial, 1);
  trial.clock.time = REFRESH_AGE_MS + 1;
  expect(await trial.find()).toBe(1);
  expect(await trial.find()).toBe(1);
  expect(trial.questions).toHaveLength(1);
  trial.next().answer(2);
  await settle();
  trial.clock.time = ENTRY_LIFE_MS + 1;
  expect(await trial.find()).toBe(2);
});

test('a fill that finds nothing new keeps what was made ready, for as long again', async () => {
  const trial = createTrial();
  await fill(trial, 1);
  const first = trial.cache.find('docs');
  trial.clock.time = ENTRY_LIFE_MS;
  await fill(trial, 1);
  expect(trial.cache.find('docs')).toBe(first);
  trial.clock.time = ENTRY_LIFE_MS + REFRESH_AGE_MS;
  expect(trial.cache.find('docs')).toBe(first);
  trial.clock.time = 3 * ENTRY_LIFE_MS;
  await fill(trial, 2);
  expect(trial.cache.find('docs')).toMatchObject({ version: 2 });
});

test('10,000 visits to a cold slug ask once', async () => {
  const trial = createTrial();
  const visits = Array.from({ length: 10_000 }, () => trial.find());
  expect(trial.questions).toHaveLength(1);
  trial.next().answer(1);
  expect(new Set(await Promise.all(visits))).toEqual(new Set([1]));
});

test('absence is kept too, and gone with the first word of a change', async () => {
  const trial = createTrial();
  expect(await fill(trial, null)).toBeNull();
  expect(trial.cache.find('docs')).toBeNull();
  trial.cache.onChange('docs', 5);
  expect(await fill(trial, 5)).toBe(5);
});

test('a change drops an older entry and leaves a newer one', async () => {
  const trial = createTrial();
  await fill(trial, 5);
  trial.cache.onChange('docs', 5);
  trial.cache.onChange('docs', 4);
  expect(trial.cache.find('docs')).not.toBeInstanceOf(Promise);
  trial.cache.onChange('docs', 6);
  expect(await fill(trial, 6)).toBe(6);
});

test.each([6, null])(
  'a fill of %j that a change overtakes is done again for at least that version',
  async (older) => {
    const trial = createTrial();
    const found = trial.find();
    const first = trial.next();
    trial.cache.onChange('docs', 7);
    first.answer(older);
    await settle();
    const second = trial.next();
    expect(second.minVersion).toBe(7);
    second.answer(7);
    expect(await found).toBe(7);
    expect(trial.cache.counters.overtakenFills).toBe(1);
  },
);

test('after three overtaken fills the visitor gets what there is, and it is not kept', async () => {
  const trial = createTrial();
  const found = trial.find();
  for (let i = 0; i < 3; i += 1) {
    const question = trial.next();
    trial.cache.onChange('docs', 9);
    question.answer(6);
    await settle();
  }
  expect(await found).toBe(6);
  expect(trial.cache.find('docs')).toBeInstanceOf(Promise);
});

test('a gap makes every entry be looked up once more, fills under way included', async () => {
  const trial = createTrial();
  await fill(trial, 1);
  const cold = trial.find('cold');
  trial.cache.onGap();
  trial.next().answer(3);
  expect(await cold).toBe(3);
  expect(await fill(trial, 2)).toBe(2);
  expect(await fill(trial, 4, 'cold')).toBe(4);
  expect(trial.cache.find('docs')).not.toBeInstanceOf(Promise);
  expect(trial.cache.find('cold')).not.toBeInstanceOf(Promise);
});

test('asks for no older version than it holds, and keeps what it holds when an older one comes', async () => {
  const trial = createTrial();
  await fill(trial, 5);
  trial.clock.time = ENTRY_LIFE_MS;
  const found = trial.find();
  const question = trial.next();
  expect(question.minVersion).toBe(5);
  question.answer(4);
  expect(await found).toBe(5);
  trial.clock.time += RETRY_AFTER_FAILURE_MS;
  expect(await fill(trial, null)).toBe(5);
  // What Postgres says for an hour is believed in the end: it was restored from a backup.
  trial.clock.time = STALE_MAX_MS + 1;
  expect(await fill(trial, 4)).toBe(4);
});

test('a link that failed once and is visited 50 minutes later is looked up first', async () => {
  const trial = createTrial();
  await fill(trial, 1);
  trial.clock.time = ENTRY_LIFE_MS;
  const failed = trial.find();
  trial.next().fail();
  expect(await failed).toBe(1);
  trial.clock.time += 3_000_000;
  expect(await fill(trial, 2)).toBe(2);
});

test('while no look-up succeeds, an old link is looked up once a second at most', async () => {
  const trial = createTrial();
  await fill(trial, 1);
  trial.clock.time = ENTRY_LIFE_MS;
  const first = trial.find();
  trial.next().fail();
  expect(await first).toBe(1);
  for (let i = 0; i < 100; i += 1) expect(trial.cache.find('docs')).not.toBeInstanceOf(Promise);
  expect(trial.questions).toHaveLength(0);
  trial.clock.time += RETRY_AFTER_FAILURE_MS;
  expect(await fill(trial, 2)).toBe(2);
});

test('a failure is not remembered as absence, and known absence past its time is no answer either', async () => {
  const trial = createTrial();
  const unknown = trial.find();
  trial.next().fail();
  await expect(unknown).rejects.toThrow();
  expect(await fill(trial, null)).toBeNull();
  trial.clock.time = ENTRY_LIFE_MS;
  const later = trial.find();
  trial.next().fail();
  await expect(later).rejects.toThrow();
  expect(await fill(trial, 1)).toBe(1);
});

test('a link that a change has dropped is not served stale', async () => {
  const trial = createTrial();
  await fill(trial, 1);
  trial.cache.onChange('docs', 2);
  const found = trial.find();
  trial.next().fail();
  await expect(found).rejects.toThrow();
});

test('50,000 unknown slugs evict no link', async () => {
  const trial = createTrial(100);
  for (let i = 0; i < 100; i += 1) await fill(trial, i + 1, `link${i}`);
  for (let i = 0; i < 50_000; i += 1) {
    const found = trial.find(`unknown${i}`);
    trial.next().answer(null);
    await found;
  }
  for (let i = 0; i < 100; i += 1) expect(trial.cache.find(`link${i}`)).not.toBeInstanceOf(Promise);
  expect(trial.cache.gauges()).toMatchObject({ entries: 100, absentEntries: 20_000, evictions: 0 });
});

test('an answer of a replica is looked up again earlier by the replica’s lag', async () => {
  const trial = createTrial();
  void trial.find();
  trial.next().answer(1, 20_000);
  await settle();
  trial.clock.time = ENTRY_LIFE_MS - 20_000;
  void trial.find();
  expect(trial.questions).toHaveLength(1);
});

test('10,000 forced races of fill and publish in every order: none ends stale', async () => {
  let stale = 0;
  const trial = createTrial();
  for (let round = 0; round < 10_000; round += 1) {
    const key = `race${round}`;
    const [older, newer] = [2 * round + 1, 2 * round + 2];
    const found = trial.find(key);
    const question = trial.next();
    // The fill has read the older version; the change is published before, while or after it lands.
    const order = round % 3;
    if (order === 0) trial.cache.onChange(key, newer);
    question.answer(older);
    if (order === 1) trial.cache.onChange(key, newer);
    if (order !== 2) {
      await settle();
      trial.next().answer(newer);
    }
    await found;
    if (order === 2) trial.cache.onChange(key, newer);
    const after = trial.cache.find(key);
    if (after instanceof Promise) trial.next().answer(newer);
    await after;
    if (versionOf(await trial.cache.find(key)) !== newer) stale += 1;
  }
  expect(stale).toBe(0);
});

const entry = (bytes = 1) => ({ bytes, wasUsed: false });

test('evicts what was not used, in order of age, and gives what was used a second round', () => {
  const map = createClockMap({ entriesMax: 3, bytesMax: 100 });
  for (const key of ['a', 'b', 'c']) map.set(key, entry());
  const a = map.get('a');
  if (a) a.wasUsed = true;
  map.set('d', entry());
  expect(['a', 'b', 'c', 'd'].filter((key) => map.get(key))).toEqual(['a', 'c', 'd']);
  map.set('e', entry());
  map.set('f', entry());
  expect(['a', 'd', 'e', 'f'].filter((key) => map.get(key))).toEqual(['a', 'e', 'f']);
  expect(map.evictions()).toBe(3);
});

test('keeps to its bytes and counts replaced and deleted entries out', () => {
  const map = createClockMap({ entriesMax: 100, bytesMax: 10 });
  map.set('a', entry(4));
  map.set('a', entry(6));
  map.set('b', entry(4));
  expect([map.size(), map.bytes()]).toEqual([2, 10]);
  map.set('c', entry(5));
  expect([map.size(), map.bytes()]).toEqual([2, 9]);
  map.delete('c');
  map.delete('c');
  expect([map.size(), map.bytes()]).toEqual([1, 4]);
});

test('eviction ends even when all entries were used', () => {
  const map = createClockMap({ entriesMax: 2, bytesMax: 100 });
  for (let i = 0; i < 1_000; i += 1) map.set(String(i), { bytes: 1, wasUsed: true });
  expect(map.size()).toBe(2);
});

/** Links by key: `/Docs` and, of the same letters, the imported `/DOCS`. */
function linksBeside({ domain = null }: { domain?: number | null } = {}) {
  const keyOf = (key: string) => inDomain(key, domain);
  const linkOf = (more: object) =>
    prepareLink({ ...snapshot(1), ...more }, { status: 302, forwardsQuery: true }, '');
  const keys: string[] = [];
  const beside = linkOf({ smartlinkId: 'imported', slug: 'k7m2pq' });
  const found = new Map([
    [keyOf('docs'), linkOf({ exact: { DOCS: keyOf('=DOCS') } })],
    [keyOf('=DOCS'), beside],
    [keyOf('=DO-CS'), beside],
  ]);
  const find = (key: string) => {
    keys.push(key);
    return found.get(key) ?? null;
  };
  return { keys, find, findLater: (key: string) => Promise.resolve(find(key)) };
}

test('an imported address is found exactly as written, and beside a slug of the same letters not below /q/', async () => {
  const { find, findLater } = linksBeside();
  const cases: [string, boolean, string | null][] = [
    ['DOCS', false, 'imported'],
    ['DOCS', true, 'id'],
    ['Docs', false, 'id'],
    ['docs', false, 'id'],
    ['dOCS', true, 'id'],
    ['DO-CS', false, 'imported'],
    ['DO-CS', true, 'imported'],
    ['do-cs', false, null],
    ['constructor', false, null],
  ];
  for (const [address, isScan, expected] of cases) {
    const now = findByAddress({ find }, address, isScan, null);
    expect(now).not.toBeInstanceOf(Promise);
    const later = await findByAddress({ find: findLater }, address, isScan, null);
    for (const link of [now as ServedLink | null, later]) expect(link?.smartlinkId ?? null).toBe(expected);
  }
});

test('an address costs one look-up, two where an imported address differs from a slug only in case', async () => {
  const { find, keys } = linksBeside();
  for (const address of ['docs', 'DOCS', 'DO-CS', 'other'])
    await findByAddress({ find }, address, false, null);
  expect(keys).toEqual(['docs', 'docs', '=DOCS', '=DO-CS', 'other']);
});

test('in a domain every look-up is by a key of that domain', async () => {
  const { find, keys } = linksBeside({ domain: 5 });
  for (const address of ['docs', 'DOCS', 'DO-CS', 'other']) await findByAddress({ find }, address, false, 5);
  expect(keys).toEqual(['5.docs', '5.docs', '5.=DOCS', '5.=DO-CS', '5.other']);
});
