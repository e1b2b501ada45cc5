import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline, Readable, Transform } from 'node:stream';
import * as streams from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { z } from 'zod';
import { isZlibError } from '@smartlink/import/files';
import { failureCode } from '@smartlink/process/database';
import { cannotRead, cannotWrite, isFileError, openNewFile } from '../cli/files.js';
import { type OnProgress, Problem } from '../cli/terminal.js';
import { plural } from '../cli/text.js';

export const ENGINES = ['postgres', 'clickhouse'] as const;
export type Engine = (typeof ENGINES)[number];

export const BACKUP_FORMAT = 1;
const MANIFEST = 'manifest.json';

// Names become paths and SQL: nothing in a manifest may lead out of its folder or end a statement.
const name = z.string().regex(/^[a-z_][a-z0-9_]*$/);
const count = z.int().min(0);
const migrations = z.array(z.strictObject({ number: count, name: z.string(), sha256: z.string() }));
const file = z.strictObject({
  file: z.string().regex(/^(postgres|clickhouse)\/[a-z0-9_-]+\.tsv\.gz$/),
  rows: count,
  bytes: count,
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});
const table = z.strictObject({ name, columns: z.array(name).min(1), files: z.array(file) });
const manifest = z.strictObject({
  format: z.literal(BACKUP_FORMAT),
  startedAt: z.iso.datetime(),
  finishedAt: z.iso.datetime(),
  durationMs: count,
  postgres: z
    .strictObject({
      snapshotAt: z.iso.datetime(),
      migrations,
      tables: z.array(table),
      sequences: z.array(z.strictObject({ name, value: z.string().regex(/^\d+$/), isCalled: z.boolean() })),
    })
    .nullable(),
  clickhouse: z.strictObject({ migrations, tables: z.array(table) }).nullable(),
});

export type BackupManifest = z.infer<typeof manifest>;
export type BackupParts = Pick<BackupManifest, Engine>;
export type PostgresPart = NonNullable<BackupManifest['postgres']>;
export type ClickhousePart = NonNullable<BackupManifest['clickhouse']>;
export type BackupTable = z.infer<typeof table>;
/** A file of rows. `bytes` and `sha256` are those of the compressed file, as `sha256sum` prints them. */
export type BackupFile = z.infer<typeof file>;
export type AppliedMigrations = z.infer<typeof migrations>;

export async function writeManifest(folder: string, content: BackupManifest): Promise<void> {
  const written = openNewFile(join(folder, MANIFEST));
  await streams.pipeline(Readable.from([`${JSON.stringify(content, null, 2)}\n`]), written.stream);
  await written.keep();
}

/** The manifest of a backup. Throws Problem for another folder, or another format. */
export async function readManifest(folder: string): Promise<BackupManifest> {
  const path = join(folder, MANIFEST);
  const text = await readFile(path, 'utf8').catch((err: unknown) => {
    if (failureCode(err) !== 'ENOENT') throw cannotRead(path, err);
    throw new Problem(`${folder} is no backup: it has no ${MANIFEST}.`);
  });
  let parsed: ReturnType<typeof manifest.safeParse>;
  try {
    parsed = manifest.safeParse(JSON.parse(text));
  } catch {
    throw new Problem(`${path} is damaged: it is not JSON.`);
  }
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const fault = `${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`;
  throw new Problem(`${path} is damaged, or of another version: ${fault}.`);
}

const filesOf = (part: BackupParts[Engine]): readonly BackupFile[] =>
  (part?.tables ?? []).flatMap(({ files }) => files);

export const countRows = (files: readonly BackupFile[]): number =>
  files.reduce((sum, { rows }) => sum + rows, 0);

/** The files and rows of both parts; the rows are null for a part that is missing. */
export function summarize({ postgres, clickhouse }: BackupParts) {
  const files = [...filesOf(postgres), ...filesOf(clickhouse)];
  return {
    files,
    rows: countRows(files),
    postgresRows: postgres && countRows(filesOf(postgres)),
    clickhouseRows: clickhouse && countRows(filesOf(clickhouse)),
  };
}

export function describeRate(rows: number, durationMs: number): string {
  const seconds = Math.max(durationMs, 1) / 1_000;
  return `${plural(rows, 'row')} in ${seconds.toFixed(1)} s (${Math.round(rows / seconds)} a second)`;
}

export const nothingLeft =
  (what: string): (() => string) =>
  () =>
    `: ${what} was not finished, and nothing is left of it.`;

// Both engines write one row a line and escape line breaks, so rows are counted by their ends.
const LINE_END = 10;
// Level 6 takes three times as long for a file that is a fifth smaller.
const GZIP_LEVEL = 1;

/** Receives numbers of rows; `signal` ends the work. */
export type Watch = { readonly onRows: OnProgress; readonly signal: AbortSignal };

/**
 * Writes rows, one a line, to a new compressed file, readable by its owner only, and returns its entry of the manifest.
 * Throws Problem when it cannot be written; rejects as `source` does, and when `signal` aborts.
 */
export async function writeBackupFile(
  folder: string,
  file: string,
  source: AsyncIterable<Uint8Array>,
  { onRows, signal }: Watch,
): Promise<BackupFile> {
  const hash = createHash('sha256');
  let rows = 0;
  const counted = tap((chunk) => {
    const more = countLines(chunk);
    rows += more;
    onRows(more);
  });
  const hashed = tap((chunk) => hash.update(chunk));
  const path = join(folder, file);
  const out = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true });
  try {
    await streams.pipeline(source, counted, createGzip({ level: GZIP_LEVEL }), hashed, out, { signal });
  } catch (err) {
    throw isFileError(err) ? cannotWrite(path, err) : err;
  }
  return { file, rows, bytes: out.bytesWritten, sha256: hash.digest('hex') };
}

/**
 * Yields the rows of a file as they were written, in chunks that end anywhere. Throws Problem when it cannot be read, and
 * at its end when it differs from the manifest: then what was read must not be kept.
 */
export async function* readBackupFile(
  folder: string,
  expected: BackupFile,
  { onRows, signal }: Watch,
): AsyncGenerator<Buffer, void, undefined> {
  const path = join(folder, expected.file);
  const hash = createHash('sha256');
  let rows = 0;
  const hashed = tap((chunk) => hash.update(chunk));
  // The loop throws a failure; leaving it ends the reading.
  const unpacked = pipeline(createReadStream(path), hashed, createGunzip(), () => undefined);
  try {
    for await (const chunk of unpacked as AsyncIterable<Buffer>) {
      signal.throwIfAborted();
      const more = countLines(chunk);
      rows += more;
      onRows(more);
      yield chunk;
    }
  } catch (err) {
    signal.throwIfAborted();
    if (isZlibError(err)) throw new Problem(`${path} is damaged: it cannot be unpacked.`);
    throw cannotRead(path, err);
  }
  if (hash.digest('hex') !== expected.sha256)
    throw new Problem(`${path} is damaged: its SHA-256 does not match.`);
  if (rows !== expected.rows)
    throw new Problem(`${path} is damaged: it has ${rows} rows instead of ${expected.rows}.`);
}

/** Yields the same bytes in pieces of whole lines, of about `bytesAbout` or one line. */
export async function* inWholeLines(
  chunks: AsyncIterable<Buffer>,
  bytesAbout: number,
): AsyncGenerator<Buffer, void, undefined> {
  let held: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    const end = chunk.lastIndexOf(LINE_END) + 1;
    bytes += chunk.length;
    if (bytes < bytesAbout || end === 0) held.push(chunk);
    else {
      yield Buffer.concat([...held, chunk.subarray(0, end)]);
      held = [chunk.subarray(end)];
      bytes = chunk.length - end;
    }
  }
  if (bytes > 0) yield Buffer.concat(held);
}

const tap = (onChunk: (chunk: Buffer) => void) =>
  new Transform({
    transform(chunk: Buffer, _encoding, done) {
      onChunk(chunk);
      done(null, chunk);
    },
  });

function countLines(chunk: Buffer): number {
  let lines = 0;
  for (let at = chunk.indexOf(LINE_END); at >= 0; at = chunk.indexOf(LINE_END, at + 1)) lines += 1;
  return lines;
}
