import type { Pool } from 'pg';
import { Counter, type Registry } from 'prom-client';
import { type Job, type Logger, startJob } from '@smartlink/process/lifecycle';
import { gaugesFromQuery } from '../../plugins/metrics.js';
import type { UrlSafety } from '../../url-safety/url-safety.js';
import type { Outbox } from '../publishing/outbox.js';
import { type JudgedCounts, type JudgedOutcome, recheckBatch, toDue } from './judge-batch.js';
import { findActiveAfter, makeDue, measureOverdue } from './queries.js';

// No request waits for the answer, but a stop of the process does.
const QUESTION_MS_MAX = 5_000;
// While the provider is down the queue is read less often: each read writes a batch of rows in vain.
const PAUSE_WHILE_DOWN_RUNS = 10;
// The content is parsed at once, in the process that answers requests.
const PAGE_LIMITS = { limit: 500, bytes: 1024 * 1024 };
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

type RecheckObserver = {
  readonly onJudged: (counts: JudgedCounts) => void;
};

type UrlRechecksDeps = {
  readonly pg: Pool;
  readonly outbox: Outbox;
  readonly urlSafety: UrlSafety;
  readonly log: Logger;
  readonly observer: RecheckObserver;
};

/**
 * Starts the job that checks the stored URLs of Active links again and pauses links with unsafe ones. Any number of
 * processes may run one; each link is judged by one of them. Each process also compares all links with every list that
 * its provider loads: until then it accepts URLs by the list before. Stopping waits for the question in progress; links not
 * judged by then are due again.
 */
export function startUrlRechecks(deps: UrlRechecksDeps & { readonly intervalMs: number }): Job {
  let comparedVersion: number | undefined;
  return startJob({
    everyMs: deps.intervalMs,
    run: async (signal) => {
      const version = deps.urlSafety.listVersion?.();
      if (version !== comparedVersion) {
        await judgeListed(deps, signal);
        if (!signal.aborted) comparedVersion = version;
      }
      const isUp = await recheckDue(deps, signal);
      return isUp ? deps.intervalMs : deps.intervalMs * PAUSE_WHILE_DOWN_RUNS;
    },
    failure: 'stored URLs cannot be checked',
    log: deps.log,
  });
}

/**
 * Compares the URLs of all Active links with the provider's list, and judges at once those that are listed. The others
 * are only read. Rejects when Postgres fails.
 */
export async function judgeListed(deps: UrlRechecksDeps, signal?: AbortSignal): Promise<void> {
  const { pg, urlSafety, log } = deps;
  const counts = { links: 0, listed: 0 };
  let lastId = FIRST_ID;
  for (;;) {
    const page = (await findActiveAfter(pg, lastId, PAGE_LIMITS)).map(toDue);
    const last = page.at(-1);
    if (last === undefined || signal?.aborted === true) break;
    lastId = last.id;
    const { unsafe } = await urlSafety.check(
      page.flatMap(({ urls }) => urls),
      { failClosed: false },
    );
    const unsafeUrls = new Set(unsafe.map(({ url }) => url));
    const listed = page.filter(({ urls }) => urls.some(({ url }) => unsafeUrls.has(url)));
    counts.links += page.length;
    counts.listed += listed.length;
    if (listed.length === 0) continue;
    await makeDue(
      pg,
      listed.map(({ id }) => id),
    );
    await recheckDue(deps, signal);
  }
  log.info(counts, 'stored URLs compared with the blocklist');
}

/**
 * Judges what is due until nothing is, the provider is down, or the signal is aborted. Resolves to whether the provider
 * is up. Rejects when Postgres fails.
 */
export async function recheckDue(deps: UrlRechecksDeps, signal?: AbortSignal): Promise<boolean> {
  const { pg, outbox, urlSafety, log } = deps;
  const isStopped = (): boolean => signal?.aborted ?? false;
  for (;;) {
    const { counts, isProviderDown } = await recheckBatch({
      pg,
      outbox,
      ask: (urls) => urlSafety.check(urls, { limitMs: QUESTION_MS_MAX, failClosed: false }),
      isStopped,
    });
    const { safe, unsafe, unchecked, left } = counts;
    if (safe + unsafe + unchecked + left === 0) return true;
    deps.observer.onJudged(counts);
    if (unsafe > 0) log.info({ links: unsafe }, 'smartlinks paused for unsafe URLs');
    if (isProviderDown) return false;
    if (isStopped()) return true;
  }
}

const OUTCOMES: readonly JudgedOutcome[] = ['safe', 'unsafe', 'unchecked', 'left'];

export function observeUrlRechecks(registry: Registry, pg: Pool): RecheckObserver {
  const rechecked = new Counter({
    name: 'smartlink_url_rechecks_total',
    help: 'Smartlinks taken to have their URLs judged again, by outcome; left: changed at the same time, due again at once',
    labelNames: ['outcome'],
    registers: [registry],
  });
  for (const outcome of OUTCOMES) rechecked.inc({ outcome }, 0);
  gaugesFromQuery(registry, () => measureOverdue(pg), [
    {
      name: 'smartlink_url_checks_overdue',
      help: 'Smartlinks whose URLs are due to be judged, counted up to 10,000',
      member: 'count',
    },
    {
      name: 'smartlink_url_checks_oldest_seconds',
      help: 'How long the first of them has been due',
      member: 'oldestSeconds',
    },
  ]);
  return {
    onJudged(counts) {
      for (const outcome of OUTCOMES) rechecked.inc({ outcome }, counts[outcome]);
    },
  };
}
