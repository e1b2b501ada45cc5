// `npm run bench -- [NAME] [options]`: runs one benchmark, or each in a process of its own.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { analytics } from './benches/analytics.js';
import { events } from './benches/events.js';
import { files } from './benches/files.js';
import { links } from './benches/links.js';
import { redirect } from './benches/redirect.js';
import { COMMON_HELP } from './program.js';

/** In the order in which they run: short ones first. */
const BENCHES = [files, redirect, events, links, analytics];

const LIST = BENCHES.map(({ name, question }) => `  ${name.padEnd(12)}${question}`).join('\n');

const HELP = `npm run bench -- [NAME] [options]

Measures the project in alternating pairs with a base in the same run on the same machine. Without a name all benchmarks
run, one after the other. Each prints tables and writes its figures to .data/bench/<name>.json.

${LIST}

${COMMON_HELP}
  --list           list all benchmarks`;

/** Exit code of a benchmark that refuses its arguments. */
const WRONG_ARGUMENTS = 2;

process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  const [first] = args;
  if (first !== undefined && !first.startsWith('-')) {
    const bench = BENCHES.find(({ name }) => name === first);
    if (bench !== undefined) return bench.run(args.slice(1));
    process.stderr.write(`Unknown benchmark ${first}:\n${LIST}\n`);
    return WRONG_ARGUMENTS;
  }
  if (args.includes('--help') || args.includes('-h') || args.includes('--list')) {
    process.stdout.write(`${args.includes('--list') ? LIST : HELP}\n`);
    return 0;
  }
  return runAll(args);
}

async function runAll(args: readonly string[]): Promise<number> {
  const failed: string[] = [];
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      interrupted.abort();
    });
  for (const [index, { name, question }] of BENCHES.entries()) {
    process.stdout.write(`\n[${index + 1}/${BENCHES.length}] ${name}: ${question}\n\n`);
    const child = spawn(process.execPath, [import.meta.filename, name, ...args], { stdio: 'inherit' });
    interrupted.signal.addEventListener('abort', () => child.kill());
    const [code] = (await once(child, 'exit')) as [number | null];
    if (interrupted.signal.aborted) return 1;
    if (code === WRONG_ARGUMENTS) return code;
    if (code !== 0) failed.push(name);
  }
  if (failed.length > 0) process.stderr.write(`\nFailed: ${failed.join(', ')}\n`);
  return failed.length > 0 ? 1 : 0;
}
