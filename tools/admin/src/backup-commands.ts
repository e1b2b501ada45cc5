import { Option } from 'commander';
import type { Command } from 'commander';
import { ENGINES, createBackup } from './backup-create.js';
import type { BackupOptions } from './backup-create.js';
import { verifyBackup } from './backup-verify.js';
import { examples } from './examples.js';
import { fileOf } from './file-of.js';
import { restoreBackup } from './restore-backup.js';
import type { RestoreOptions } from './restore-backup.js';
import type { Terminal } from './terminal.js';

const only = () => new Option('--only <engine>', 'one of the databases').choices(ENGINES);

/** Adds `backup create|verify` and `restore`. */
export function addBackupCommands(program: Command, terminal: Terminal): void {
  const backup = program
    .command('backup')
    .description('both databases as files: docs/backup.md')
    .addHelpText(
      'after',
      `
Without verify it saves: --out <folder> is needed, --only <engine> and --json may be given; see backup create --help.
${examples('backup --out /backup/2026-01-31', 'backup --only postgres --out /backup/links', 'backup verify /backup/2026-01-31')}`,
    );
  backup
    .command('create', { isDefault: true })
    .description('save both databases into a new folder, while everything runs')
    .requiredOption('--out <folder>', 'a folder that is not there yet')
    .addOption(only())
    .option('--json', 'print {"folder","postgresRows","clickhouseRows","bytes","durationMs"}')
    .addHelpText(
      'after',
      `
Postgres is saved as it is at one moment. Visits are not rolled up and not purged meanwhile. The folder has its name once
everything is in it. It holds hashes of keys and passwords, secrets of webhooks and every visit: keep it as you keep the
databases. A purge and a deleted user do not reach it.
${examples('backup --out /backup/2026-01-31', 'backup --only postgres --out /backup/links')}`,
    )
    .action((options: BackupOptions) =>
      createBackup(terminal, { ...options, out: fileOf(terminal, options.out) }),
    );
  backup
    .command('verify')
    .description('read every file of a backup and compare it with the manifest')
    .argument('<folder>', 'of backup')
    .option('--json', 'print {"folder","files","rows","startedAt"}')
    .addHelpText('after', examples('backup verify /backup/2026-01-31'))
    .action((folder: string, options: { json?: true }) =>
      verifyBackup(terminal, fileOf(terminal, folder), options),
    );
  program
    .command('restore')
    .description('fill empty, migrated databases from a backup')
    .argument('<folder>', 'of backup')
    .addOption(only())
    .option('--disable-webhooks', 'for a drill: no receiver hears of it')
    .option('--json', 'print {"postgresRows","clickhouseRows","durationMs","ownerless"}')
    .addHelpText(
      'after',
      `
The services are stopped, and both databases new and migrated by the version that made the backup. All of Postgres is
restored or nothing; what fails leaves ClickHouse empty.
${examples('restore /backup/2026-01-31', 'restore /backup/2026-01-31 --disable-webhooks')}`,
    )
    .action((folder: string, options: RestoreOptions) =>
      restoreBackup(terminal, fileOf(terminal, folder), options),
    );
}
