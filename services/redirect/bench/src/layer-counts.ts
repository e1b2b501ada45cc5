import { setTimeout as sleep } from 'node:timers/promises';
import type { RedirectProcess } from './redirect-process.js';

/** What a service has answered, and from where. */
export type LayerCounts = {
  readonly visits: number;
  /** From L1, links that are there and slugs that are known to lead nowhere. */
  readonly l1Hits: number;
  readonly l1AbsentHits: number;
  readonly l1Misses: number;
  /** Links that were looked up again behind a visit that had its answer. */
  readonly refreshes: number;
  readonly redisHits: number;
  readonly redisFailures: number;
  readonly postgresHits: number;
  readonly postgresMisses: number;
  readonly postgresFailures: number;
  readonly postgresQueries: number;
};

// Workers report once a second.
const REPORT_MS = 1_200;
const SETTLE_LIMIT_MS = 10_000;
const POLL_MS = 200;

async function readLayers(service: RedirectProcess): Promise<LayerCounts> {
  const metrics = await service.metrics();
  const visits = [...metrics].filter(([line]) => line.startsWith('visits_total{'));
  const cache = (result: string) => metrics.get(`cache_lookups_total{result="${result}"}`) ?? 0;
  const resolver = (event: string) => metrics.get(`resolver_total{event="${event}"}`) ?? 0;
  return {
    visits: visits.reduce((sum, [, value]) => sum + value, 0),
    l1Hits: cache('hits'),
    l1AbsentHits: cache('absent_hits'),
    l1Misses: cache('misses'),
    refreshes: cache('refreshes'),
    redisHits: resolver('redis_hits'),
    redisFailures: resolver('redis_failures'),
    postgresHits: resolver('postgres_hits'),
    postgresMisses: resolver('postgres_misses'),
    postgresFailures: resolver('postgres_failures'),
    postgresQueries: resolver('postgres_queries'),
  };
}

/**
 * Returns what a service has counted once it knows of at least so many visits and counts no more. Rejects when it does
 * not within 10 s: then it has not answered what its clients think.
 */
export async function settledLayers(service: RedirectProcess, visitsMin = 0): Promise<LayerCounts> {
  const deadline = Date.now() + SETTLE_LIMIT_MS;
  let last = await readLayers(service);
  let sameSince = Date.now();
  for (;;) {
    await sleep(POLL_MS);
    const now = await readLayers(service);
    if (now.visits !== last.visits) sameSince = Date.now();
    last = now;
    if (now.visits >= visitsMin && Date.now() - sameSince > REPORT_MS) return now;
    if (Date.now() > deadline)
      throw new Error(`The service counted ${now.visits} visits, and should have counted ${visitsMin}`);
  }
}

/** Returns what was counted between two looks. */
export function layersBetween(before: LayerCounts, after: LayerCounts): LayerCounts {
  const names = Object.keys(after) as (keyof LayerCounts)[];
  return Object.fromEntries(names.map((name) => [name, after[name] - before[name]])) as LayerCounts;
}
