import { findWithin } from '@smartlink/link-resolver/snapshot-query';
import type { Pool } from 'pg';
import { withRedis } from '../fill-redis.js';

/** What links take, in bytes. */
export type StoredSizes = {
  readonly smartlinksBytes: number;
  readonly slugsBytes: number;
  /** Of both tables, and part of the two. */
  readonly indexBytes: number;
  readonly redisBytes: number;
  readonly redisKeys: number;
};

const SIZES = `
select pg_total_relation_size('smartlinks')::float8 as "smartlinksBytes",
       pg_total_relation_size('slugs')::float8 as "slugsBytes",
       (pg_indexes_size('smartlinks') + pg_indexes_size('slugs'))::float8 as "indexBytes"`;

/** Returns what all links take in Postgres and in Redis now. */
export async function readSizes(pg: Pool, redisUrl: string): Promise<StoredSizes> {
  const { rows } = await pg.query<Omit<StoredSizes, 'redisBytes' | 'redisKeys'>>(SIZES);
  const [sizes] = rows;
  if (sizes === undefined) throw new Error('Postgres did not say what it holds');
  return withRedis(redisUrl, async (redis) => {
    const redisBytes = Number(/used_memory:(\d+)/.exec(await redis.info('memory'))?.[1]);
    return { ...sizes, redisBytes, redisKeys: await redis.dbsize() };
  });
}

/** A step of a plan of Postgres that reads a table. */
export type PlanStep = { readonly kind: string; readonly table: string; readonly index: string | null };

/** Returns how Postgres reads tables for the resolver's own query of these slugs. */
export async function explainFind(pg: Pool, slugs: readonly string[]): Promise<readonly PlanStep[]> {
  const steps: PlanStep[] = [];
  await findWithin(
    {
      async query(text, values) {
        const { rows } = await pg.query<{ 'QUERY PLAN': readonly { Plan: PlanNode }[] }>(
          `explain (format json) ${text}`,
          values,
        );
        collect(rows[0]?.['QUERY PLAN'][0]?.Plan, steps);
        return { rows: [] };
      },
    },
    slugs,
    1024 * 1024,
  );
  return steps;
}

type PlanNode = {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly Plans?: readonly PlanNode[];
};

function collect(node: PlanNode | undefined, into: PlanStep[]): void {
  if (node === undefined) return;
  const { 'Node Type': kind, 'Relation Name': table, 'Index Name': index, Plans: below = [] } = node;
  if (table !== undefined) into.push({ kind, table, index: index ?? null });
  else if (index !== undefined) into.push({ kind, table: '', index });
  for (const part of below) collect(part, into);
}

/** Scans of a table since the engine was started, by the engine's own count. */
export type TableScans = { readonly table: string; readonly sequential: number; readonly byIndex: number };

const SCANS = `
select relname as table, seq_scan::float8 as sequential, coalesce(idx_scan, 0)::float8 as "byIndex"
from pg_stat_user_tables where relname in ('smartlinks', 'slugs') order by relname desc`;

/** Returns how the tables of links were read; other sessions' counts may be 10 s old. */
export async function readScans(pg: Pool): Promise<readonly TableScans[]> {
  const client = await pg.connect();
  try {
    await client.query('select pg_stat_force_next_flush()');
    return (await client.query<TableScans>(SCANS)).rows;
  } finally {
    client.release();
  }
}
