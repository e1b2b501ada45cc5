// `npm run bench -- [NAME] [options]`: runs one benchmark or all of them, each a compiled program in its own process.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { COMMON_HELP } from './program.js';

const ROOT = path.resolve(import.meta.dirname, '../../..');

/** In the order in which they run: short ones first. */
const BENCHES = [
  ['files', 'source files of the project that a warm visit and a PATCH pass', 'redirect'],
  ['redirect', 'a redirect beside a bare uWebSockets.js handler and nginx', 'redirect'],
  ['visits', 'visits that memory cannot answer, pages, connections, and a second process', 'redirect'],
  ['management', 'calls of the management API beside the cheapest of them', 'management'],
  ['memory', 'memory of a worker for links and for connections', 'redirect'],
  ['growth', 'links in Postgres and Redis as they become many', 'redirect'],
  ['events', 'events through the spool into ClickHouse, and their cost', 'redirect'],
  ['analytics', 'figures out of 50 million events', 'management'],
] as const;

type Bench = (typeof BENCHES)[number];

const LIST = BENCHES.map(([name, question]) => `  ${name.padEnd(12)}${question}`).join('\n');

const HELP = `npm run bench -- [NAME] [options]

Measures the project in alternating pairs, with what it is compared with in the same run on the same machine. Without
a name all benchmarks run, one after the other. Each prints tables and writes its figures to .data/bench/<name>.json.

${LIST}

${COMMON_HELP}
  --list       list all benchmarks`;

/** Exit code of a benchmark that refuses its arguments. */
const WRONG_ARGUMENTS = 2;
let isInterrupted = false;

process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  const [first] = args;
  if (first !== undefined && !first.startsWith('-')) {
    const bench = BENCHES.find(([name]) => name === first);
    if (bench !== undefined) return runInTerminal(bench, args.slice(1));
    console.error(`Unknown benchmark ${first}:\n${LIST}`);
    return WRONG_ARGUMENTS;
  }
  if (args.includes('--help') || args.includes('-h') || args.includes('--list')) {
    console.log(args.includes('--list') ? LIST : HELP);
    return 0;
  }
  return runAll(args);
}

async function runAll(args: readonly string[]): Promise<number> {
  const failed: string[] = [];
  for (const [index, bench] of BENCHES.entries()) {
    const [name, question] = bench;
    console.log(`\n[${index + 1}/${BENCHES.length}] ${name}: ${question}\n`);
    const code = await runInTerminal(bench, args);
    if (isInterrupted) return 1;
    if (code === WRONG_ARGUMENTS) return code;
    if (code !== 0) failed.push(name);
  }
  if (failed.length > 0) console.error(`\nFailed: ${failed.join(', ')}`);
  return failed.length > 0 ? 1 : 0;
}

/** Exit code of a benchmark; signals are passed on. */
async function runInTerminal([name, , service]: Bench, args: readonly string[]): Promise<number> {
  const program = path.join(ROOT, `services/${service}/bench/dist/${name}.js`);
  const child = spawn(process.execPath, [program, ...args], { stdio: 'inherit' });
  const stop = (signal: NodeJS.Signals) => {
    isInterrupted = true;
    child.kill(signal);
  };
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.on(signal, stop);
  try {
    return await new Promise<number>((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (code) => {
        resolve(code ?? 1);
      });
    });
  } finally {
    for (const signal of signals) process.off(signal, stop);
  }
}
