import { mkdir, readdir, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SEGMENT_FILE_MODE, SPOOL_FOLDER_MODE } from './spool-files.js';
import type { ListedSegment } from './spool-listing.js';

export type Refusal = { readonly code: string; readonly reason: string };

export type Quarantine = {
  /**
   * Keeps one row that ClickHouse refuses, with a readable file beside it. Its name follows from where it stood, so
   * the same row is kept once however often it is met. Returns false when the quarantine is full and it is not kept.
   */
  readonly keepRow: (
    origin: { file: ListedSegment; rowIndex: number; columns: readonly string[] },
    row: Buffer,
    refusal: Refusal,
  ) => Promise<boolean>;
  /** Moves a whole segment aside. Moved back into the spool folder under its old name, it is sent again. */
  readonly keepSegment: (file: ListedSegment, refusal: Refusal) => Promise<void>;
};

/** Returns the folder for what can never be sent: `<spool>/quarantine`, at most `bytesMax` of single rows. */
export function createQuarantine(spoolDir: string, bytesMax: number): Quarantine {
  const folder = join(spoolDir, 'quarantine');

  const explain = async (name: string, explanation: object) => {
    await writeFile(join(folder, `${name}.json`), `${JSON.stringify(explanation, null, 2)}\n`, {
      mode: SEGMENT_FILE_MODE,
    });
  };

  return {
    keepRow: async ({ file, rowIndex, columns }, row, refusal) => {
      await mkdir(folder, { recursive: true, mode: SPOOL_FOLDER_MODE });
      if ((await folderBytes(folder)) + row.length > bytesMax) return false;
      const name = `${file.stem}-row${rowIndex}`;
      await writeFile(join(folder, `${name}.rowbinary`), row, { mode: SEGMENT_FILE_MODE });
      await explain(name, { ...refusal, segment: file.name, rowIndex, columns, hex: row.toString('hex') });
      return true;
    },
    keepSegment: async (file, refusal) => {
      await mkdir(folder, { recursive: true, mode: SPOOL_FOLDER_MODE });
      await explain(file.stem, { ...refusal, segment: file.name });
      await rename(join(spoolDir, file.name), join(folder, file.name));
    },
  };
}

async function folderBytes(folder: string): Promise<number> {
  let total = 0;
  for (const name of await readdir(folder)) {
    if (!name.endsWith('.seg') && !name.endsWith('.again')) total += (await stat(join(folder, name))).size;
  }
  return total;
}
