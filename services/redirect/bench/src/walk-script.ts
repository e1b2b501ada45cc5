import { writeLineScript } from './line-script.js';
import { requestHead } from './visit-client.js';

export type Walk = {
  /** A file of paths, one a line, from writeLines. */
  readonly pathsFile: string;
  /** Which line comes first; behind the last one it goes on with the first. */
  readonly offset: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether answers of 400 and above are what is asked for; then somebody else must look that they were right. */
  readonly isRefused?: boolean;
  /** Whether each request has a connection of its own, which the server closes. */
  readonly isClosing?: boolean;
};

/** Writes a wrk script that visits the paths of a file one after the other, and returns its path. */
export function writeWalkScript(
  folder: string,
  name: string,
  { pathsFile, offset, headers = {}, isRefused = false, isClosing = false }: Walk,
): string {
  const head = requestHead(isClosing ? { ...headers, Connection: 'close' } : headers);
  return writeLineScript(folder, name, {
    ...{ linesFile: pathsFile, offset },
    setup: `local tail = ${JSON.stringify(` ${head}`)}`,
    // Paths alone: there may be millions.
    kept: 'line',
    request: '"GET " .. kept .. tail',
    // Our answer does not say that the connection is closed behind it, and wrk takes the end of each for an error.
    ignored: [...(isClosing ? (['read'] as const) : []), ...(isRefused ? (['status'] as const) : [])],
  });
}
