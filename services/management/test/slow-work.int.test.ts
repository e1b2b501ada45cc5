import type { Pool } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { UrlSafety } from '../src/url-safety/url-safety.js';
import { bulkCaller } from './bulk-calls.js';
import { smartlink } from './smartlink-bodies.js';
import { caller, type Caller, urlSmartlink, useService } from './start-service.js';
import { openPool, storedRows, untilPublished } from './stored-state.js';

// Slow work, hashes and questions to a provider, is done while no transaction is open: a connection held
// in that time is one of ten, and a caller that holds them all shuts the others out.

let other: Caller;
/** Connections that are not the service's own. */
let outside: Pool;

let asked: string[][] = [];
/** What goes on while the provider is asked. */
let meanwhile: (urls: readonly string[]) => Promise<unknown> = () => Promise.resolve();
// The provider is a service of others, so the test answers for it.
const provider: UrlSafety = {
  async check(documentUrls) {
    const urls = documentUrls.map(({ url }) => url);
    if (urls.length > 0) {
      asked.push(urls);
      await meanwhile(urls);
    }
    return { unsafe: [], isChecked: true };
  },
};

const { service, api } = useService({ env: { POSTGRES_CONNECTIONS_MAX: '3' }, urlSafety: provider });
beforeAll(async () => {
  outside = openPool(service.databases.databaseUrl);
  other = caller(service.app, (await service.createUser()).apiKey);
});
beforeEach(() => {
  asked = [];
  meanwhile = () => Promise.resolve();
});
afterAll(async () => {
  await outside.end();
});

async function create(body: object = urlSmartlink()): Promise<string> {
  const res = await api.post('/smartlink', body);
  asked = [];
  return String(res.body.data.id);
}

/** Whether no transaction holds the row's lock. */
async function isFree(id: string): Promise<boolean> {
  const { rows } = await outside.query('select from smartlinks where id = $1 for no key update skip locked', [
    id,
  ]);
  return rows.length === 1;
}

const CALLS = 3;
const PATCHES = 30;

test.each([
  ['any version', () => '*'],
  // A client that guesses future versions.
  [
    'every version that may come',
    (version: number) => Array.from({ length: 100 }, (_, i) => `"${version + i}"`).join(),
  ],
])(
  'calls that patch one smartlink again and again, each of %s, hold no connection while they hash and ask',
  async (_of, ifMatchFrom) => {
    const ids: string[] = [];
    while (ids.length < CALLS) ids.push(await create());
    const { rows } = await outside.query<{ next: string }>('select max(version) as next from smartlinks');
    const ifMatch = ifMatchFrom(Number(rows[0]!.next) - CALLS);
    let underWay = 0;
    let release: () => void = () => undefined;
    const allAsked = new Promise<void>((resolve) => (release = resolve));
    const seen: unknown[] = [];
    meanwhile = async (urls) => {
      const id = ids[Number(new URL(urls[0]!).hostname.split('.')[0]!.slice(1))]!;
      underWay += 1;
      if (underWay === CALLS) release();
      await allAsked;
      seen.push([await isFree(id), (await other.get('/smartlink')).status]);
    };
    const answers = await Promise.all(
      ids.map((id, call) =>
        bulkCaller(api)(
          Array.from({ length: PATCHES }, (_, i) => ({
            patch: {
              id,
              shortener: { url: `https://c${call}.example.org/${i}`, password: `secret${i % 10}` },
            },
            ifMatch,
          })),
        ),
      ),
    );
    expect(seen).toEqual(Array.from({ length: CALLS }, () => [true, 200]));
    expect(asked.map(({ length }) => length)).toEqual(Array.from({ length: CALLS }, () => PATCHES));
    for (const { statuses } of answers) expect(new Set(statuses)).toEqual(new Set([200]));
  },
);

const link = (i: number) => `https://l${i}.example.org/`;
const landing = (i: number) => ({ landing: {}, landingButtons: [{ title: 'Go', link: link(i) }] });

/** Creates a smartlink whose Landing gets another URL each time the provider is asked. */
async function createChanging(): Promise<string> {
  const id = await create(smartlink('Landing', landing(0)));
  await api.patch('/smartlink', { id, ...urlSmartlink() });
  asked = [];
  let changes = 0;
  meanwhile = async () => {
    changes += 1;
    await outside.query(
      `update smartlinks
       set content = jsonb_set(content, '{Landing}', $2), version = nextval('smartlink_version')
       where id = $1`,
      [id, JSON.stringify(landing(changes))],
    );
  };
  return id;
}

/** The stored rows without the columns that `createChanging` changes. */
async function traces(): Promise<unknown> {
  await untilPublished(service.app);
  const rows = JSON.parse(await storedRows(service.app)) as Record<string, Record<string, unknown>[]>;
  const smartlinks = rows['smartlinks']!.map(({ content: _content, version: _version, ...rest }) => rest);
  return { ...rows, smartlinks };
}

const toLanding = (id: string) => ({ id, configuration: { smartlinkType: 'Landing' } });
const activate = (id: string) => ({ id, status: 'Active' });
const BUSY = {
  code: 'SERVICE_UNAVAILABLE',
  message: 'The smartlink keeps changing; try again',
};

test.each([
  ['a PATCH', (id: string) => api.patch('/smartlink', toLanding(id))],
  ['an activation', (id: string) => api.post('/smartlink/status', activate(id))],
  [
    'a bulk call',
    (id: string) =>
      api.post('/smartlink/bulk', { operations: [{ create: urlSmartlink() }, { patch: toLanding(id) }] }),
  ],
  [
    'a bulk call with a key',
    (id: string) =>
      api.post('/smartlink/bulk', { operations: [{ patch: toLanding(id) }] }, { 'idempotency-key': 'busy' }),
  ],
])('%s whose smartlink changes at each of five tries is 503, and nothing is written', async (_what, call) => {
  const id = await createChanging();
  const change = meanwhile;
  if (_what === 'an activation') await api.post('/smartlink/status', { id, status: 'Paused' });
  const before = await traces();
  const free: boolean[] = [];
  meanwhile = async (urls) => {
    free.push(await isFree(id));
    await change(urls);
  };
  const res = await call(id);
  expect([res.status, res.body.error, res.headers['retry-after']]).toEqual([503, BUSY, '1']);
  expect(free).toEqual([true, true, true, true, true]);
  expect(await traces()).toEqual(before);
});

test('needs that arise from a refused earlier patch of the call are met in one more try', async () => {
  const slug = 'held';
  await create(urlSmartlink({ smartlinkUrl: slug }));
  const id = await create();
  // The first one's address is taken, so the others are of the Url smartlink that it would have replaced.
  const first = {
    patch: { id, configuration: { smartlinkType: 'TxtBin', smartlinkUrl: slug }, txtBin: { text: 'x' } },
  };
  const others = Array.from({ length: 10 }, (_, i) => ({
    patch: { id, shortener: { url: link(i), protected: true, password: `secret${i}` } },
  }));
  const free: boolean[] = [];
  meanwhile = async () => free.push(await isFree(id));
  const { statuses } = await bulkCaller(api)([first, ...others]);
  expect(statuses).toEqual([409, ...others.map(() => 200)]);
  expect(free).toEqual([true]);
  expect(asked).toEqual([others.map((_, i) => link(i))]);
  const { rows } = await outside.query('select password_hash from smartlinks where id = $1', [id]);
  expect(rows).toEqual([{ password_hash: expect.stringMatching(/^\$argon2id\$/) }]);
});
