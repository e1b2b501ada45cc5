import { readFile, stat } from 'node:fs/promises';
import {
  DATE_ORDERS,
  DamagedFile,
  type ForeignOptions,
  HEAD_BYTES,
  IMPORT_FORMATS,
  type ImportFormat,
  type ImportRow,
  type Layout,
  originalRows,
  readRows,
  recogniseFormat,
  rowReader,
} from '@smartlink/import/files';
import { cannotRead } from '../../cli/files.js';
import { readChoice } from '../../cli/options.js';
import { Problem, sayWhenSlow, type Terminal, withProgress } from '../../cli/terminal.js';
import { fingerprintFile, readFileBytes } from './file-bytes.js';

export type ReadOptions = Partial<ForeignOptions> & {
  /** Receives the bytes of the file on disk read so far. */
  readonly onBytes?: (bytesRead: number) => void;
};

/**
 * Yields the rows of an import file in order, each read or refused by itself. Memory is bounded by a row of a mebibyte and a
 * chunk of the file. Where nothing more can be read the last row is a refusal. Throws Problem, before the
 * first row, for a faulty heading; later only when the disk fails.
 */
export async function* readImportFile(
  file: string,
  layout: Layout,
  { onBytes, ...options }: ReadOptions = {},
): AsyncGenerator<ImportRow> {
  const read = rowReader(layout, options);
  if ('problem' in read) throw new Problem(`${file} ${read.problem.replace(/[^?]$/, '$&.')}`);
  yield* readRows(read, readFileBytes(file, onBytes));
}

/** The format and layout of a file. Throws Problem when it cannot be read or recognised. */
export async function recogniseImportFile(file: string, forced?: ImportFormat): Promise<Layout> {
  let head = Buffer.alloc(0);
  try {
    for await (const chunk of readFileBytes(file)) {
      head = Buffer.concat([head, chunk]);
      if (head.length >= HEAD_BYTES) break;
    }
  } catch (err) {
    throw err instanceof DamagedFile ? new Problem(`${file} cannot be read: ${err.message}.`) : err;
  }
  const layout = await recogniseFormat(head, forced);
  if ('problem' in layout) throw new Problem(`${file} ${layout.problem}.`);
  return layout;
}

/** A file to import. */
export type InputFile = {
  readonly name: string;
  readonly format: ImportFormat;
  readonly sha256: Buffer;
  /** Passes its rows to `work`, with progress. */
  readonly read: (doing: string, work: (rows: AsyncGenerator<ImportRow>) => Promise<void>) => Promise<void>;
  /** The rows with a reason, as a file of the same format that can be imported. */
  readonly originalRows: (reasons: ReadonlyMap<number, string>) => AsyncIterable<string>;
  readonly kind: Layout['kind'];
  /** Throws Problem when the file has changed since its fingerprint. */
  readonly requireUnchanged: () => Promise<void>;
};

const MEGABYTE = 1_000_000;

/** Opens a file to import and reads it once for its fingerprint. Throws Problem when it cannot be imported. */
export async function openInputFile(
  terminal: Terminal,
  name: string,
  options: Readonly<Record<'format' | 'newPasswordFile' | 'dateFormat', string | undefined>>,
): Promise<InputFile> {
  const forced =
    options.format === undefined ? undefined : readChoice('--format', options.format, IMPORT_FORMATS);
  const dateOrder =
    options.dateFormat === undefined
      ? undefined
      : readChoice('--date-format', options.dateFormat, DATE_ORDERS);
  const newPassword = options.newPasswordFile && (await readPassword(options.newPasswordFile));
  const before = await identify(name);
  const { bytes, sha256 } = await sayWhenSlow(terminal, `Reading ${name}.`, fingerprintFile(name));
  const layout = await recogniseImportFile(name, forced);
  const requireUnchanged = async (): Promise<void> => {
    if ((await identify(name)) === before) return;
    throw new Problem(`${name} has changed while it was read. Import it again once nothing writes to it.`);
  };
  await requireUnchanged();
  return {
    name,
    format: layout.format,
    sha256,
    requireUnchanged,
    kind: layout.kind,
    originalRows: (reasons) => originalRows(readFileBytes(name), layout, reasons),
    read: (doing, work) =>
      withProgress(terminal, { doing, total: bytes / MEGABYTE, unit: 'MB' }, (add) => {
        let seen = 0;
        const onBytes = (read: number): void => {
          add((read - seen) / MEGABYTE);
          seen = read;
        };
        return work(readImportFile(name, layout, { onBytes, newPassword, dateOrder }));
      }),
  };
}

/** Differs after a change, which moves the time at least. */
async function identify(name: string): Promise<string> {
  try {
    const { dev, ino, size, mtimeNs } = await stat(name, { bigint: true });
    return [dev, ino, size, mtimeNs].join(' ');
  } catch (err) {
    throw cannotRead(name, err);
  }
}

async function readPassword(file: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).replace(/\r?\n$/, '');
  } catch (err) {
    throw cannotRead(file, err);
  }
}
