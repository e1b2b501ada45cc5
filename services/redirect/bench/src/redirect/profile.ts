import { spawn, spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { withProgress } from '@smartlink/bench/progress';
import { missingProgram } from '@smartlink/bench/wrk';
import type { Bench } from './bench.js';
import type { ProfileFigures } from './findings.js';
import { groupOf, readReport } from './perf-report.js';
import { startService } from './servers.js';

const SAMPLES_PER_SECOND = 1_999;
const FUNCTIONS_MAX = 40;
const REPORT_BYTES_MAX = 64 * 2 ** 20;

/**
 * Returns where the worker's processor time goes under full load of the simple mix, by perf's samples of the processor's
 * clock; V8 names its functions for it. The service is one of its own: naming costs a little.
 */
export async function measureProfile(bench: Bench): Promise<ProfileFigures | { readonly skipped: string }> {
  const missing = missingProgram('perf', 'linux-perf');
  if (missing !== null) return { skipped: `no profile: ${missing}` };
  const { stack, cores, searchPath, mixes, options } = bench;
  const [few] = mixes;
  if (few === undefined) throw new Error('There are no visits');
  const { profileSeconds, warmUpSeconds } = options.sizes;
  const target = await startService({ stack, core: cores.server, searchPath }, 'profiled', {
    nodeArgs: ['--perf-basic-prof', '--interpreted-frames-native-stack'],
  });
  const pids = [...target.pids()];
  try {
    return await withProgress('profile', 2, async ({ step }) => {
      await bench.load(target, few, warmUpSeconds);
      step();
      const data = path.join(stack.folder('perf'), 'perf.data');
      const worker = target.service?.workerPids()[0] ?? 0;
      const recording = record(worker, data, profileSeconds, cores.others);
      await bench.load(target, few, profileSeconds + 1);
      const failure = await recording;
      step();
      if (failure !== null) return { skipped: `no profile: perf record: ${failure}` };
      return summarise(reportOf(data));
    });
  } finally {
    await target.stop();
    // V8 puts them there and nowhere else.
    for (const pid of pids) rmSync(`/tmp/perf-${pid}.map`, { force: true });
  }
}

/** Returns null once so many seconds are recorded, or why not. */
async function record(
  pid: number,
  data: string,
  seconds: number,
  core: string | null,
): Promise<string | null> {
  const perf = ['perf', 'record', '-q', '-e', 'cpu-clock', '-F', String(SAMPLES_PER_SECOND), '-o', data];
  const whole = [...perf, '-p', String(pid), '--', 'sleep', String(seconds)];
  const [command = '', ...args] = core === null ? whole : ['taskset', '-c', core, ...whole];
  const child = spawn(command, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: (seconds + 20) * 1_000,
  });
  let words = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (words += text));
  return new Promise((resolve) => {
    child.once('error', (err) => {
      resolve(err.message);
    });
    child.once('close', (code) => {
      resolve(code === 0 ? null : words.trim() || `exit code ${code ?? 'unknown'}`);
    });
  });
}

function reportOf(data: string): string {
  const args = ['report', '-i', data, '--stdio', '-q', '--no-children', '-F', 'overhead,dso,sym', '-t', '|'];
  const { stdout, stderr, status } = spawnSync('perf', args, {
    encoding: 'utf8',
    maxBuffer: REPORT_BYTES_MAX,
  });
  if (status !== 0) throw new Error(`perf report: ${stderr}`);
  return stdout;
}

function summarise(report: string): ProfileFigures {
  const entries = readReport(report);
  const shares = new Map<string, number>();
  for (const entry of entries) shares.set(groupOf(entry), (shares.get(groupOf(entry)) ?? 0) + entry.share);
  return {
    groups: [...shares].map(([group, share]) => ({ group, share })).toSorted((a, b) => b.share - a.share),
    functions: entries.toSorted((a, b) => b.share - a.share).slice(0, FUNCTIONS_MAX),
  };
}
