import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';
const DEADLINE_MS = 30_000;

export type Visit = { readonly slug: string; readonly query?: string; readonly referer?: string };

export type Crowd = {
  /** Visits once and resolves with the milliseconds it took; a visit that is not redirected counts as failed. */
  readonly visit: (visit: Visit) => Promise<number>;
  /**
   * Visits on and on over `connections` connections, each with `pauseMs` between an answer and the next visit, until
   * `work` has ended. Resolves with the milliseconds of each visit.
   */
  readonly visitMeanwhile: (
    load: Visit & { readonly connections: number; readonly pauseMs: number },
    work: () => Promise<unknown>,
  ) => Promise<readonly number[]>;
  /** The numbers of the visits that were redirected: each visit has its own, as utm_content. */
  readonly redirected: ReadonlySet<number>;
  readonly failed: () => number;
  readonly close: () => void;
};

/** Returns visitors of the service on `port`, who remember each of their visits. The caller closes it. */
export function createCrowd(port: number): Crowd {
  const agent = new Agent({ keepAlive: true });
  const redirected = new Set<number>();
  let next = 0;
  let failed = 0;

  const visit = async ({ slug, query = '', referer }: Visit): Promise<number> => {
    const number = next++;
    const startedAt = performance.now();
    const status = await new Promise<number>((resolve) => {
      const headers = { 'user-agent': BROWSER, ...(referer === undefined ? {} : { referer }) };
      const path = `/${slug}?utm_content=${number}${query}`;
      const req = get({ agent, host: '127.0.0.1', port, path, headers, timeout: DEADLINE_MS }, (res) => {
        res.resume().on('end', () => {
          resolve(res.statusCode ?? 0);
        });
      });
      req.on('timeout', () => req.destroy());
      req.on('error', () => {
        resolve(0);
      });
    });
    if (status === 302) redirected.add(number);
    else failed += 1;
    return performance.now() - startedAt;
  };

  return {
    visit,
    redirected,
    failed: () => failed,
    async visitMeanwhile({ connections, pauseMs, ...what }, work) {
      const state = { isOver: false };
      const latenciesMs: number[] = [];
      const visitor = async (): Promise<void> => {
        while (!state.isOver) {
          latenciesMs.push(await visit(what));
          if (pauseMs > 0) await sleep(pauseMs);
        }
      };
      const visitors = Array.from({ length: connections }, visitor);
      try {
        await work();
      } finally {
        state.isOver = true;
        await Promise.all(visitors);
      }
      return latenciesMs;
    },
    close: () => {
      agent.destroy();
    },
  };
}
