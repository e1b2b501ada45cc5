import { rollUp } from '@smartlink/visits/rollup';
import { goal, number, ratios, spread, type Table, timesText } from '../figures.js';
import { type Load, type LoadedServer, loadInTurns } from '../load.js';
import { defineBench, type Report, timed, withProgress } from '../program.js';
import { type Server, startManagement, withServers } from '../servers.js';
import { type StackRun, withStack } from '../stack.js';
import { type AccountSizes, measureAccount } from './account.js';
import { apiRequest, type CallSizes, measureCalls } from './calls.js';
import { addLinkSet, fillEvents, type LinkSet } from './event-data.js';

type Sizes = CallSizes & AccountSizes;
type Run = StackRun<Sizes>;

/** Figures with one number of events in ClickHouse. */
type StoredFigures = {
  readonly events: number;
  readonly rollup: Awaited<ReturnType<typeof measureRollup>>;
  /** Of the tables on the disk. */
  readonly bytes: { readonly events: number; readonly cells: number };
  /** By the title of the call. */
  readonly loads: Readonly<Record<string, readonly Load[]>>;
};

const EVENTS_MIN = 100_000;
const EVENTS_MAX = 200_000_000;
const ACCOUNTS = 20;
const LINKS = 20_000;
const DAY_MS = 86_400_000;
const MIB = 2 ** 20;

/** Limits of p95, with one connection. */
const GOALS_MS: Readonly<Record<string, number>> = {
  'analytics of the hot link': 50,
  'analytics of a medium link': 50,
  'analytics of a small link': 50,
  "summary, the hot link's owner": 100,
  'list, limit=100': 30,
};

async function measureFigures(run: Run): Promise<Report> {
  const { events } = run.sizes;
  const set = await addLinkSet(run, { from: 0, count: LINKS, accounts: ACCOUNTS });
  const few = await measureWith(run, set, Math.round(events / 50));
  const many = await measureWith(run, set, events);
  const notes = Object.entries(GOALS_MS).map(([title, goalMs]) => {
    const p95Ms = medianMs(many.loads[title], 'p95Us');
    return goal(p95Ms <= goalMs, `${title}: p95 ${number(p95Ms)} ms (at most ${goalMs})`);
  });
  return { tables: makeTables(few, many), notes, figures: [few, many] };
}

const medianMs = (loads: readonly Load[] = [], key: 'p50Us' | 'p95Us' | 'p99Us'): number =>
  spread(loads.map((load) => load[key])).median / 1_000;

function makeTables(few: StoredFigures, many: StoredFigures): readonly Table[] {
  const count = (events: number) => events.toLocaleString('en');
  const p50s = (loads: readonly Load[] = []) => loads.map(({ p50Us }) => p50Us);
  return [
    {
      title: `Answers with ${count(many.events)} events, one connection`,
      head: ['request', 'p50 ms', 'p95 ms', 'p99 ms', `p50 × at ${count(few.events)}`],
      rows: Object.entries(many.loads).map(([title, loads]) => [
        title,
        ...(['p50Us', 'p95Us', 'p99Us'] as const).map((key) => number(medianMs(loads, key))),
        timesText(ratios(p50s(loads), p50s(few.loads[title]))),
      ]),
    },
    {
      title: 'Rollup of all days, and bytes on the disk',
      head: ['events', 'rollup s', 'with nothing to do ms', 'bytes an event', 'visits_daily MiB'],
      rows: [few, many].map(({ events, rollup, bytes }) => [
        count(events),
        ...[rollup.elapsedMs / 1_000, rollup.idleMs, bytes.events / events, bytes.cells / MIB].map(number),
      ]),
    },
  ];
}

async function measureWith(run: Run, set: LinkSet, events: number): Promise<StoredFigures> {
  const { clickhouse } = run.stack;
  for (const table of [
    'events',
    'visits_daily',
    'visits_daily_counts',
    'visits_monthly_counts',
    'visits_daily_by_owner',
    'rollup_state',
  ])
    await clickhouse.command({ query: `truncate table ${table}` });
  const nowMs = Date.now();
  await fillEvents(run, set, { rows: events, nowMs });
  const rollup = await measureRollup(run, events);
  await clickhouse.command({ query: 'optimize table visits_daily final' });
  const [bytes = { events: Number.NaN, cells: Number.NaN }] = await query<StoredFigures['bytes']>(run, SIZES);
  // Without the cache of totals.
  const env = { TOTALS_AGE_MAX_MS: '0' };
  return withServers({ management: () => startManagement(run, { env }) }, async ({ management }) => {
    await checkTotals(run, management.url, set);
    const loads = await loadInTurns(run, 'calls', makeCalls(management, set, nowMs));
    return { events, rollup, bytes, loads };
  });
}

async function query<Row>({ stack }: Run, sql: string): Promise<Row[]> {
  const result = await stack.clickhouse.query({ query: sql, format: 'JSONEachRow' });
  return result.json<Row>();
}

// Compressed, with indexes.
const SIZES = `
select toFloat64(sumIf(bytes_on_disk, table = 'events')) as events,
       toFloat64(sumIf(bytes_on_disk, table = 'visits_daily')) as cells
from system.parts
where active and database = currentDatabase()`;

/** Rolls up all days of `events` as the service does, then again with nothing to do. No service may be running. */
async function measureRollup({ stack, signal }: Run, events: number) {
  return withProgress('first rollup', events, async (advance) => {
    let done = 0;
    const rollUpAll = async () => {
      await rollUp(stack.clickhouse, {
        keptMonths: 0,
        mayGoOn: () => Promise.resolve(!signal.aborted),
        report: (step) => {
          if (step.kind !== 'days') return;
          done += step.events;
          advance(step.events);
        },
      });
      signal.throwIfAborted();
    };
    const elapsedMs = await timed(rollUpAll);
    const rolledUp = done;
    const idleMs = await timed(rollUpAll);
    if (done !== rolledUp) throw new Error('A rollup with nothing to do rolled up days');
    return { elapsedMs, idleMs };
  });
}

function makeCalls(server: Server, { accounts, links }: LinkSet, nowMs: number) {
  const apiKey = accounts[0]?.apiKey ?? '';
  const get = (path: string): LoadedServer => ({
    ...{ server, connections: 1 },
    requestsOf: () => ({ lines: [apiRequest(apiKey, path)] }),
  });
  const analyticsOf = (link: number) => `/smartlink/analytics?id=${links[link]?.id ?? ''}`;
  const weekAgo = new Date(nowMs - 6 * DAY_MS).toISOString().slice(0, 10);
  return {
    // Links of the first account, with a fifth, a thousandth and a hundred-thousandth of the events (event-data.ts).
    'analytics of the hot link': get(analyticsOf(0)),
    'analytics of a medium link': get(analyticsOf(60)),
    'analytics of a small link': get(analyticsOf(19_000)),
    "summary, the hot link's owner": get('/analytics/summary'),
    'list, limit=100': get('/smartlink?limit=100'),
    // Days of UTC cannot answer this.
    'hot link, 7 days by the hour in Asia/Baku': get(
      `${analyticsOf(0)}&tz=Asia/Baku&interval=hour&from=${weekAgo}`,
    ),
  };
}

/** Rejects when the API's totals of the hot link differ from the table of events. */
async function checkTotals(run: Run, url: string, { accounts, links }: LinkSet): Promise<void> {
  const link = links[0]?.id ?? '';
  const response = await fetch(`${url}/api/v1/smartlink/analytics?id=${link}`, {
    headers: { authorization: `Bearer ${accounts[0]?.apiKey ?? ''}` },
  });
  const { data } = (await response.json()) as { data?: { totalClicks: number; totalQrCodeScans: number } };
  const answered = (data?.totalClicks ?? 0) + (data?.totalQrCodeScans ?? 0);
  const counted = `select toFloat64(count()) as visits from events where smartlink_id = '${link}' and outcome != 'excluded'`;
  const [row] = await query<{ visits: number }>(run, counted);
  if (row?.visits !== answered)
    throw new Error(`The API counts ${answered} visits to the hot link, the table ${row?.visits ?? 0}`);
}

export const analytics = defineBench<Sizes>({
  name: 'analytics',
  question: 'calls of the management API, and figures out of 50 million events',
  help: `npm run bench -- analytics [--events N] [--only PART]

calls: requests a second, latency and processor time of calls of the API, in turns with the cheapest one, for accounts with
100 and 100,000 links. figures: analytics, summary and list, the rollup, and bytes on the disk with 50 million events, and
with a fiftieth of them. account: analytics of one account with 100,000 links, which have all events. --seconds has no effect
on it. Needs Linux and wrk (apt-get install wrk). A whole run takes 40 minutes and 10 GB of disk in TMPDIR.`,
  whole: { warmUpSeconds: 3, accountLinks: 100_000, callRepeats: 10, events: 50_000_000 },
  smoke: { warmUpSeconds: 1, accountLinks: 1_000, callRepeats: 2, events: EVENTS_MIN },
  secondsDefault: 3,
  options: {
    events: {
      argument: 'N',
      help: 'events of figures and account; 1000000 takes some minutes',
      range: [EVENTS_MIN, EVENTS_MAX],
    },
  },
  parts: {
    calls: (run) => withStack(run, { isPinned: true }, measureCalls),
    figures: (run) => withStack(run, { isPinned: false }, measureFigures),
    account: (run) => withStack(run, { isPinned: false }, measureAccount),
  },
  needs: 'Linux and wrk',
});
