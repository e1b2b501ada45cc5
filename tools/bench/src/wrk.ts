import { spawn, spawnSync } from 'node:child_process';

export type WrkLoad = {
  readonly url: string;
  readonly connections: number;
  readonly seconds: number;
  /** A wrk script; it must end with REPORT_LUA. */
  readonly script: string;
  /** As taskset names it; null: any. */
  readonly core: string | null;
  readonly signal: AbortSignal;
};

export type WrkFigures = {
  readonly requests: number;
  readonly elapsedUs: number;
  readonly p50Us: number;
  readonly p99Us: number;
};

/** Said by wrk when it is done; a status of 400 and above counts as an error. */
export const REPORT_LUA = `
done = function(summary, latency)
  local e = summary.errors
  io.write(string.format("\\nfigures %d %d %d %d %d\\n", summary.requests, summary.duration,
    latency:percentile(50), latency:percentile(99), e.connect + e.read + e.write + e.status + e.timeout))
end
`;

const GRACE_SECONDS = 20;

/** Returns null when the program is there, else what to say about the benchmark that is skipped. */
export function missingProgram(name: string, debianPackage: string): string | null {
  const { error } = spawnSync(name, ['--version'], { stdio: 'ignore' });
  return error === undefined ? null : `${name} is not installed: apt-get install ${debianPackage}`;
}

/** Runs wrk with one thread for `seconds`. Rejects when a request failed or was answered with 400 or more, and on `signal`. */
export async function runWrk({
  url,
  connections,
  seconds,
  script,
  core,
  signal,
}: WrkLoad): Promise<WrkFigures> {
  signal.throwIfAborted();
  // wrk takes whole seconds and no others.
  const argv = [
    'wrk',
    '-t1',
    `-c${connections}`,
    `-d${Math.max(1, Math.round(seconds))}s`,
    '-s',
    script,
    url,
  ];
  const [command = '', ...args] = core === null ? argv : ['taskset', '-c', core, ...argv];
  const child = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    signal: AbortSignal.any([signal, AbortSignal.timeout((seconds + GRACE_SECONDS) * 1_000)]),
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => {
      resolve();
    });
  });
  const figures = /^figures (\d+) (\d+) (\d+) (\d+) (\d+)$/m.exec(said)?.slice(1).map(Number);
  if (figures === undefined) throw new Error(`wrk said no figures:\n${said}`);
  const [requests = 0, elapsedUs = 0, p50Us = 0, p99Us = 0, errors = 0] = figures;
  if (errors > 0 || requests === 0) throw new Error(`Of ${requests} requests ${errors} failed:\n${said}`);
  return { requests, elapsedUs, p50Us, p99Us };
}
