// `npm run bench -- [NAME] [arguments]`: runs one of the benchmarks, or all of them one after the other, each a program
// and a process of its own, compiled before this one starts (bootstrap.mjs).
import { spawn } from 'node:child_process';
import { COMMON_HELP } from './bench-options.js';
import { BENCHES } from './benches.js';
import type { Bench } from './benches.js';

const NAME_WIDTH = 12;

const LIST = BENCHES.map(({ name, question }) => `  ${name.padEnd(NAME_WIDTH)}${question}`).join('\n');

const HELP = `npm run bench -- [NAME] [arguments]

Measures the project, in pairs and in turns, with what it is compared with in the same run on the same machine. Without
a name all benchmarks run, one after the other; each writes its page to docs/benchmarks. With a name and --help a
benchmark says what else it takes.

${LIST}

${COMMON_HELP}
  --list       the names of all benchmarks`;

/** As runProgram ends a benchmark whose arguments it does not know. */
const WRONG_ARGUMENTS = 2;
let isInterrupted = false;

process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  const [first] = args;
  if (first !== undefined && !first.startsWith('-')) {
    const bench = BENCHES.find(({ name }) => name === first);
    if (bench !== undefined) return run(bench, args.slice(1));
    console.error(`There is no benchmark ${first}:\n${LIST}`);
    return 2;
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
    console.log(`\n[${index + 1}/${BENCHES.length}] ${bench.name}: ${bench.question}\n`);
    const code = await run(bench, args);
    if (isInterrupted) return 1;
    if (code === WRONG_ARGUMENTS) return code;
    if (code !== 0) failed.push(bench.name);
  }
  if (failed.length > 0) console.error(`\nNot measured to the end: ${failed.join(', ')}`);
  return failed.length > 0 ? 1 : 0;
}

/** Runs a benchmark at this terminal and returns its exit code; signals are passed on, and awaited. */
async function run({ program }: Bench, args: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, [program, ...args], { stdio: 'inherit' });
  const stop = (signal: NodeJS.Signals) => {
    isInterrupted = true;
    child.kill(signal);
  };
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.on(signal, stop);
  const code = await new Promise<number>((resolve) => {
    child.once('error', () => {
      resolve(1);
    });
    child.once('exit', (ended) => {
      resolve(ended ?? 1);
    });
  });
  for (const signal of signals) process.off(signal, stop);
  return code;
}
