import { spawn, spawnSync } from 'node:child_process';

export type WrkLoad = {
  readonly url: string;
  readonly connections: number;
  readonly seconds: number;
  /** A wrk script; it must end with what reportLua returns. */
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

// A status of 400 and above is one too.
const ERRORS = ['connect', 'read', 'write', 'status', 'timeout'] as const;

export type WrkError = (typeof ERRORS)[number];

/** Returns the end of a wrk script, by which wrk says what runWrk reads; of errors, those in `ignored` are not counted. */
export function reportLua(ignored: readonly WrkError[] = []): string {
  const counted = ERRORS.filter((kind) => !ignored.includes(kind)).map((kind) => `e.${kind}`);
  return `
done = function(summary, latency)
  local e = summary.errors
  io.write(string.format("\\nfigures %d %d %d %d %d\\n", summary.requests, summary.duration,
    latency:percentile(50), latency:percentile(99), ${counted.join(' + ')}))
end
`;
}

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
