import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@clickhouse/client';
import type { SmartlinkClient } from '@smartlink/client';
import type { Progress } from './progress.js';
import { figureOf, type K6Summary } from './run-k6.js';
import type { RunningLoad, Target } from './target.js';

/** Visits by kind: source, outcome, reason of exclusion. */
export type Tally = Readonly<Record<string, number>>;

export type AccountLine = {
  readonly kind: string;
  /** Answers that k6 saw. */
  readonly seen: number;
  /** Visits that the stack has counted. */
  readonly counted: number;
  readonly holds: boolean;
};

/**
 * Compares what k6 saw with what was counted, by kind of `counted`. A visit whose answer k6 did not see may have been
 * counted or not; the kind `all` limits these visits over all kinds.
 */
export function compareTallies(seen: Tally, counted: Tally, unanswered: number): readonly AccountLine[] {
  return Object.entries(counted).map(([kind, count]) => {
    const saw = seen[kind] ?? 0;
    return { kind, seen: saw, counted: count, holds: count >= saw && count <= saw + unanswered };
  });
}

/** `after` less `before`, kind by kind. */
export function difference(after: Tally, before: Tally): Tally {
  return Object.fromEntries(
    Object.entries(after).map(([kind, count]) => [kind, count - (before[kind] ?? 0)]),
  );
}

/** Samples of the redirect service's metrics by name and label: `events_total accepted`. */
export type RedirectMetrics = ReadonlyMap<string, number>;

const METRICS_TIMEOUT_MS = 5_000;

export async function readRedirectMetrics(url: string): Promise<RedirectMetrics> {
  const response = await fetch(url, { signal: AbortSignal.timeout(METRICS_TIMEOUT_MS) });
  return parseRedirectMetrics(await response.text());
}

/** Parses the Prometheus format; names are without their common prefix. */
export function parseRedirectMetrics(text: string): RedirectMetrics {
  const samples = new Map<string, number>();
  for (const [, name = '', label, value] of text.matchAll(/^(\w+)(?:\{\w+="([^"]*)"\})? (\S+)$/gm)) {
    const key = name.replace('smartlink_redirect_', '');
    samples.set(label === undefined ? key : `${key} ${label}`, Number(value));
  }
  return samples;
}

const FATES = ['delivered_events', 'quarantined_events', 'discarded_events', 'torn_events'];

/** The events since `before` that ClickHouse has not got yet; null when there are none. */
export function eventsOnTheirWay(metrics: RedirectMetrics, before: RedirectMetrics): string | null {
  const lost = [...metrics.keys()].filter((key) => key.startsWith('events_total dropped_'));
  const settled = [...FATES.map((fate) => `shipper_total ${fate}`), ...lost];
  const left = settled.reduce(
    (sum, key) => sum - grown(metrics, before, key),
    grown(metrics, before, 'events_total accepted'),
  );
  return left > 0 ? `${left} events have not reached ClickHouse yet` : null;
}

function grown(metrics: RedirectMetrics, before: RedirectMetrics, key: string): number {
  return (metrics.get(key) ?? 0) - (before.get(key) ?? 0);
}

const MEMORY_READINGS_MAX = 12;
const MEMORY_INTERVAL_SECONDS_MIN = 5;

/** Prints the memory of the redirect processes up to twelve times over a run, where their metrics can be read. */
export async function watchMemory({ target, settings, at, say }: RunningLoad): Promise<void> {
  const { metricsUrl } = target;
  if (metricsUrl === null) return;
  const seconds = settings.number('DURATION_SECONDS');
  const fitting = Math.floor(seconds / MEMORY_INTERVAL_SECONDS_MIN) - 1;
  const readings = Math.max(1, Math.min(MEMORY_READINGS_MAX, fitting));
  for (let reading = 1; reading <= readings; reading += 1) {
    await at((seconds * reading) / (readings + 1));
    const metrics = await readRedirectMetrics(metricsUrl);
    const bytes = metrics.get('resident_memory_bytes') ?? 0;
    say(`The redirect processes take ${(bytes / 2 ** 20).toFixed(0)} MiB`);
  }
}

// With `final` a visit that was sent twice is one row.
const ROWS = `
select countIf(outcome != 'excluded' and source = 'click') as click,
       countIf(outcome != 'excluded' and source = 'scan') as scan,
       countIf(outcome = 'target') as target,
       countIf(outcome = 'page') as page,
       countIf(outcome = 'fallback') as fallback,
       countIf(exclusion = 'bot') as bot,
       countIf(exclusion = 'head') as head,
       countIf(exclusion = 'deleted') as deleted,
       countIf(outcome = 'excluded' and exclusion not in ('bot', 'head', 'deleted')) as excluded_otherwise,
       count() as all
from events final
where owner_id = {ownerId:UUID}`;
const QUERY_TIMEOUT_MS = 60_000;

const EXCLUDED = ['bot', 'head', 'deleted'];
const KINDS = ['click', 'scan', 'target', 'page', 'fallback', ...EXCLUDED, 'unknown', 'unavailable'];
const NOT_FOUND = 'visits_total not_found';
const UNAVAILABLE = 'visits_total unavailable';

/** Workers report their counters about once a second. */
const REPORTS_EVERY_MS = 1_100;
const SETTLED_LIMIT_MS = 120_000;
const BLIND_LIMIT_MS = 60_000;
const BLIND_POLL_MS = 500;

export type Account = {
  /** Waits, within a limit, until what k6 saw is counted; prints the account and returns what does not balance. */
  readonly settleAndCompare: (summary: K6Summary) => Promise<readonly string[]>;
  readonly close: () => Promise<void>;
};

type Deps = {
  readonly target: Target;
  readonly api: SmartlinkClient;
  readonly progress: Progress;
  readonly signal: AbortSignal;
};

/** Opens the account of a run before its load: what is counted by then is left out. The caller closes it. */
export async function openAccount(deps: Deps): Promise<Account> {
  const { api, signal } = deps;
  const { metricsUrl, clickhouseUrl } = deps.target;
  const clickhouse =
    clickhouseUrl === null ? null : createClient({ url: clickhouseUrl, request_timeout: QUERY_TIMEOUT_MS });
  const readApi = async (): Promise<Tally> => {
    const { totalClicks, totalQrCodeScans, totalFallbacks } = (await api.analytics.summary()).data.summary;
    return { click: totalClicks, scan: totalQrCodeScans, fallback: totalFallbacks };
  };
  const ownerId = (await api.analytics.summary()).data.user.id;
  const readRows = async (): Promise<Tally> => {
    const result = await clickhouse?.query({
      ...{ query: ROWS, query_params: { ownerId }, format: 'JSONEachRow' as const },
      clickhouse_settings: { output_format_json_quote_64bit_integers: 0 },
    });
    return (await result?.json<Record<string, number>>())?.[0] ?? {};
  };
  const rowsBefore = await readRows();
  const apiBefore = await readApi();
  const metricsBefore = metricsUrl === null ? null : await readRedirectMetrics(metricsUrl);
  return {
    async settleAndCompare(summary) {
      const seen = Object.fromEntries(KINDS.map((kind) => [kind, figureOf(summary, `seen_${kind}`)]));
      // The API's totals leave out what is deleted.
      const ofDeleted = figureOf(summary, 'clicks_of_deleted');
      const living = { ...seen, click: (seen['click'] ?? 0) - ofDeleted };
      const unanswered = figureOf(summary, 'visits_sent') - figureOf(summary, 'visits_answered');
      const readTotals = async () => difference(await readApi(), apiBefore);
      // Without metrics nothing says when all events have arrived.
      const balances = async () => compareTallies(living, await readTotals(), 0).every(({ holds }) => holds);
      if (metricsUrl === null) await holdsWithin(balances, BLIND_LIMIT_MS, BLIND_POLL_MS, signal);
      const unrecorded = metricsBefore === null ? {} : await settleMetrics(deps, metricsBefore, seen);
      const all = { ...seen, all: recorded(seen), excluded_otherwise: 0 };
      const rows = difference(await readRows(), rowsBefore);
      const lines = [
        ...named('ClickHouse', compareTallies(all, rows, unanswered)),
        ...named('API', compareTallies(living, await readTotals(), unanswered)),
        ...named('metrics', compareTallies(seen, unrecorded, unanswered)),
      ];
      printAccount(lines, { unanswered, ofDeleted });
      return lines.flatMap(({ kind, seen: saw, counted, holds }) =>
        holds ? [] : [`account, ${kind}: k6 saw ${saw}, counted ${counted}`],
      );
    },
    close: async () => {
      await clickhouse?.close();
    },
  };
}

/** Waits until every accepted event has reached ClickHouse; the visits that only the metrics count. */
async function settleMetrics(
  { target, progress, signal }: Deps,
  before: RedirectMetrics,
  seen: Tally,
): Promise<Tally> {
  const least = {
    'events_total accepted': recorded(seen),
    [NOT_FOUND]: seen['unknown'] ?? 0,
    [UNAVAILABLE]: seen['unavailable'] ?? 0,
  };
  let metrics = before;
  let waitsFor = '';
  let acceptedBefore = -1;
  const isSettled = async () => {
    metrics = await readRedirectMetrics(target.metricsUrl ?? '');
    const accepted = grown(metrics, before, 'events_total accepted');
    const late = Object.entries(least).find(([key, count]) => grown(metrics, before, key) < count);
    const missing = late === undefined ? '' : `the metrics count fewer ${late[0]} than k6 saw`;
    waitsFor = eventsOnTheirWay(metrics, before) ?? missing;
    if (waitsFor !== '') progress.show(waitsFor);
    // Between two equal readings each worker has reported.
    const isAtRest = accepted === acceptedBefore;
    acceptedBefore = accepted;
    return isAtRest && waitsFor === '';
  };
  if (!(await holdsWithin(isSettled, SETTLED_LIMIT_MS, REPORTS_EVERY_MS, signal)) && waitsFor !== '')
    progress.report(`After waiting: ${waitsFor}`);
  return { unknown: grown(metrics, before, NOT_FOUND), unavailable: grown(metrics, before, UNAVAILABLE) };
}

async function holdsWithin(
  holds: () => Promise<boolean>,
  limitMs: number,
  everyMs: number,
  signal: AbortSignal,
): Promise<boolean> {
  const endsAt = performance.now() + limitMs;
  while (!(await holds())) {
    if (performance.now() > endsAt) return false;
    await sleep(everyMs, undefined, { signal });
  }
  return true;
}

/** Number of events: one for each visit that counts, and one for each excluded visit. */
function recorded(seen: Tally): number {
  return ['click', 'scan', ...EXCLUDED].reduce((sum, kind) => sum + (seen[kind] ?? 0), 0);
}

function named(where: string, lines: readonly AccountLine[]): readonly AccountLine[] {
  return lines.map((line) => ({ ...line, kind: `${where}: ${line.kind}` }));
}

function printAccount(
  lines: readonly AccountLine[],
  { unanswered, ofDeleted }: { unanswered: number; ofDeleted: number },
): void {
  console.log(`\n${'account'.padEnd(34)}${'k6 saw'.padStart(10)}${'counted'.padStart(10)}`);
  for (const { kind, seen, counted, holds } of lines) {
    const counts = [seen, counted].map((count) => String(count).padStart(10));
    console.log(`${holds ? '✓' : '✗'} ${kind.padEnd(32)}${counts.join('')}`);
  }
  if (lines.some(({ kind, seen }) => kind === 'ClickHouse: head' && seen > 0))
    console.log('  head: HEAD requests that are not of bots; those of bots are among bot.');
  if (ofDeleted > 0)
    console.log(`  API: without ${ofDeleted} clicks of deleted smartlinks, which its totals leave out.`);
  if (unanswered > 0)
    console.log(`  ${unanswered} visits whose answer k6 did not see may be among those counted.`);
}
