import { readFile, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { ClickHouseError } from '@clickhouse/client';
import type { ClickHouseClient } from '@clickhouse/client';
import { z } from 'zod';
import { COLUMN_NAMES } from './event-row.js';
import { insertRow } from './insert-events.js';
import type { Verdict, Visit, VisitJudge } from './judge-visits.js';
import { Problem } from './problem.js';
import { COUNTED_AS } from './replay-files.js';
import { describe } from './session.js';

/** What the shipper writes beside a row that it keeps. The columns become part of a statement. */
const explanationSchema = z.object({
  columns: z.array(z.enum(COLUMN_NAMES as [string, ...string[]])).min(1),
});

export type ReplayedQuarantine = {
  readonly inserted: number;
  /** Rows of days whose cells are final; their files stay. */
  readonly skipped: number;
  /** Rows whose smartlink is gone; their files are removed. */
  readonly gone: number;
  /** Rows that were purged; their files are removed. */
  readonly purged: number;
  /** Rows that ClickHouse refuses still, or whose files are damaged; they stay. */
  readonly refused: number;
  /** Whole segments that were moved back, for the shipper to send. */
  readonly segments: number;
};

/**
 * Inserts the rows that the shipper has put aside in `<spool>/quarantine`, each once ClickHouse takes it, and removes
 * its files then. Whole segments go back into the spool, where the redirect service sends them. Throws Problem when
 * the folder cannot be read, and when ClickHouse fails for another reason than a row.
 */
export async function replayQuarantine(
  clickhouse: ClickHouseClient,
  folder: string,
  options: { readonly judge: VisitJudge['judge']; readonly onRefused: (line: string) => void },
): Promise<ReplayedQuarantine> {
  const counts = { inserted: 0, skipped: 0, gone: 0, purged: 0, refused: 0, segments: 0 };
  for (const name of await listFolder(folder)) {
    if (name.endsWith('.rowbinary')) {
      const outcome = await replayRow(clickhouse, join(folder, name.slice(0, -'.rowbinary'.length)), options);
      if (typeof outcome === 'string') counts[outcome] += 1;
      else {
        counts.refused += 1;
        options.onRefused(`${join(folder, name)}: ${outcome.reason}`);
      }
    } else if (/^\d{13}-[\w-]+\.\d+\.(seg|again)$/.test(name)) {
      await returnSegment(folder, name);
      counts.segments += 1;
    }
  }
  return counts;
}

async function listFolder(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).toSorted();
  } catch (err) {
    // It is made with the first row that is put aside.
    if (err instanceof Error && 'code' in err && err.code === 'ENOENT') return [];
    throw new Problem(`${folder} cannot be read: ${describe(err)}`);
  }
}

/** `base` is the path of both files of a row, without their ends. */
async function replayRow(
  clickhouse: ClickHouseClient,
  base: string,
  { judge }: Pick<VisitJudge, 'judge'>,
): Promise<(typeof COUNTED_AS)[Verdict] | { readonly reason: string }> {
  const columns = await readColumns(`${base}.json`);
  if (columns === null) return { reason: 'the .json file beside it does not say which columns it has' };
  const row = await readFile(`${base}.rowbinary`);
  const visit = readVisit(columns, row);
  const [verdict = 'welcome'] = visit === null ? [] : await judge([visit]);
  if (verdict === 'final') return COUNTED_AS[verdict];
  try {
    if (verdict === 'welcome') await insertRow(clickhouse, columns, row);
  } catch (err) {
    if (!(err instanceof ClickHouseError)) throw err;
    return { reason: err.message };
  }
  // The row first: an explanation without a row is passed over.
  await rm(`${base}.rowbinary`, { force: true });
  await rm(`${base}.json`, { force: true });
  return COUNTED_AS[verdict];
}

async function readColumns(file: string): Promise<readonly string[] | null> {
  try {
    return explanationSchema.parse(JSON.parse(await readFile(file, 'utf8'))).columns;
  } catch {
    return null;
  }
}

// Eight bytes of time and sixteen of each id.
const ID_COLUMNS = ['ts', 'event_id', 'owner_id', 'smartlink_id'];
const OWNER_AT = 24;
const SMARTLINK_AT = 40;
const IDS_END = 56;

/** Returns whose visit a row is, as far as it begins with the columns that say so; else null. */
function readVisit(columns: readonly string[], row: Buffer): Visit | null {
  if (row.length < IDS_END || ID_COLUMNS.some((name, i) => columns[i] !== name)) return null;
  return {
    timeMs: Number(row.readBigInt64LE(0)),
    ownerId: readUuid(row, OWNER_AT),
    smartlinkId: readUuid(row, SMARTLINK_AT),
  };
}

/** RowBinary has a UUID as two numbers of 64 bits, each from its last byte on. */
function readUuid(row: Buffer, at: number): string {
  const half = (start: number) =>
    Buffer.from(row.subarray(start, start + 8))
      .reverse()
      .toString('hex');
  return `${half(at)}${half(at + 8)}`.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** As quarantine.ts of the redirect service says: a segment under its old name is sent again. */
async function returnSegment(folder: string, name: string): Promise<void> {
  await rename(join(folder, name), join(dirname(resolve(folder)), name));
  await rm(join(folder, `${name.replace(/\.\d+\.(seg|again)$/, '')}.json`), { force: true });
}
