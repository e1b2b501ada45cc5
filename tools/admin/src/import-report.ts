import { once } from 'node:events';
import { open, rm, stat } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { toCsvRow } from './event-csv.js';
import { cannotWrite } from './file-problems.js';
import type { Remark } from './import-queries.js';
import { openNewFile } from './new-file.js';
import type { NewFile } from './new-file.js';
import { toPrintable } from './printable.js';
import { Problem } from './problem.js';

export type Report = {
  readonly add: (remarks: readonly Remark[]) => Promise<void>;
  /** Resolves with the file's name once it is complete; null when there was nothing to tell. */
  readonly close: () => Promise<string | null>;
  /** Leaves what was there before. */
  readonly discard: () => Promise<void>;
};

const HEADING = ['row', 'line', 'slug', 'reason', 'created as'];

/** Throws Problem when something else than an earlier report is where this one would go. */
export async function requireReportName(name: string): Promise<void> {
  let isFree: boolean;
  try {
    isFree = await isFreeForReport(name);
  } catch (err) {
    throw cannotWrite(name, err);
  }
  if (!isFree) throw new Problem(`${name} is there already, and is no report of an import.`);
}

/** Throws Problem when no report could be written under this name. Nothing is left there. */
export async function requireWritable(name: string): Promise<void> {
  const file = openNewFile(name);
  file.stream.end();
  try {
    await finished(file.stream);
  } catch (err) {
    throw cannotWrite(name, err);
  }
  await file.discard();
}

async function isFreeForReport(name: string): Promise<boolean> {
  const found = await stat(name).catch((err: unknown) => {
    if (err instanceof Error && 'code' in err && err.code === 'ENOENT') return null;
    throw err;
  });
  if (found === null) return true;
  // Opening a named pipe would wait for whoever writes to it.
  if (!found.isFile()) return false;
  const heading = Buffer.from(toCsvRow(HEADING));
  const file = await open(name);
  try {
    const { buffer } = await file.read(Buffer.alloc(heading.length), 0, heading.length, 0);
    return buffer.equals(heading);
  } finally {
    await file.close();
  }
}

/**
 * Returns a report of rows as CSV, in the cells of which no spreadsheet finds a formula and no terminal a command. The
 * file is made with the first of them, readable by its owner only, and has its name once it is complete; when there is
 * none, an earlier report goes. Its functions reject with Problem when it cannot be written. The caller closes or
 * discards it.
 */
export function openReport(name: string): Report {
  let file: NewFile | null = null;
  let failure: Error | null = null;
  const write = async (text: string): Promise<void> => {
    file ??= openFile();
    if (!file.stream.write(text) && failure === null) await once(file.stream, 'drain').catch(() => undefined);
    check();
  };
  const openFile = (): NewFile => {
    const opened = openNewFile(name);
    opened.stream.on('error', (err) => (failure = err));
    return opened;
  };
  const check = (): void => {
    if (failure !== null) throw cannotWrite(name, failure);
  };
  const fail = (err: unknown): never => {
    throw cannotWrite(name, err);
  };
  return {
    async add(remarks) {
      if (remarks.length === 0) return;
      await write((file === null ? toCsvRow(HEADING) : '') + remarks.map(toRow).join(''));
    },
    async close() {
      if (file === null) {
        await rm(name, { force: true }).catch(fail);
        return null;
      }
      file.stream.end();
      await finished(file.stream).catch(() => undefined);
      check();
      await file.keep().catch(fail);
      return name;
    },
    async discard() {
      if (file === null) return;
      file.stream.destroy();
      await file.discard();
    },
  };
}

const toRow = ({ rowNumber, line, slug, reason, createdAs }: Remark): string =>
  toCsvRow([`${rowNumber}`, line > 0 ? `${line}` : '', slug ?? '', reason, createdAs ?? ''].map(toPrintable));
