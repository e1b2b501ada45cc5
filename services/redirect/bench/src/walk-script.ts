import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { requestHead } from './visit-client.js';

export type Walk = {
  /** A file of paths, one a line, from writePaths. */
  readonly pathsFile: string;
  /** Which line comes first; behind the last one it goes on with the first. */
  readonly offset: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether answers of 400 and above are what is asked for; then somebody else must look that they were right. */
  readonly isRefused?: boolean;
  /** Whether each request has a connection of its own, which the server closes. */
  readonly isClosing?: boolean;
};

/** Writes paths to a file for a walk and returns it. */
export function writePaths(folder: string, name: string, paths: readonly string[]): string {
  const file = path.join(folder, `${name}.txt`);
  writeFileSync(file, paths.join('\n'));
  return file;
}

/** Writes a wrk script that visits the paths of a file one after the other, and returns its path. */
export function writeWalkScript(
  folder: string,
  name: string,
  { pathsFile, offset, headers = {}, isRefused = false, isClosing = false }: Walk,
): string {
  const script = path.join(folder, `${name}.lua`);
  // Our answer does not say that the connection is closed behind it, and wrk takes the end of each for an error.
  const errors = [
    'connect',
    'write',
    'timeout',
    ...(isClosing ? [] : ['read']),
    ...(isRefused ? [] : ['status']),
  ];
  writeFileSync(
    script,
    `local paths, at, count = {}, ${offset}, 0
local tail = ${JSON.stringify(` ${requestHead(isClosing ? { ...headers, Connection: 'close' } : headers)}`)}
init = function()
  for line in io.lines(${JSON.stringify(pathsFile)}) do
    count = count + 1
    paths[count] = line
  end
end
request = function()
  at = at % count + 1
  return "GET " .. paths[at] .. tail
end
done = function(summary, latency)
  local e = summary.errors
  io.write(string.format("\\nfigures %d %d %d %d %d\\n", summary.requests, summary.duration,
    latency:percentile(50), latency:percentile(99), ${errors.map((kind) => `e.${kind}`).join(' + ')}))
end
`,
  );
  return script;
}
