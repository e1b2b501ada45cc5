import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { arch, availableParallelism, cpus, platform, tmpdir, totalmem } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { parseFigures } from './figures.js';
import { countTrials, findTrials } from './find-trials.js';
import { isFailure, judge } from './judge.js';
import { PROMISES } from './promises.js';
import { renderLines, renderPage } from './render.js';
import { runTrial } from './run-trial.js';

const HELP = `npm run chaos [-- options]

Breaks what the platform stands on, and counts what came of it. Prints the table of promises and, unless --only is
given, writes docs/reliability.md.

  --full         the sizes that the promises name: about half an hour. Otherwise those of npm test: some minutes
  --only E1,E8   the trials of these promises alone
  --help         this text

Exit code 1 when a test failed or a trial has left no figure. A time that is missed is shown, and changes nothing.`;

const ROOT = path.resolve(import.meta.dirname, '../../..');
const PAGE = path.join(ROOT, 'docs/reliability.md');

const options = readOptions();
if (options !== null) process.exitCode = await main(options);

type Options = { readonly size: 'short' | 'full'; readonly only: ReadonlySet<string> | null };

function readOptions(): Options | null {
  try {
    const { values } = parseArgs({
      options: { full: { type: 'boolean' }, only: { type: 'string' }, help: { type: 'boolean' } },
    });
    if (values.help) {
      console.log(HELP);
      return null;
    }
    const only = values.only?.split(',').map((id) => id.trim().toUpperCase()) ?? null;
    const unknown = only?.find((id) => !PROMISES.some((promise) => promise.id === id));
    if (unknown !== undefined) throw new Error(`There is no promise ${unknown}`);
    return { size: values.full ? 'full' : 'short', only: only && new Set(only) };
  } catch (err) {
    console.error(`${err instanceof Error ? err.message : String(err)}\n\n${HELP}`);
    process.exitCode = 1;
    return null;
  }
}

async function main({ size, only }: Options): Promise<number> {
  const promises = PROMISES.filter(({ id }) => only?.has(id) ?? true);
  const wanted = new Set(promises.map(({ id }) => id));
  const trials = findTrials(ROOT).filter((trial) => trial.promises.some((id) => wanted.has(id)));
  const folder = mkdtempSync(path.join(tmpdir(), 'smartlink-chaos-'));
  const figuresFile = path.join(folder, 'figures.jsonl');
  try {
    const failed = await runAll(trials, { figures: figuresFile, size });
    if (failed === null) return 1;
    const figures = existsSync(figuresFile) ? parseFigures(readFileSync(figuresFile, 'utf8')) : [];
    const judged = judge(promises, figures, {
      failed: new Set(failed.flatMap(({ promises: ids }) => ids)),
      trials: countTrials(trials),
    });
    console.log(`\n${renderLines(judged)}`);
    for (const { file } of failed) console.log(`Failed: ${file}`);
    if (only === null) {
      writePage(
        renderPage(judged, { size, date: new Date().toISOString().slice(0, 10), machine: machine() }),
      );
      console.log('Written: docs/reliability.md');
    }
    return isFailure(judged) ? 1 : 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs the files one at a time, so that none takes another's processor. Returns those that failed, null when stopped. */
async function runAll(
  trials: ReturnType<typeof findTrials>,
  settings: Parameters<typeof runTrial>[2],
): Promise<ReturnType<typeof findTrials> | null> {
  const startedAt = performance.now();
  const failed = [];
  const state = { isStopped: false, stop: (): void => undefined };
  const onSignal = (): void => {
    state.isStopped = true;
    state.stop();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, onSignal);
  for (const [index, trial] of trials.entries()) {
    const elapsed = Math.round((performance.now() - startedAt) / 1_000);
    console.log(
      `\n[${index + 1}/${trials.length}, ${elapsed} s] ${trial.file}: ${trial.promises.join(', ')}`,
    );
    const run = runTrial(ROOT, trial.file, settings);
    state.stop = run.stop;
    if (!(await run.ended)) failed.push(trial);
    if (state.isStopped) return null;
  }
  return failed;
}

function writePage(page: string): void {
  writeFileSync(PAGE, page);
  spawnSync(process.execPath, [
    path.join(ROOT, 'node_modules/prettier/bin/prettier.cjs'),
    ...['--write', '--log-level', 'warn', PAGE],
  ]);
}

function machine(): string {
  const model = cpus()[0]?.model.trim() ?? 'unknown processor';
  const gibibytes = Math.round(totalmem() / 1024 ** 3);
  return `${availableParallelism()} × ${model}, ${gibibytes} GiB, ${platform()} ${arch()}, Node ${process.versions.node}`;
}
