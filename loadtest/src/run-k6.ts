import { spawn } from 'node:child_process';
import { createWriteStream, readFileSync } from 'node:fs';
import { freePort } from '@smartlink/embedded/ports';
import type { K6 } from './find-k6.js';

export type K6Run = {
  readonly k6: K6;
  readonly script: string;
  /** `__ENV` of the script, and K6_ variables. */
  readonly env: Readonly<Record<string, string>>;
  readonly folders: readonly string[];
  readonly logFile: string;
  /** Gets k6's figures as JSON. */
  readonly summaryFile: string;
  /** Called about once a second. */
  readonly onProgress: (progress: K6Progress) => void;
  readonly signal: AbortSignal;
};

export type K6Progress = {
  readonly seconds: number;
  readonly visits: number;
  readonly failed: number;
  readonly p95Ms: number;
};

const POLL_MS = 1_000;
/** A threshold did not hold (k6's exit codes). */
const THRESHOLDS_BROKEN = 99;
const LAST_LINES = 10;

/** Figures of a run by metric, as k6 exports them. */
export type K6Summary = { readonly metrics: Readonly<Record<string, K6Metric | undefined>> };

type K6Metric = {
  readonly [figure: string]: number | Readonly<Record<string, boolean>> | undefined;
  /** True where a threshold is broken. */
  readonly thresholds?: Readonly<Record<string, boolean>>;
};

/** A figure of a metric, 0 when nothing was measured. */
export function figureOf({ metrics }: K6Summary, metric: string, figure = 'count'): number {
  return Number(metrics[metric]?.[figure] ?? 0);
}

/** Broken thresholds, of one metric or of all. */
export function brokenThresholds({ metrics }: K6Summary, only?: string): readonly string[] {
  return Object.entries(metrics).flatMap(([metric, found]) =>
    only !== undefined && metric !== only
      ? []
      : Object.entries(found?.thresholds ?? {}).flatMap(([rule, isBroken]) =>
          isBroken ? [`${metric}: ${rule}`] : [],
        ),
  );
}

/**
 * Runs a k6 script to its end; whether all thresholds held, and what k6 printed at its end. When `signal` aborts, k6 is asked
 * to end and the call rejects once it has. Rejects with the end of k6's log when it ends in another way.
 */
export async function runK6(run: K6Run): Promise<{ readonly held: boolean; readonly printed: string }> {
  const address = `127.0.0.1:${await freePort()}`;
  const [command, ...argv] = run.k6.command(
    ['run', '--quiet', '--no-color', '--address', address, '--summary-export', run.summaryFile, run.script],
    run.env,
    run.folders,
  );
  // In a group of its own, which Ctrl-C does not reach: k6 is ended before the stack.
  const child = spawn(command, argv, {
    env: { ...process.env, ...run.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const log = createWriteStream(run.logFile);
  child.stdout.pipe(log, { end: false });
  child.stderr.pipe(log, { end: false });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
  const startedAt = performance.now();
  let looking = false;
  const timer = setInterval(() => {
    if (looking) return;
    looking = true;
    void readProgress(address)
      .then((seen) => {
        if (seen) run.onProgress({ ...seen, seconds: (performance.now() - startedAt) / 1000 });
      })
      .finally(() => (looking = false));
  }, POLL_MS);
  const stop = () => child.kill('SIGINT');
  run.signal.addEventListener('abort', stop);
  try {
    const ended = await new Promise<number | string>((resolve) => {
      child.once('error', (err) => {
        resolve(err.message);
      });
      child.once('close', (code, signal) => {
        resolve(code ?? signal ?? 'unknown');
      });
    });
    await new Promise<void>((resolve) => log.end(resolve));
    run.signal.throwIfAborted();
    if (ended === 0 || ended === THRESHOLDS_BROKEN) return { held: ended === 0, printed };
    const end = readFileSync(run.logFile, 'utf8').trim().split('\n').slice(-LAST_LINES).join('\n');
    throw new Error(`k6 ended with ${ended}:\n${end}`);
  } finally {
    clearInterval(timer);
    run.signal.removeEventListener('abort', stop);
  }
}

type Metric = {
  readonly id: string;
  readonly attributes: { readonly sample: Readonly<Record<string, number>> };
};

async function readProgress(address: string): Promise<Omit<K6Progress, 'seconds'> | null> {
  try {
    const response = await fetch(`http://${address}/v1/metrics`, { signal: AbortSignal.timeout(POLL_MS) });
    const { data } = (await response.json()) as { data: readonly Metric[] };
    const sample = (id: string) => data.find((metric) => metric.id === id)?.attributes.sample ?? {};
    return {
      visits: sample('visits_sent')['count'] ?? 0,
      failed: sample('visits_failed')['count'] ?? 0,
      p95Ms: sample('http_req_duration')['p(95)'] ?? 0,
    };
  } catch {
    // k6 has not started yet, or has ended.
    return null;
  }
}
