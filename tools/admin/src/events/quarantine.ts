import { readFile, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { type ClickHouseClient, ClickHouseError } from '@clickhouse/client';
import { z } from 'zod';
import { failureCode, failureMessage } from '@smartlink/process/database';
import { Problem } from '../cli/terminal.js';
import {
  COLUMN_NAMES,
  type Counts,
  insertBytes,
  noCounts,
  type Verdict,
  type Visit,
  type VisitJudge,
} from './rows.js';

/** The file that the shipper writes beside a row. The columns become part of a statement. */
const explanationSchema = z.object({
  columns: z.array(z.enum(COLUMN_NAMES as [string, ...string[]])).min(1),
});

/**
 * Inserts the rows that the shipper has put into `<spool>/quarantine` and deletes those that ClickHouse takes, or whose
 * smartlink or visit is gone; refused and skipped ones stay. Whole segments go back into the spool, from where redirect sends
 * them. Throws Problem when the folder cannot be read; rejects when ClickHouse fails for another reason than a row.
 */
export async function replayQuarantine(
  clickhouse: ClickHouseClient,
  folder: string,
  { judge, onRefused }: Pick<VisitJudge, 'judge'> & { readonly onRefused: (line: string) => void },
): Promise<Counts> {
  const counts = noCounts();
  for (const name of await listFolder(folder)) {
    if (name.endsWith('.rowbinary')) {
      const outcome = await replayRow(clickhouse, join(folder, name.slice(0, -'.rowbinary'.length)), judge);
      if (typeof outcome === 'string') counts[outcome] += 1;
      else {
        counts.refused += 1;
        onRefused(`${join(folder, name)}: ${outcome.reason}`);
      }
    } else if (/^\d{13}-[\w-]+\.\d+\.(seg|again)$/.test(name)) {
      // As quarantine.ts of redirect says: a segment under its old name is sent again.
      await rename(join(folder, name), join(dirname(resolve(folder)), name));
      await rm(join(folder, `${name.replace(/\.\d+\.(seg|again)$/, '')}.json`), { force: true });
      counts.segments += 1;
    }
  }
  return counts;
}

async function listFolder(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).toSorted();
  } catch (err) {
    // The shipper creates it with its first row.
    if (failureCode(err) === 'ENOENT') return [];
    throw new Problem(`${folder} cannot be read: ${failureMessage(err)}`);
  }
}

/** `base` is the path of both files of a row, without their extensions. */
async function replayRow(
  clickhouse: ClickHouseClient,
  base: string,
  judge: VisitJudge['judge'],
): Promise<Verdict | { readonly reason: string }> {
  const columns = await readColumns(`${base}.json`);
  if (columns === null) return { reason: 'the .json file beside it does not say which columns it has' };
  const row = await readFile(`${base}.rowbinary`);
  const visit = readVisit(columns, row);
  const [verdict = 'inserted'] = visit === null ? [] : await judge([visit]);
  if (verdict === 'skipped') return verdict;
  try {
    const query = `insert into events (${columns.join(', ')}) format RowBinary`;
    if (verdict === 'inserted') await insertBytes(clickhouse, query, row);
  } catch (err) {
    if (!(err instanceof ClickHouseError)) throw err;
    return { reason: err.message };
  }
  // The row first: an explanation without a row is ignored.
  await rm(`${base}.rowbinary`, { force: true });
  await rm(`${base}.json`, { force: true });
  return verdict;
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

/** The visit of a row that begins with the columns of its ids, else null. */
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
