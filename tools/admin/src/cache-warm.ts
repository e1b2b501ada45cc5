import { publishSnapshots } from '@smartlink/link-resolver/link-publisher';
import type { LinkSnapshot } from '@smartlink/smartlink/snapshot';
import { setTimeout as wait } from 'node:timers/promises';
import { countAbout, listNewest, listSlugsOf } from './cache-queries.js';
import { readTruth, withRedis } from './cache-redis.js';
import type { Cache } from './cache-redis.js';
import { plural } from './plural.js';
import { Problem } from './problem.js';
import { showProgress } from './progress.js';
import type { Progress } from './progress.js';
import { describe, withSession } from './session.js';
import type { Session } from './session.js';
import type { Terminal } from './terminal.js';
import { whileListening } from './while-listening.js';

export type WarmOptions = {
  /** Of smartlinks; null: all. */
  readonly limit: number | null;
  /** Addresses a second at most. */
  readonly rate: number;
  readonly after: string | null;
  readonly json: boolean;
};

const SMARTLINKS_PER_QUERY = 500;
const LINKS = { name: 'smartlinks', size: 1 };

type Done = { smartlinks: number; addresses: number; unreadable: number; last: string | null };

/**
 * Publishes smartlinks as Postgres has them, newest first, so that Redis holds them before visitors ask. Beside live
 * traffic it is safe: what is as new or newer there stays. Throws Problem with where to go on when it
 * is interrupted or an engine fails.
 */
export async function warmCache(terminal: Terminal, options: WarmOptions): Promise<void> {
  const done: Done = { smartlinks: 0, addresses: 0, unreadable: 0, last: options.after };
  const startedAt = performance.now();
  const soFar = () => {
    const goOn = done.last === null ? '' : `; cache warm --after ${done.last} goes on`;
    return ` after ${plural(done.smartlinks, 'smartlink')}${goOn}.`;
  };
  await withSession(terminal.env, (session) =>
    withRedis(session, (cache) =>
      whileListening(terminal, soFar, async (signal) => {
        const total = Math.min(options.limit ?? Infinity, await countAbout(session.db, 'smartlinks'));
        const progress = showProgress(terminal, 'Publishing', total, LINKS);
        try {
          await walk(session, cache, { options, done, progress, signal });
        } catch (err) {
          if (signal.aborted) throw err;
          throw new Problem(`It broke off: ${describe(err)}${soFar()}`);
        } finally {
          progress.stop();
        }
      }),
    ),
  );
  const seconds = (performance.now() - startedAt) / 1_000;
  const { smartlinks, addresses, unreadable } = done;
  terminal.stdout(
    options.json
      ? `${JSON.stringify({ smartlinks, addresses, unreadable })}\n`
      : `Published ${plural(smartlinks, 'smartlink')} under ${addresses} addresses in ${seconds.toFixed(1)} s (${Math.round(addresses / seconds)} a second).\n`,
  );
  if (unreadable > 0) {
    throw new Problem(
      `No snapshot can be made of ${plural(unreadable, 'row')} of Postgres: cache verify names them.`,
    );
  }
}

type Walk = {
  readonly options: WarmOptions;
  readonly done: Done;
  readonly progress: Progress;
  readonly signal: AbortSignal;
};

async function walk({ db }: Session, cache: Cache, { options, done, progress, signal }: Walk): Promise<void> {
  const startedAt = performance.now();
  for (;;) {
    const left = (options.limit ?? Infinity) - done.smartlinks;
    const ids = left <= 0 ? [] : await listNewest(db, done.last, Math.min(left, SMARTLINKS_PER_QUERY));
    if (ids.length === 0) return;
    for await (const { snapshots } of readTruth(db, await listSlugsOf(db, ids))) {
      signal.throwIfAborted();
      const readable = [...snapshots].filter(
        (one): one is [string, LinkSnapshot] => !(one[1] instanceof Error),
      );
      await publishSnapshots(cache.redis, cache.keyPrefix, new Map(readable));
      done.addresses += readable.length;
      done.unreadable += snapshots.size - readable.length;
      const aheadMs = (done.addresses / options.rate) * 1_000 - (performance.now() - startedAt);
      if (aheadMs > 0) await wait(aheadMs, undefined, { signal });
    }
    done.smartlinks += ids.length;
    done.last = ids.at(-1) ?? null;
    progress.add(ids.length);
  }
}
