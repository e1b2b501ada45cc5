// `npm run bench -- analytics`: figures out of many events: answers of the API, the rollup, and bytes on the disk.
import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { goal, number, spread, type Table, times } from '@smartlink/bench/figures';
import { type BenchRun, type Report, runBench, timed, withProgress } from '@smartlink/bench/program';
import { type StackRun, withStack } from '@smartlink/bench/stack';
import { StackError } from '@smartlink/embedded/stack-error';
import { rollUp } from '@smartlink/visits/rollup';
import { type ApiLoad, apiRequest, type ApiRequest, loadApi, type Service, withService } from './api-load.js';
import { addLinks, addUser, type BenchLink, type BenchUser } from './bench-data.js';
import { fillEvents } from './fill-events.js';

type Sizes = { readonly events: number };
type Run = StackRun<Sizes> & { readonly users: readonly BenchUser[]; readonly links: readonly BenchLink[] };

type ApiCase = {
  readonly title: string;
  readonly request: ApiRequest;
  /** Limit of p95. */
  readonly goalMs: number | null;
};

type CaseFigures = Omit<ApiCase, 'request'> & {
  /** Of the body, uncompressed. */
  readonly answerBytes: number;
  /** Null when an answer was refused, as those that take over 5 s are. */
  readonly load: ApiLoad | null;
};

/** Figures with one number of events in ClickHouse. */
type StoredFigures = {
  readonly events: number;
  readonly rollup: Awaited<ReturnType<typeof measureRollup>>;
  readonly tables: readonly TableSize[];
  readonly cases: readonly CaseFigures[];
};

const EVENTS_MIN = 100_000;
const EVENTS_MAX = 200_000_000;
const DISK_BYTES_PER_EVENT = 100;
const DISK_BYTES_BESIDES = 2 * 2 ** 30;
const OWNERS = 20;
const LINKS = 20_000;
const DAY_MS = 86_400_000;
const MIB = 2 ** 20;

async function measureAnalytics(run: BenchRun<Sizes>): Promise<Report> {
  const { events } = run.sizes;
  requireDisk(events);
  const stored = await withStack(
    run,
    async (onStack) => {
      const users: BenchUser[] = [];
      for (let place = 0; place < OWNERS; place += 1) users.push(await addUser(onStack.stack));
      const links = await addLinks(onStack.stack, users, { count: LINKS, prefix: 'bench' });
      const found: StoredFigures[] = [];
      for (const count of [Math.round(events / 50), events])
        found.push(await measureWith({ ...onStack, users, links }, count));
      return found;
    },
    { isPinned: false },
  );
  const notes = (stored.at(-1)?.cases ?? []).flatMap(({ title, goalMs, load }) => {
    if (goalMs === null) return [];
    const p95 = load === null ? 'unknown' : number(load.p95Ms);
    return [goal((load?.p95Ms ?? Infinity) <= goalMs, `${title}: p95 ${p95} ms (at most ${goalMs})`)];
  });
  return { tables: storedTables(stored), notes, figures: stored };
}

function requireDisk(events: number): void {
  const folder = tmpdir();
  const { bavail, bsize } = statfsSync(folder);
  const needed = events * DISK_BYTES_PER_EVENT + DISK_BYTES_BESIDES;
  if (bavail * bsize >= needed) return;
  const gib = (bytes: number) => (bytes / 2 ** 30).toFixed(1);
  throw new StackError(
    `${folder} has ${gib(bavail * bsize)} GiB free, ${events} events need ${gib(needed)} GiB: free some, set TMPDIR, or lower --events.`,
  );
}

function storedTables(stored: readonly StoredFigures[]): readonly Table[] {
  const [smallest, largest] = stored;
  const count = (events = 0) => events.toLocaleString('en');
  const smallP50 = (title: string) =>
    smallest?.cases.find((each) => each.title === title)?.load?.p50Ms ?? Number.NaN;
  return [
    {
      title: `Answers with ${count(largest?.events)} events, one connection`,
      head: ['request', 'kB', 'p50 ms', 'p95 ms', 'p99 ms', `× at ${count(smallest?.events)}`],
      rows: (largest?.cases ?? []).map(({ title, answerBytes, load }) => [
        ...[title, number(answerBytes / 1_000)],
        ...(load === null
          ? ['–', '–', '–', '–']
          : [...[load.p50Ms, load.p95Ms, load.p99Ms].map(number), times(load.p50Ms / smallP50(title))]),
      ]),
    },
    {
      title: 'Rollup of all days',
      head: ['events', 's', 'events/s', 'ms with nothing to do'],
      rows: stored.map(({ rollup: { events, elapsedMs, idleMs } }) => [
        count(events),
        ...[elapsedMs / 1_000, (events * 1_000) / elapsedMs, spread(idleMs).median].map(number),
      ]),
    },
    {
      title: 'Bytes on the disk',
      head: ['table', 'events stored', 'rows', 'MiB', 'bytes a row'],
      rows: stored.flatMap(({ events, tables }) =>
        tables.map(({ table, rows, bytes }) => [
          ...[table, count(events), count(rows)],
          ...[number(bytes / MIB), number(bytes / rows)],
        ]),
      ),
    },
  ];
}

const TABLES = ['events', 'visits_daily'];

async function measureWith(run: Run, events: number): Promise<StoredFigures> {
  const { stack, signal, links } = run;
  const { clickhouse } = stack;
  for (const table of [...TABLES, 'rollup_state'])
    await clickhouse.command({ query: `truncate table ${table}` });
  const nowMs = Date.now();
  await withProgress(`${events.toLocaleString('en')} events`, events, ({ reach }) =>
    fillEvents(clickhouse, { rows: events, nowMs, signal }, reach),
  );
  const rollup = await measureRollup(run, events);
  await waitForMerges(run);
  const tables = await query<TableSize>(run, SIZES);
  // Without the cache of totals.
  return withService(run, { TOTALS_AGE_MAX_MS: '0' }, async (service) => {
    const cases = apiCases(run, nowMs);
    await checkTotals(run, service, links[0]?.id ?? '');
    return withProgress('requests', cases.length, async ({ step }) => {
      const found: CaseFigures[] = [];
      for (const each of cases) {
        found.push(await measureCase(run, service, each));
        step();
      }
      return { events, rollup, tables, cases: found };
    });
  });
}

async function query<Row>({ stack }: Run, sql: string): Promise<Row[]> {
  const result = await stack.clickhouse.query({ query: sql, format: 'JSONEachRow' });
  return result.json<Row>();
}

/** Compressed, with indexes. */
type TableSize = { readonly table: string; readonly rows: number; readonly bytes: number };

const SIZES = `
select table, toFloat64(sum(rows)) as rows, toFloat64(sum(bytes_on_disk)) as bytes
from system.parts
where active and database = currentDatabase() and table in ('${TABLES.join("', '")}')
group by table
order by table`;

const MERGES = 'select toUInt32(count()) as merges from system.merges where database = currentDatabase()';
const MERGES_LIMIT_MS = 60_000;

/** Waits for background merges, for a minute at most. */
async function waitForMerges(run: Run): Promise<void> {
  const deadline = performance.now() + MERGES_LIMIT_MS;
  let quiet = 0;
  while (quiet < 3 && performance.now() < deadline) {
    await sleep(500, undefined, { signal: run.signal });
    const [row] = await query<{ merges: number }>(run, MERGES);
    quiet = row?.merges === 0 ? quiet + 1 : 0;
  }
}

const IDLE_ROLL_UPS = 10;
const FIRST_LIMIT_MS = 15 * 60_000;

/**
 * Rolls up all days of `events` as the service does, and then ten times with nothing to do. No service may be running.
 * Rejects when the first one takes over 15 minutes.
 */
async function measureRollup({ stack, signal }: Run, events: number) {
  return withProgress('first rollup', events, async ({ reach }) => {
    let done = 0;
    const endsAt = performance.now() + FIRST_LIMIT_MS;
    const isStopped = () => signal.aborted || performance.now() > endsAt;
    const rollUpAll = async () => {
      await rollUp(stack.clickhouse, {
        keptMonths: 0,
        mayGoOn: () => Promise.resolve(!isStopped()),
        report: (step) => {
          if (step.kind === 'days') reach((done += step.events));
        },
      });
      signal.throwIfAborted();
      if (isStopped()) throw new Error(`After 15 minutes ${done} of ${events} events were rolled up`);
    };
    const elapsedMs = await timed(rollUpAll);
    // Without the current day.
    const rolledUp = done;
    const idleMs: number[] = [];
    for (let i = 0; i < IDLE_ROLL_UPS; i += 1) idleMs.push(await timed(rollUpAll));
    if (done !== rolledUp) throw new Error('A rollup with nothing to do rolled up days');
    return { events: rolledUp, elapsedMs, idleMs };
  });
}

const LINK_GOAL_MS = 50;
const SUMMARY_GOAL_MS = 100;
const TOTALS_GOAL_MS = 30;

function apiCases({ users, links }: Run, nowMs: number): readonly ApiCase[] {
  const get = (title: string, path: string, goalMs: number | null, place = 0): ApiCase => ({
    ...{ title, goalMs, request: apiRequest(users[place]?.apiKey ?? '', path) },
  });
  // All of the first owner, with a fifth of the events, some thousandth, some hundred-thousandth (fill-events.ts).
  const [hot, medium, small] = [0, 60, 19_000].map(
    (link) => `/smartlink/analytics?id=${links[link]?.id ?? ''}`,
  );
  const weekAgo = new Date(nowMs - 6 * DAY_MS).toISOString().slice(0, 10);
  return [
    get('analytics of the hot link', `${hot}`, LINK_GOAL_MS),
    get('analytics of a medium link', `${medium}`, LINK_GOAL_MS),
    get('analytics of a small link', `${small}`, LINK_GOAL_MS),
    get("summary, the hot link's owner", '/analytics/summary', SUMMARY_GOAL_MS),
    get('summary, another owner', '/analytics/summary', SUMMARY_GOAL_MS, 1),
    get('list, limit=100', '/smartlink?limit=100', TOTALS_GOAL_MS),
    get('GET by id', `/smartlink?id=${links[0]?.id ?? ''}`, null),
    // The rest is not answered from days of UTC.
    get(
      'hot link, 7 days by the hour in Asia/Baku',
      `${hot}&tz=Asia/Baku&interval=hour&from=${weekAgo}`,
      null,
    ),
    get('hot link, CSV', `${hot}&format=csv`, null),
    get('medium link, 365 days in Asia/Baku', `${medium}&tz=Asia/Baku`, null),
    get('hot link, 365 days in Asia/Baku', `${hot}&tz=Asia/Baku`, null),
  ];
}

const WARM_UPS = 5;
const WARM_UP_LIMIT_MS = 2_000;
const REQUESTS_MIN = 20;
const REQUESTS_MIN_SECONDS = 12;
const REQUESTS_MAX = 500;
const ANSWER_LIMIT_MS = 30_000;

/** Measures one request over one connection. Rejects on `signal`. */
async function measureCase(run: Run, service: Service, { request, ...each }: ApiCase): Promise<CaseFigures> {
  const { seconds } = run.sizes;
  const first = await ask(service, request);
  const measured = { ...each, answerBytes: first.body.length };
  if (first.status !== 200) return { ...measured, load: null };
  const startedAt = performance.now();
  let asked = 0;
  for (; asked < WARM_UPS && performance.now() < startedAt + WARM_UP_LIMIT_MS; asked += 1)
    await ask(service, request);
  const perSecond = (asked * 1_000) / (performance.now() - startedAt);
  const least = Math.min(REQUESTS_MIN, 1 + perSecond * REQUESTS_MIN_SECONDS);
  const requests = Math.round(Math.min(REQUESTS_MAX, Math.max(2, perSecond * seconds, least)));
  const options = { connections: 1, expectedStatus: 200, requestsOf: () => [request], requests };
  try {
    return { ...measured, load: await loadApi(service, { ...options, signal: run.signal }) };
  } catch {
    run.signal.throwIfAborted();
    return { ...measured, load: null };
  }
}

async function ask(service: Service, { method, path, headers }: ApiRequest) {
  const limit = AbortSignal.timeout(ANSWER_LIMIT_MS);
  const response = await fetch(`${service.url}${path}`, { method, headers, signal: limit });
  return { status: response.status, body: await response.text() };
}

/** Rejects when the API's totals of a link differ from the table of events. */
async function checkTotals(run: Run, service: Service, link: string): Promise<void> {
  const apiKey = run.users[0]?.apiKey ?? '';
  const { body } = await ask(service, apiRequest(apiKey, `/smartlink/analytics?id=${link}`));
  const { data } = JSON.parse(body) as { data?: { totalClicks: number; totalQrCodeScans: number } };
  const answered = (data?.totalClicks ?? 0) + (data?.totalQrCodeScans ?? 0);
  const counted = `select toFloat64(count()) as visits from events where smartlink_id = '${link}' and outcome != 'excluded'`;
  const [row] = await query<{ visits: number }>(run, counted);
  if (row?.visits !== answered)
    throw new Error(`The API counts ${answered} visits to the hot link, the table ${row?.visits ?? 0}`);
}

await runBench<Sizes>({
  name: 'analytics',
  help: `npm run bench -- analytics [--events N]

With 50 million events stored, and with a fiftieth of them: analytics, summary, list and fetch over HTTP, the rollup, and
bytes on the disk. A whole run takes some 10 minutes.`,
  whole: { events: 50_000_000 },
  smoke: { events: EVENTS_MIN },
  secondsDefault: 3,
  numbers: { events: [EVENTS_MIN, EVENTS_MAX, 'events stored; 1000000 takes a minute or two'] },
  measure: measureAnalytics,
});
