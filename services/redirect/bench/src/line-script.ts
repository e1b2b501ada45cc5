import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { reportLua } from '@smartlink/bench/wrk';
import type { WrkError } from '@smartlink/bench/wrk';

export type LineScript = {
  /** A file from writeLines, with a line for each request. */
  readonly linesFile: string;
  /** Which line comes first, counted from 0; behind the last one it goes on with the first. */
  readonly offset: number;
  /** Lua that the two expressions need. */
  readonly setup: string;
  /** Of a `line`, what is kept in memory; made once, before the load. */
  readonly kept: string;
  /** Of what was `kept`, the request; made for each. */
  readonly request: string;
  /** Errors that are asked for; then somebody else must look that the answers were right. */
  readonly ignored?: readonly WrkError[];
};

/** Writes a wrk script that sends a request for each line of a file, one after the other, and returns its path. */
export function writeLineScript(
  folder: string,
  name: string,
  { linesFile, offset, setup, kept, request, ignored = [] }: LineScript,
): string {
  const script = path.join(folder, `${name}.lua`);
  writeFileSync(
    script,
    `${setup}
local all, at, count = {}, ${offset}, 0
init = function()
  for line in io.lines(${JSON.stringify(linesFile)}) do
    count = count + 1
    all[count] = ${kept}
  end
end
request = function()
  at = at % count + 1
  local kept = all[at]
  return ${request}
end
${reportLua(ignored)}`,
  );
  return script;
}

/** Writes lines to a file for a script and returns its path. */
export function writeLines(folder: string, name: string, lines: readonly string[]): string {
  const file = path.join(folder, `${name}.txt`);
  writeFileSync(file, lines.join('\n'));
  return file;
}
