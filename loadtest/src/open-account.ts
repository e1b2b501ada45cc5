import type { SmartlinkClient } from '@smartlink/client';
import { compareTallies, difference } from './account.js';
import type { AccountLine, Tally } from './account.js';
import type { Progress } from './progress.js';
import { openCountedReader } from './read-counted.js';
import { readRedirectMetrics } from './redirect-metrics.js';
import { settle } from './settle.js';
import { countOf } from './k6-summary.js';
import type { K6Summary } from './k6-summary.js';
import type { Target } from './target.js';
import { until } from './until.js';

export type Account = {
  /**
   * Waits until what k6 saw has been counted, within a limit, prints the account and returns what of it does not balance.
   */
  readonly settleAndCompare: (summary: K6Summary) => Promise<readonly string[]>;
  readonly close: () => Promise<void>;
};

const BLIND_LIMIT_MS = 60_000;
const EXCLUDED = ['bot', 'head', 'deleted'];
const UNRECORDED = ['unknown', 'unavailable'];
const KINDS = ['click', 'scan', 'target', 'page', 'fallback', ...EXCLUDED, ...UNRECORDED];

/** Opens the account of a run before its load: what is counted by then is not of this run. The caller closes it. */
export async function openAccount(deps: {
  target: Target;
  api: SmartlinkClient;
  progress: Progress;
  signal: AbortSignal;
}): Promise<Account> {
  const { target, api, progress, signal } = deps;
  const { metricsUrl } = target;
  const reader = await openCountedReader(target, api);
  const rowsBefore = (await reader.readRows()) ?? {};
  const apiBefore = await reader.readApi();
  const metricsBefore = metricsUrl === null ? null : await readRedirectMetrics(metricsUrl);

  const readRows = async () => {
    const rows = await reader.readRows();
    return rows && difference(rows, rowsBefore);
  };
  const readApi = async () => difference(await reader.readApi(), apiBefore);

  async function waitWithMetrics(seen: Tally): Promise<Tally> {
    if (metricsUrl === null || metricsBefore === null) return {};
    const atLeast = {
      'visits_total not_found': seen['unknown'] ?? 0,
      'visits_total unavailable': seen['unavailable'] ?? 0,
    };
    const limits = { metricsUrl, before: metricsBefore, seen: recorded(seen), atLeast, signal };
    const { metrics, waitsFor } = await settle({ ...limits, onWaiting: progress.show });
    if (waitsFor !== null) progress.report(`After waiting: ${waitsFor}`);
    const grown = (key: string) => (metrics.get(key) ?? 0) - (metricsBefore.get(key) ?? 0);
    return {
      unknown: grown('visits_total not_found'),
      unavailable: grown('visits_total unavailable'),
    };
  }

  // Without metrics nobody says when everything has arrived: as soon as it balances, or at the end of the limit.
  async function waitBlindly(seen: Tally): Promise<void> {
    const look = async () =>
      compareTallies(seen, await readApi(), 0).every(({ holds }) => holds) ? true : null;
    await until(look, { limitMs: BLIND_LIMIT_MS, everyMs: 500, signal });
  }

  return {
    async settleAndCompare(summary) {
      const seen = Object.fromEntries(KINDS.map((kind) => [kind, countOf(summary, `seen_${kind}`)]));
      // The API's totals leave out what is deleted.
      const ofDeleted = countOf(summary, 'clicks_of_deleted');
      const living = { ...seen, click: (seen['click'] ?? 0) - ofDeleted };
      const unanswered = countOf(summary, 'visits_sent') - countOf(summary, 'visits_answered');
      const unrecorded = await waitWithMetrics(seen);
      if (metricsUrl === null) await waitBlindly(living);
      const all = { ...seen, all: recorded(seen), excluded_otherwise: 0 };
      const lines: AccountLine[] = [
        ...named('ClickHouse', compareTallies(all, (await readRows()) ?? {}, unanswered)),
        ...named('API', compareTallies(living, await readApi(), unanswered)),
        ...named('metrics', compareTallies(seen, unrecorded, unanswered)),
      ];
      printAccount(lines, { unanswered, ofDeleted });
      return lines.flatMap(({ kind, seen: saw, counted, holds }) =>
        holds ? [] : [`account, ${kind}: k6 saw ${saw}, counted ${counted}`],
      );
    },
    close: reader.close,
  };
}

/** How many events there must be: one for each visit that counts, and one for each that is only tallied. */
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
    console.log(
      `${holds ? '✓' : '✗'} ${kind.padEnd(32)}${String(seen).padStart(10)}${String(counted).padStart(10)}`,
    );
  }
  if (lines.some(({ kind, seen }) => kind === 'ClickHouse: head' && seen > 0))
    console.log('  head: HEAD requests of visitors who are no bots; those of bots are among bot.');
  if (ofDeleted > 0)
    console.log(`  API: without ${ofDeleted} clicks of deleted smartlinks, which its totals leave out.`);
  if (unanswered > 0)
    console.log(`  ${unanswered} visits whose answer k6 did not see may be among those counted.`);
}
