import { readFile, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { ClickHouseError } from '@clickhouse/client';
import type { ClickHouseClient } from '@clickhouse/client';
import { z } from 'zod';
import { COLUMN_NAMES } from './event-row.js';
import { insertRow } from './insert-events.js';
import { Problem } from './problem.js';
import { describe } from './session.js';

/** What the shipper writes beside a row that it keeps. The columns become part of a statement. */
const explanationSchema = z.object({
  columns: z.array(z.enum(COLUMN_NAMES as [string, ...string[]])).min(1),
});

export type ReplayedQuarantine = {
  readonly inserted: number;
  /** Rows of days whose cells are final; their files stay. */
  readonly skipped: number;
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
  options: { readonly rawFrom: string; readonly onRefused: (line: string) => void },
): Promise<ReplayedQuarantine> {
  const counts = { inserted: 0, skipped: 0, refused: 0, segments: 0 };
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
    throw new Problem(`${folder} cannot be read: ${describe(err)}`);
  }
}

/** `base` is the path of both files of a row, without their ends. */
async function replayRow(
  clickhouse: ClickHouseClient,
  base: string,
  { rawFrom }: { readonly rawFrom: string },
): Promise<'inserted' | 'skipped' | { readonly reason: string }> {
  const columns = await readColumns(`${base}.json`);
  if (columns === null) return { reason: 'the .json file beside it does not say which columns it has' };
  const row = await readFile(`${base}.rowbinary`);
  const day = columns[0] === 'ts' ? readDay(row) : null;
  if (day !== null && day < rawFrom) return 'skipped';
  try {
    await insertRow(clickhouse, columns, row);
  } catch (err) {
    if (!(err instanceof ClickHouseError)) throw err;
    return { reason: err.message };
  }
  // The row first: an explanation without a row is passed over.
  await rm(`${base}.rowbinary`, { force: true });
  await rm(`${base}.json`, { force: true });
  return 'inserted';
}

async function readColumns(file: string): Promise<readonly string[] | null> {
  try {
    return explanationSchema.parse(JSON.parse(await readFile(file, 'utf8'))).columns;
  } catch {
    return null;
  }
}

/** Returns the UTC day of a row that begins with its time in milliseconds; null when it is no time. */
function readDay(row: Buffer): string | null {
  if (row.length < 8) return null;
  const time = new Date(Number(row.readBigInt64LE(0)));
  return Number.isNaN(time.getTime()) ? null : time.toISOString().slice(0, 10);
}

/** As quarantine.ts of the redirect service says: a segment under its old name is sent again. */
async function returnSegment(folder: string, name: string): Promise<void> {
  await rename(join(folder, name), join(dirname(resolve(folder)), name));
  await rm(join(folder, `${name.replace(/\.\d+\.(seg|again)$/, '')}.json`), { force: true });
}
