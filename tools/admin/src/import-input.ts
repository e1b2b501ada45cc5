import { readFile, stat } from 'node:fs/promises';
import { cannotRead } from './file-problems.js';
import { fingerprintFile } from './import-files/file-bytes.js';
import { IMPORT_FORMATS } from './import-files/import-row.js';
import type { ImportFormat, ImportRow } from './import-files/import-row.js';
import { readImportFile, recogniseImportFile } from './import-files/read-import-file.js';
import { Problem } from './problem.js';
import { MEGABYTES, showProgress } from './progress.js';
import { sayWhenSlow } from './say-when-slow.js';
import type { Terminal } from './terminal.js';

/** A file that is to be imported. */
export type InputFile = {
  readonly name: string;
  readonly format: ImportFormat;
  readonly sha256: Buffer;
  /** Yields its rows, with progress. */
  readonly rows: (doing: string) => AsyncGenerator<ImportRow>;
  /** Throws Problem when the file is no longer what was fingerprinted. */
  readonly requireUnchanged: () => Promise<void>;
};

/** Returns a file that is to be imported, read once for its fingerprint. Throws Problem when it cannot be imported. */
export async function openInputFile(
  terminal: Terminal,
  name: string,
  options: { readonly format: string | undefined; readonly newPasswordFile: string | undefined },
): Promise<InputFile> {
  const forced = readFormat(options.format);
  const newPassword =
    options.newPasswordFile === undefined ? undefined : await readPassword(options.newPasswordFile);
  const before = await lookAt(name);
  const { bytes, sha256 } = await sayWhenSlow(terminal, `Reading ${name}.`, fingerprintFile(name));
  const { format } = await recogniseImportFile(name, forced);
  const requireUnchanged = async (): Promise<void> => {
    if ((await lookAt(name)) !== before) {
      throw new Problem(`${name} has changed while it was read. Import it again once nothing writes to it.`);
    }
  };
  await requireUnchanged();
  return {
    name,
    format,
    sha256: Buffer.from(sha256, 'hex'),
    requireUnchanged,
    async *rows(doing) {
      const progress = showProgress(terminal, doing, bytes, MEGABYTES);
      let seen = 0;
      const onBytes = (read: number): void => {
        progress.add(read - seen);
        seen = read;
      };
      try {
        yield* readImportFile(name, { format, onBytes, ...(newPassword !== undefined && { newPassword }) });
      } finally {
        progress.stop();
      }
    },
  };
}

/** What tells a file from itself after a change; whoever writes to it moves its time. */
async function lookAt(name: string): Promise<string> {
  try {
    const { dev, ino, size, mtimeNs } = await stat(name, { bigint: true });
    return [dev, ino, size, mtimeNs].join(' ');
  } catch (err) {
    throw cannotRead(name, err);
  }
}

function readFormat(format: string | undefined): ImportFormat | undefined {
  if (format === undefined) return undefined;
  const known = IMPORT_FORMATS.find((name) => name === format);
  if (known === undefined) {
    throw new Problem(`--format ${JSON.stringify(format)}: expected one of ${IMPORT_FORMATS.join(', ')}.`);
  }
  return known;
}

async function readPassword(file: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).replace(/\r?\n$/, '');
  } catch (err) {
    throw cannotRead(file, err);
  }
}
