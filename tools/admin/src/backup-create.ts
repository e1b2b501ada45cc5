import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { CLICKHOUSE_TABLES, backUpClickhouse, countClickhouseRows } from './backup-clickhouse.js';
import { BACKUP_FORMAT, filesOf, rowsOf, writeManifest } from './backup-manifest.js';
import type { BackupManifest } from './backup-manifest.js';
import { backUpPostgres, listPostgresTables } from './backup-postgres.js';
import { describeRate } from './backup-rate.js';
import { withClickhouse } from './clickhouse.js';
import { cannotWrite } from './file-problems.js';
import { Problem } from './problem.js';
import { showProgress } from './progress.js';
import type { Progress } from './progress.js';
import { describe, withSession } from './session.js';
import type { Session } from './session.js';
import type { Terminal } from './terminal.js';
import { nothingLeft, whileListening } from './while-listening.js';
import { withoutRollups } from './without-rollups.js';

export const ENGINES = ['postgres', 'clickhouse'] as const;
export type Engine = (typeof ENGINES)[number];
export type BackupOptions = { readonly out: string; readonly only?: Engine; readonly json?: true };

export const ROWS = { name: 'rows', size: 1 };

/**
 * Writes both databases into a new folder, which has its name once everything is in it. Postgres comes first, as it is at
 * one moment, so that what an import is about to hand from there to ClickHouse is in one of them at least. Throws Problem
 * when the folder is there already, when a database is not, and when it is interrupted: nothing is left then.
 */
export async function createBackup(terminal: Terminal, options: BackupOptions): Promise<void> {
  const folder = resolve(options.out);
  if (existsSync(folder)) throw new Problem(`${folder} is there already: a backup takes a new folder.`);
  await tellLeftovers(terminal, dirname(folder));
  const draft = `${folder}.${randomUUID()}.part`;
  const written = await withSession(terminal.env, (session) =>
    whileListening(terminal, nothingLeft('the backup'), async (signal) => {
      try {
        await makeFolders(draft);
        const manifest = await save(terminal, session, { draft, only: options.only, signal });
        await writeManifest(draft, manifest);
        for (const inner of [...ENGINES.map((engine) => join(draft, engine)), draft]) await syncFolder(inner);
        await rename(draft, folder);
        return manifest;
      } catch (err) {
        await rm(draft, { recursive: true, force: true });
        throw err;
      }
    }),
  );
  await syncFolder(dirname(folder)).catch((err: unknown) => {
    // It is there and whole all the same.
    terminal.stderr(`A crash of this host may yet take the name of ${folder} back: ${describe(err)}\n`);
  });
  tell(terminal, options, folder, written);
}

const PART = /\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.part$/;

/** Names what killed backups have left in the same place. It may also be one that is being made, so it is not removed. */
async function tellLeftovers(terminal: Terminal, parent: string): Promise<void> {
  const entries = await readdir(parent, { withFileTypes: true }).catch(() => []);
  const left = entries.filter((entry) => entry.isDirectory() && PART.test(entry.name));
  if (left.length === 0) return;
  const names = left.map(({ name }) => join(parent, name)).join(', ');
  terminal.stderr(`Not finished, or killed: ${names}. Delete what no other backup is writing.\n`);
}

type Saving = { readonly draft: string; readonly only: Engine | undefined; readonly signal: AbortSignal };

async function save(
  terminal: Terminal,
  session: Session,
  { draft, only, signal }: Saving,
): Promise<BackupManifest> {
  const startedAt = new Date();
  const parts: Pick<BackupManifest, 'postgres' | 'clickhouse'> = { postgres: null, clickhouse: null };
  const savePostgres = async () => {
    const tables = await listPostgresTables(session.db);
    const total = Math.round(tables.reduce((sum, { rowsAbout }) => sum + rowsAbout, 0));
    await withProgress(showProgress(terminal, 'Saving Postgres', total, ROWS), async (onRows) => {
      parts.postgres = await backUpPostgres(session.db, draft, { onRows, signal });
    });
  };
  if (only === 'postgres') await savePostgres();
  else {
    await withClickhouse(session, (clickhouse) =>
      // A rollup, a purge, or the end of old months between two tables would tear them apart.
      withoutRollups(terminal, session, async () => {
        if (only === undefined) await savePostgres();
        let total = 0;
        for (const { name } of CLICKHOUSE_TABLES) total += await countClickhouseRows(clickhouse, name);
        await withProgress(showProgress(terminal, 'Saving ClickHouse', total, ROWS), async (onRows) => {
          parts.clickhouse = await backUpClickhouse(clickhouse, draft, { onRows, signal });
        });
      }),
    );
  }
  const finishedAt = new Date();
  return {
    format: BACKUP_FORMAT,
    startedAt: startedAt.toISOString(),
    finishedAt: finishedAt.toISOString(),
    durationMs: finishedAt.getTime() - startedAt.getTime(),
    ...parts,
  };
}

/** Runs `work`, which tells of rows that are done, and leaves the terminal as it was. */
export async function withProgress(
  progress: Progress,
  work: (onRows: (rows: number) => void) => Promise<void>,
): Promise<void> {
  try {
    await work(progress.add);
  } finally {
    progress.stop();
  }
}

async function makeFolders(draft: string): Promise<void> {
  try {
    await mkdir(draft, { mode: 0o700 });
    for (const engine of ENGINES) await mkdir(join(draft, engine), { mode: 0o700 });
  } catch (err) {
    throw cannotWrite(draft, err);
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function tell(terminal: Terminal, { json }: BackupOptions, folder: string, manifest: BackupManifest): void {
  const { postgres, clickhouse, durationMs } = manifest;
  const counts = {
    postgresRows: postgres === null ? null : rowsOf(postgres.tables),
    clickhouseRows: clickhouse === null ? null : rowsOf(clickhouse.tables),
    bytes: filesOf(manifest).reduce((sum, { bytes }) => sum + bytes, 0),
    durationMs,
  };
  const rows = (counts.postgresRows ?? 0) + (counts.clickhouseRows ?? 0);
  terminal.stdout(
    json === true
      ? `${JSON.stringify({ folder, ...counts })}\n`
      : `Saved ${describeRate(rows, durationMs)} to ${folder}, ${(counts.bytes / 1e6).toFixed(1)} MB.\n`,
  );
}
