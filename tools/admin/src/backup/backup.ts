import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { failureMessage } from '@smartlink/process/database';
import { syncFolder } from '@smartlink/process/files';
import { addAuditEntry } from '../accounts/audit.js';
import { cannotWrite, fileOf } from '../cli/files.js';
import { readCount } from '../cli/options.js';
import { print, Problem, type Terminal, whileListening, withProgress } from '../cli/terminal.js';
import { examples } from '../cli/text.js';
import { withClickhouse, withoutRollups } from '../engines/clickhouse.js';
import { type Session, withSession } from '../engines/session.js';
import { backUpClickhouse, CLICKHOUSE_TABLES, countClickhouseRows } from './clickhouse.js';
import {
  BACKUP_FORMAT,
  type BackupManifest,
  type BackupParts,
  describeRate,
  type Engine,
  ENGINES,
  nothingLeft,
  readBackupFile,
  readManifest,
  summarize,
  writeManifest,
} from './files.js';
import { backUpPostgres, listPostgresTables } from './postgres.js';
import { restoreBackup, type RestoreOptions } from './restore.js';
import { backUpDaily, findUnfinished, nameBackup, pruneBackups, readTimeOfDay } from './schedule.js';

const only = () => new Option('--only <engine>', 'only this database').choices(ENGINES);

export function addBackupCommands(program: Command, terminal: Terminal): void {
  const backup = program
    .command('backup')
    .description('save both databases as files (docs/backup.md), or verify a backup')
    .addHelpText(
      'after',
      `
Without a subcommand it saves: --out or --into is required; see backup create --help for the options.
${examples('backup --out /backup/2026-01-31', 'backup --into /backup --keep 7', 'backup verify /backup/2026-01-31')}`,
    );
  backup
    .command('create', { isDefault: true })
    .description('save both databases into a new folder while the services run')
    .option('-o, --out <folder>', 'folder to create')
    .option('--into <folder>', 'create a folder in this one, named by the time in UTC')
    .option('--keep <n>', 'with --into: delete the oldest and keep this many', (text) =>
      readCount('--keep', text, 1, 10_000),
    )
    .option(
      '--daily <time>',
      'with --into: go on, and make one each day at this time, as in 02:17 (UTC)',
      readTimeOfDay,
    )
    .addOption(only())
    .option('-j, --json', 'print {"folder","postgresRows","clickhouseRows","bytes","durationMs"}')
    .addHelpText(
      'after',
      `
Postgres is saved in one snapshot. Visits are neither rolled up nor purged during the backup. The folder gets its name once it is
complete, and the audit log an entry, from which management exports its age. It holds hashes of keys and passwords, webhook secrets and every visit: protect it like the databases. Later purges and
deletions of users do not change it.
${examples('backup --out /backup/2026-01-31', 'backup --only postgres --out /backup/links', 'backup --into /backup --keep 7 --daily 02:17')}`,
    )
    .action((options: BackupOptions) => createBackups(terminal, options));
  backup
    .command('verify')
    .description('read every file of a backup and compare it with the manifest')
    .argument('<folder>', 'folder of the backup')
    .option('-j, --json', 'print {"folder","files","rows","startedAt"}')
    .addHelpText('after', examples('backup verify /backup/2026-01-31'))
    .action((folder: string, options: { json?: true }) =>
      verifyBackup(terminal, resolve(fileOf(terminal, folder)), options),
    );
  program
    .command('restore')
    .description('fill empty, migrated databases from a backup')
    .argument('<folder>', 'folder of the backup')
    .addOption(only())
    .option('--disable-webhooks', 'disable all webhooks, for a drill')
    .option('-j, --json', 'print {"postgresRows","clickhouseRows","durationMs","ownerless"}')
    .addHelpText(
      'after',
      `
Stop the services first. Both databases must be new and migrated by the version that made the backup. Postgres is restored
completely or not at all; a failure leaves ClickHouse empty.
${examples('restore /backup/2026-01-31', 'restore /backup/2026-01-31 --disable-webhooks')}`,
    )
    .action((folder: string, options: RestoreOptions) =>
      restoreBackup(terminal, resolve(fileOf(terminal, folder)), options),
    );
}

type BackupOptions = {
  readonly out?: string;
  readonly into?: string;
  readonly keep?: number;
  /** Milliseconds since midnight, UTC. */
  readonly daily?: number;
  readonly only?: Engine;
  readonly json?: true;
};

/** One backup, or one each day. */
async function createBackups(terminal: Terminal, options: BackupOptions): Promise<void> {
  const { out, into, keep, daily } = options;
  if ((out === undefined) === (into === undefined)) throw new Problem('Give one of --out and --into.');
  if (into === undefined) {
    if (keep !== undefined || daily !== undefined) throw new Problem('--keep and --daily need --into.');
    return createBackup(terminal, fileOf(terminal, out ?? ''), options);
  }
  const parent = resolve(fileOf(terminal, into));
  await mkdir(parent, { recursive: true, mode: 0o700 }).catch((err: unknown) => {
    throw cannotWrite(parent, err);
  });
  const backUp = async () => {
    const now = new Date();
    await createBackup(terminal, join(parent, nameBackup(now)), options);
    const deleted = keep === undefined ? [] : await pruneBackups(parent, keep, now);
    if (deleted.length > 0) terminal.stderr(`Deleted ${deleted.join(', ')}.\n`);
  };
  return daily === undefined ? backUp() : backUpDaily(terminal, daily, backUp);
}

/**
 * Writes both databases into a new folder. Postgres comes first, as it is at one moment: totals that an import is moving
 * from there to ClickHouse are in one of them at least. Throws Problem when the folder exists, and when the backup is
 * interrupted: nothing is left then.
 */
async function createBackup(terminal: Terminal, out: string, options: BackupOptions): Promise<void> {
  const folder = resolve(out);
  if (existsSync(folder)) throw new Problem(`${folder} exists already: a backup takes a new folder.`);
  await nameLeftovers(terminal, dirname(folder));
  const draft = `${folder}.${randomUUID()}.part`;
  const manifest = await withSession(terminal.env, (session) =>
    whileListening(terminal, nothingLeft('the backup'), async (signal) => {
      try {
        await makeFolders(draft);
        const manifest = await save(terminal, session, { draft, only: options.only, signal });
        await writeManifest(draft, manifest);
        for (const inner of [...ENGINES.map((engine) => join(draft, engine)), draft]) await syncFolder(inner);
        await rename(draft, folder);
        if (options.only === undefined) await recordBackup(terminal, session, manifest);
        return manifest;
      } catch (err) {
        await rm(draft, { recursive: true, force: true });
        throw err;
      }
    }),
  );
  await syncFolder(dirname(folder)).catch((err: unknown) => {
    terminal.stderr(`A crash of this host may yet undo the renaming of ${folder}: ${failureMessage(err)}\n`);
  });
  const { durationMs } = manifest;
  const { files, rows, postgresRows, clickhouseRows } = summarize(manifest);
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  print(
    terminal,
    options.json,
    { folder, postgresRows, clickhouseRows, bytes, durationMs },
    `Saved ${describeRate(rows, durationMs)} to ${folder}, ${(bytes / 1e6).toFixed(1)} MB.\n`,
  );
}

/** Names the remains of killed backups, which are not deleted: one may be in progress. */
async function nameLeftovers(terminal: Terminal, parent: string): Promise<void> {
  const left = await findUnfinished(parent);
  if (left.length === 0) return;
  const names = left.map((name) => join(parent, name)).join(', ');
  terminal.stderr(`Unfinished backups: ${names}. Delete those that no other process is writing.\n`);
}

/** Its age is a metric of management. The backup is complete without it. */
async function recordBackup(terminal: Terminal, { db }: Session, manifest: BackupManifest): Promise<void> {
  const { rows } = summarize(manifest);
  await addAuditEntry(db, 'database.backup', null, { rows }).catch((err: unknown) => {
    terminal.stderr(`The backup is missing in the audit log: ${failureMessage(err)}\n`);
  });
}

async function save(
  terminal: Terminal,
  session: Session,
  { draft, only, signal }: { draft: string; only: Engine | undefined; signal: AbortSignal },
): Promise<BackupManifest> {
  const startedAt = new Date();
  const parts: BackupParts = { postgres: null, clickhouse: null };
  if (only === 'postgres') parts.postgres = await savePostgres(terminal, session, draft, signal);
  else {
    await withClickhouse(session, (clickhouse) =>
      // A rollup, a purge, or the end of old months between two tables would tear them apart.
      withoutRollups(terminal, session, async () => {
        if (only === undefined) parts.postgres = await savePostgres(terminal, session, draft, signal);
        let total = 0;
        for (const { name } of CLICKHOUSE_TABLES) total += await countClickhouseRows(clickhouse, name);
        const progress = { doing: 'Saving ClickHouse', total, unit: 'rows' };
        parts.clickhouse = await withProgress(terminal, progress, (onRows) =>
          backUpClickhouse(clickhouse, draft, { onRows, signal }),
        );
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

async function savePostgres(terminal: Terminal, { db }: Session, draft: string, signal: AbortSignal) {
  const tables = await listPostgresTables(db);
  const total = Math.round(tables.reduce((sum, { rowsAbout }) => sum + rowsAbout, 0));
  return withProgress(terminal, { doing: 'Saving Postgres', total, unit: 'rows' }, (onRows) =>
    backUpPostgres(db, draft, { onRows, signal }),
  );
}

async function makeFolders(draft: string): Promise<void> {
  try {
    for (const inner of ['', ...ENGINES]) await mkdir(join(draft, inner), { mode: 0o700 });
  } catch (err) {
    throw cannotWrite(draft, err);
  }
}

/** Compares checksums and numbers of rows with the manifest. Throws Problem for the first that differs. */
async function verifyBackup(terminal: Terminal, folder: string, { json }: { json?: true }): Promise<void> {
  const manifest = await readManifest(folder);
  const { startedAt } = manifest;
  const { files, rows } = summarize(manifest);
  const beganAt = performance.now();
  await whileListening(terminal, nothingLeft('the check'), (signal) =>
    withProgress(terminal, { doing: 'Reading', total: rows, unit: 'rows' }, async (onRows) => {
      // The end of each file is compared with the manifest.
      for (const file of files) for await (const _ of readBackupFile(folder, file, { onRows, signal }));
    }),
  );
  const rate = describeRate(rows, performance.now() - beganAt);
  print(
    terminal,
    json,
    { folder, files: files.length, rows, startedAt },
    `Complete: ${files.length} files of ${startedAt}, read ${rate}.\n`,
  );
}
