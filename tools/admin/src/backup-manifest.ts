import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import { z } from 'zod';
import { cannotRead } from './file-problems.js';
import { openNewFile } from './new-file.js';
import { Problem } from './problem.js';

/** The format of the folder; another one takes another number. */
export const BACKUP_FORMAT = 1;
export const MANIFEST = 'manifest.json';

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
export type PostgresPart = NonNullable<BackupManifest['postgres']>;
export type ClickhousePart = NonNullable<BackupManifest['clickhouse']>;
export type BackupTable = z.infer<typeof table>;
/** A file of rows. `bytes` and `sha256` are those of the compressed file, as `sha256sum` tells them. */
export type BackupFile = z.infer<typeof file>;
export type AppliedMigrations = z.infer<typeof migrations>;

/** Writes the manifest, by which a folder is a backup. Rejects when it cannot be written. */
export async function writeManifest(folder: string, content: BackupManifest): Promise<void> {
  const written = openNewFile(join(folder, MANIFEST));
  await pipeline(Readable.from([`${JSON.stringify(content, null, 2)}\n`]), written.stream);
  await written.keep();
}

/** Returns the manifest of a backup. Throws Problem for a folder that is none, or one of another format. */
export async function readManifest(folder: string): Promise<BackupManifest> {
  const path = join(folder, MANIFEST);
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (err) {
    const isMissing = err instanceof Error && 'code' in err && err.code === 'ENOENT';
    throw isMissing ? new Problem(`${folder} is no backup: it has no ${MANIFEST}.`) : cannotRead(path, err);
  }
  const parsed = manifest.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Problem(
    `${path} is damaged, or of another version: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}.`,
  );
}

/** Returns every file of a backup. */
export function filesOf({ postgres, clickhouse }: BackupManifest): readonly BackupFile[] {
  return [...(postgres?.tables ?? []), ...(clickhouse?.tables ?? [])].flatMap(({ files }) => files);
}

/** Returns how many rows the tables hold. */
export function rowsOf(tables: readonly BackupTable[]): number {
  return tables.flatMap(({ files }) => files).reduce((sum, { rows }) => sum + rows, 0);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
