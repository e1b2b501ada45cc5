import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('visiting-process.mjs', import.meta.url));

export type VisitorsEnd = {
  readonly counts: { readonly fresh: number; readonly kept: number };
  /** The numbers of visits that were redirected; each visit carries its own as utm_content. */
  readonly redirected: readonly number[];
  readonly slowestMs: number;
  /** What became of the others: a status, or an error's code. */
  readonly failures: readonly { readonly kind: 'fresh' | 'kept'; readonly end: string }[];
};

export type VisitorsOptions = {
  readonly host: string;
  readonly port: number;
  readonly slug: string;
  /** Visits that begin in a second, each on a connection of its own, whether or not earlier ones are answered. */
  readonly freshPerSecond: number;
  /** Connections that send one visit after the other, with `pauseMs` between. */
  readonly keepAlive: number;
  readonly pauseMs: number;
  /** The number of the first visit. */
  readonly first: number;
  readonly visitsMax: number;
};

export type Visitors = {
  /** Begins no more visits and resolves when those under way have ended. May be called again. */
  readonly stop: () => Promise<VisitorsEnd>;
};

/**
 * Starts visitors in a process of their own, run by the command `prefix` if there is one, and resolves when their first
 * visits are answered. Nothing is tried again, so each connection that is reset is a failure. The caller stops them.
 */
export async function startVisitors(
  options: VisitorsOptions,
  prefix: readonly string[] = [],
): Promise<Visitors> {
  const [command, ...args] = [...prefix, process.execPath, PROGRAM, JSON.stringify(options)];
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const readLine = async (): Promise<unknown> => {
    const { value, done } = await lines.next();
    if (done === true) throw new Error('The visitors ended before their time');
    return JSON.parse(value);
  };
  await readLine();
  let ended: Promise<VisitorsEnd> | undefined;
  return {
    stop() {
      child.stdin.end();
      ended ??= readLine() as Promise<VisitorsEnd>;
      return ended;
    },
  };
}
