import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@clickhouse/client';
import type { SmartlinkClient } from '@smartlink/client';
import { countOf, type K6Summary } from './k6.js';
import type { Run, Target } from './target.js';

/** Counts by name: visits by kind, or samples of metrics by name and label (`events_total accepted`). */
export type Counts = Readonly<Record<string, number>>;

/**
 * Compares what k6 saw with what the stack counted, by kind of `counted`. The stack may have counted visits whose answer k6
 * did not see; the kind `all` limits these visits over all kinds.
 */
export function compareCounts(seenKinds: Counts, countedKinds: Counts, unanswered: number) {
  return Object.entries(countedKinds).map(([kind, counted]) => {
    const seen = seenKinds[kind] ?? 0;
    return { kind, seen, counted, holds: counted >= seen && counted <= seen + unanswered };
  });
}

export function difference(after: Counts, before: Counts): Counts {
  return Object.fromEntries(
    Object.entries(after).map(([kind, count]) => [kind, count - (before[kind] ?? 0)]),
  );
}

/** Metrics of the redirect service, without the common prefix of their names. */
export async function readRedirectMetrics(url: string): Promise<Counts> {
  const response = await fetch(url, { signal: AbortSignal.timeout(METRICS_TIMEOUT_MS) });
  return parseRedirectMetrics(await response.text());
}

export function parseRedirectMetrics(text: string): Counts {
  const samples = text.matchAll(/^smartlink_redirect_(\w+)(?:\{\w+="([^"]*)"\})? (\S+)$/gm);
  return Object.fromEntries(
    [...samples].map(([, name = '', label, value]) => [
      label === undefined ? name : `${name} ${label}`,
      Number(value),
    ]),
  );
}

const ENDS = ['delivered_events', 'quarantined_events', 'discarded_events', 'torn_events'];

/** Number of accepted events that are neither in ClickHouse nor lost. */
export function countPendingEvents(metrics: Counts): number {
  const dropped = Object.keys(metrics).filter((key) => key.startsWith('events_total dropped_'));
  const ended = [...ENDS.map((end) => `shipper_total ${end}`), ...dropped];
  return ended.reduce((sum, key) => sum - (metrics[key] ?? 0), metrics['events_total accepted'] ?? 0);
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
const METRICS_TIMEOUT_MS = 5_000;
const QUERY_TIMEOUT_MS = 60_000;
/** Workers report their counters about once a second. */
const POLL_MS = 1_100;
const SETTLED_LIMIT_MS = 120_000;
/** Without metrics: nothing shows whether events are still on their way. */
const BLIND_LIMIT_MS = 60_000;

/** Opens the account of a run before its load. The caller closes it. */
export async function openAccount({ metricsUrl, clickhouseUrl }: Target, api: SmartlinkClient, run: Run) {
  const clickhouse = clickhouseUrl
    ? createClient({ url: clickhouseUrl, request_timeout: QUERY_TIMEOUT_MS })
    : null;
  const ownerId = (await api.analytics.summary()).data.user.id;
  const readRows = async (): Promise<Counts> => {
    const result = await clickhouse?.query({
      ...{ query: ROWS, query_params: { ownerId }, format: 'JSONEachRow' as const },
      clickhouse_settings: { output_format_json_quote_64bit_integers: 0 },
    });
    return (await result?.json<Record<string, number>>())?.[0] ?? {};
  };
  const readTotals = async (): Promise<Counts> => {
    const { totalClicks, totalQrCodeScans, totalFallbacks } = (await api.analytics.summary()).data.summary;
    return { click: totalClicks, scan: totalQrCodeScans, fallback: totalFallbacks };
  };
  const readMetrics = async (): Promise<Counts> => (metricsUrl ? readRedirectMetrics(metricsUrl) : {});
  const before = { rows: await readRows(), totals: await readTotals(), metrics: await readMetrics() };

  /** All lines of the account now, and the reason why it may still change. */
  const compare = async ({ seen, unanswered, ofDeleted }: Seen) => {
    const metrics = difference(await readMetrics(), before.metrics);
    const rows = difference(await readRows(), before.rows);
    const totals = difference(await readTotals(), before.totals);
    const { 'visits_total not_found': unknown = 0, 'visits_total unavailable': unavailable = 0 } = metrics;
    const unrecorded = metricsUrl ? { unknown, unavailable } : {};
    // The API's totals leave out deleted smartlinks.
    const living = { ...seen, click: (seen['click'] ?? 0) - ofDeleted };
    const lines = Object.entries({
      ClickHouse: compareCounts({ ...seen, all: countEvents(seen) }, rows, unanswered),
      API: compareCounts(living, totals, unanswered),
      metrics: compareCounts(seen, unrecorded, unanswered),
    }).flatMap(([where, some]) => some.map((line) => ({ ...line, kind: `${where}: ${line.kind}` })));
    return { lines, metrics, pending: metricsUrl ? describePending(metrics, seen) : '' };
  };

  return {
    /** Waits, within a limit, until the stack has counted all visits; prints the account and returns its faults. */
    settleAndCompare: async (summary: K6Summary): Promise<readonly string[]> => {
      const seen = readSeen(summary);
      const endsAt = performance.now() + (metricsUrl ? SETTLED_LIMIT_MS : BLIND_LIMIT_MS);
      let acceptedBefore = -1;
      for (;;) {
        const { lines, metrics, pending } = await compare(seen);
        const accepted = metrics['events_total accepted'] ?? 0;
        // Two equal readings: every worker has reported.
        const isSettled = metricsUrl
          ? pending === '' && accepted === acceptedBefore
          : lines.every(({ holds }) => holds);
        acceptedBefore = accepted;
        if (isSettled || performance.now() > endsAt) {
          if (pending !== '') run.report(`After waiting: ${pending}`);
          printAccount(lines, seen);
          return lines.flatMap((line) =>
            line.holds ? [] : [`account, ${line.kind}: k6 saw ${line.seen}, counted ${line.counted}`],
          );
        }
        await sleep(POLL_MS, undefined, { signal: run.signal });
      }
    },
    close: async () => {
      await clickhouse?.close();
    },
  };
}

type Seen = { readonly seen: Counts; readonly unanswered: number; readonly ofDeleted: number };

function readSeen(summary: K6Summary): Seen {
  const counters = Object.keys(summary.metrics).filter((name) => name.startsWith('seen_'));
  return {
    seen: Object.fromEntries(counters.map((name) => [name.replace('seen_', ''), countOf(summary, name)])),
    unanswered: countOf(summary, 'visits_sent') - countOf(summary, 'visits_answered'),
    ofDeleted: countOf(summary, 'clicks_of_deleted'),
  };
}

/** Counted visits have one event each, and so have excluded ones. */
function countEvents(seen: Counts): number {
  return ['click', 'scan', 'bot', 'head', 'deleted'].reduce((sum, kind) => sum + (seen[kind] ?? 0), 0);
}

function describePending(metrics: Counts, seen: Counts): string {
  const pending = countPendingEvents(metrics);
  if (pending > 0) return `${pending} events have not reached ClickHouse`;
  const expected = {
    'events_total accepted': countEvents(seen),
    'visits_total not_found': seen['unknown'] ?? 0,
    'visits_total unavailable': seen['unavailable'] ?? 0,
  };
  const late = Object.entries(expected).find(([key, count]) => (metrics[key] ?? 0) < count);
  return late === undefined ? '' : `the metrics count fewer ${late[0]} than k6 saw`;
}

function printAccount(lines: ReturnType<typeof compareCounts>, { unanswered, ofDeleted }: Seen): void {
  console.log(`\n${'account'.padEnd(34)}${'k6 saw'.padStart(10)}${'counted'.padStart(10)}`);
  for (const { kind, seen, counted, holds } of lines) {
    const counts = [seen, counted].map((count) => String(count).padStart(10));
    console.log(`${holds ? '✓' : '✗'} ${kind.padEnd(32)}${counts.join('')}`);
  }
  if (lines.some(({ kind, seen }) => kind === 'ClickHouse: head' && seen > 0))
    console.log('  head: HEAD requests, except those of bots, which count as bot.');
  if (ofDeleted > 0)
    console.log(`  API: without ${ofDeleted} clicks of deleted smartlinks, which its totals leave out.`);
  if (unanswered > 0)
    console.log(`  ${unanswered} visits without an answer to k6 may be among those counted.`);
}
