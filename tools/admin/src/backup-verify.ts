import { resolve } from 'node:path';
import { withProgress, ROWS } from './backup-create.js';
import { readBackupFile } from './backup-file.js';
import { filesOf, readManifest } from './backup-manifest.js';
import { describeRate } from './backup-rate.js';
import { showProgress } from './progress.js';
import type { Terminal } from './terminal.js';
import { nothingLeft, whileListening } from './while-listening.js';

/**
 * Reads every file of a backup and compares what is in it with the manifest: checksums and numbers of rows. Throws
 * Problem for the first that differs.
 */
export async function verifyBackup(terminal: Terminal, out: string, options: { json?: true }): Promise<void> {
  const folder = resolve(out);
  const manifest = await readManifest(folder);
  const files = filesOf(manifest);
  const rows = files.reduce((sum, file) => sum + file.rows, 0);
  const startedAt = performance.now();
  await whileListening(terminal, nothingLeft('the check'), (signal) =>
    withProgress(showProgress(terminal, 'Reading', rows, ROWS), async (onRows) => {
      for (const file of files) {
        const reading = readBackupFile(folder, file, { onRows, signal });
        // What is read is compared at the end of each file.
        while ((await reading.next()).done !== true);
      }
    }),
  );
  const took = performance.now() - startedAt;
  terminal.stdout(
    options.json === true
      ? `${JSON.stringify({ folder, files: files.length, rows, startedAt: manifest.startedAt })}\n`
      : `Whole: ${files.length} files of ${manifest.startedAt}, read ${describeRate(rows, took)}.\n`,
  );
}
