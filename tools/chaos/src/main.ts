import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { arch, availableParallelism, cpus, platform, tmpdir, totalmem } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import {
  countTrials,
  findTrials,
  findUnknownPromises,
  isFailure,
  judge,
  readFigures,
  renderLines,
  renderPage,
  type TrialFile,
} from './judge.js';
import { PROMISES } from './promises.js';

const HELP = `npm run chaos [-- options]

Kills, stops and damages parts of the platform and counts the effects. Prints the reliability promises with their results
and, without --only, writes docs/reliability.md.

  --full         the sizes named by the promises: about half an hour; otherwise those of npm test: some minutes
  --only E1,E8   only the trials of these promises
  --list         list the promises
  --help         show this text

Exit code 1 when a test fails or a trial leaves no figure. A missed time is shown but does not fail the run.`;

const LIST = PROMISES.map(({ id, goal }) => `  ${id.padEnd(5)}${goal}`).join('\n');

const ROOT = path.resolve(import.meta.dirname, '../../..');
const PAGE = path.join(ROOT, 'docs/reliability.md');
const VITEST = path.join(ROOT, 'node_modules/vitest/vitest.mjs');
const FORMATTER = path.join(ROOT, 'node_modules/oxfmt/bin/oxfmt');

type Options = ReturnType<typeof readOptions>;

let options: Options | undefined;
try {
  options = readOptions();
} catch (err) {
  console.error(`${err instanceof Error ? err.message : String(err)}\n\n${HELP}`);
  process.exitCode = 1;
}
if (options?.help || options?.list) console.log(options.list ? LIST : HELP);
else if (options?.check !== undefined) process.exitCode = checkFigures(options.check);
else if (options) process.exitCode = await runTrials(options);

function readOptions() {
  const { values } = parseArgs({
    options: {
      full: { type: 'boolean' },
      only: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
      list: { type: 'boolean', default: false },
      // Called by `npm test` with the file of figures from its integration tests.
      check: { type: 'string' },
    },
  });
  const only = values.only?.split(',').map((id) => id.trim().toUpperCase());
  const unknown = only?.find((id) => !PROMISES.some((promise) => promise.id === id));
  if (unknown !== undefined) throw new Error(`Unknown promise: ${unknown}`);
  const size: 'full' | 'short' = values.full ? 'full' : 'short';
  return { size, only, help: values.help, list: values.list, check: values.check };
}

/** Judges figures of an earlier run, whose failed tests are reported there. */
function checkFigures(file: string): number {
  const figures = readFigures(file);
  const judged = judge(PROMISES, figures, { failed: new Set(), trials: countTrials(findTrials(ROOT)) });
  const unknown = findUnknownPromises(figures);
  console.log(renderLines(judged));
  for (const id of unknown) console.error(`A figure names an unknown promise: ${id}`);
  const count = (verdict: string) => judged.filter((one) => one.verdict === verdict).length;
  console.log(
    `${judged.length} promises: ${count('held')} held, ${count('not held')} with a time missed on this machine, ` +
      `${count('skipped')} skipped, ${count('incomplete')} incomplete, ${count('no figure')} without a figure`,
  );
  return isFailure(judged) || unknown.length > 0 ? 1 : 0;
}

async function runTrials({ size, only }: Options): Promise<number> {
  const promises = PROMISES.filter(({ id }) => only?.includes(id) ?? true);
  const trials = findTrials(ROOT).filter((trial) => promises.some(({ id }) => trial.promises.includes(id)));
  const folder = mkdtempSync(path.join(tmpdir(), 'smartlink-chaos-'));
  const figuresFile = path.join(folder, 'figures.jsonl');
  try {
    const failed = await runFiles(trials, figuresFile, size);
    if (failed === null) return 1;
    const judged = judge(promises, readFigures(figuresFile), {
      failed: new Set(failed.flatMap((trial) => trial.promises)),
      trials: countTrials(trials),
    });
    console.log(`\n${renderLines(judged)}`);
    for (const { file } of failed) console.log(`Failed: ${file}`);
    if (only === undefined) {
      const date = new Date().toISOString().slice(0, 10);
      writeFileSync(PAGE, renderPage(judged, { size, date, machine: machine() }));
      spawnSync(process.execPath, [FORMATTER, PAGE]);
      console.log('Written: docs/reliability.md');
    }
    return isFailure(judged) ? 1 : 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs the files one at a time, so that they do not compete for CPU. Returns the failed ones, null after a signal. */
async function runFiles(trials: readonly TrialFile[], figuresFile: string, size: Options['size']) {
  const startedAt = performance.now();
  const failed: TrialFile[] = [];
  let isStopped = false;
  let child: ChildProcess | undefined;
  const onSignal = (): void => {
    isStopped = true;
    child?.kill('SIGTERM');
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, onSignal);
  const { SMARTLINK_TEST_SIZE: _inherited, ...inherited } = process.env;
  const env = {
    ...inherited,
    SMARTLINK_FIGURES: figuresFile,
    // Enables trials that are too long for `npm test`.
    SMARTLINK_CHAOS: 'true',
    ...(size === 'full' ? { SMARTLINK_TEST_SIZE: 'full' } : {}),
  };
  for (const [index, trial] of trials.entries()) {
    const elapsed = Math.round((performance.now() - startedAt) / 1_000);
    const ids = trial.promises.join(', ');
    console.log(`\n[${index + 1}/${trials.length}, ${elapsed} s] ${trial.file}: ${ids}`);
    const argv = [VITEST, 'run', '--project', 'integration', '--maxWorkers=1', trial.file];
    child = spawn(process.execPath, argv, { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'], env });
    const [exitCode] = (await once(child, 'exit')) as [number | null];
    if (exitCode !== 0) failed.push(trial);
    if (isStopped) return null;
  }
  return failed;
}

function machine(): string {
  const model = cpus()[0]?.model.trim() ?? 'unknown processor';
  const gibibytes = Math.round(totalmem() / 1024 ** 3);
  return `${availableParallelism()} × ${model}, ${gibibytes} GiB, ${platform()} ${arch()}, Node ${process.versions.node}`;
}
