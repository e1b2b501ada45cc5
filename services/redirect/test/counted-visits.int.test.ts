import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { startBreakableProxy } from '@smartlink/test-support/breakable-proxy';
import { createClosers } from '@smartlink/test-support/closers';
import { request } from '@smartlink/test-support/raw-request';
import { recordFigure } from '@smartlink/test-support/record-figure';
import { trialSize } from '@smartlink/test-support/trial-size';
import { until } from '@smartlink/test-support/until';
import { createSpool, type Spool } from './events-fixtures.js';
import { LINUX, selectEvents, useTrial } from './serve.js';
import { startRedirect } from './start-redirect.js';

const trial = useTrial({ clickhouse: 'own' });
const closers = createClosers();
afterAll(closers.close);

type Count = {
  slug: string;
  source: string;
  outcome: string;
  exclusion: string;
  visits: number;
  ids: number;
};

/** Sends what ClickHouse did not take within the time of the stop, as the next start would, and counts the segments. */
async function sendLeft(spool: Spool): Promise<number> {
  const left = spool.names('.seg').length;
  await spool.send(trial.databases.clickhouseUrl);
  return left;
}

const COUNTS = `select slug, source, outcome, exclusion, toUInt32(count()) as visits, toUInt32(uniqExact(event_id)) as ids
  from events final group by all order by all`;

// Twelve visitors that never pause would compute for as long as ClickHouse hangs.
const VISIT_PAUSE_MS = trialSize(10, 0);

/** Time of a stop for what is in the spool. */
const SHIPPER_DEADLINE_MS = 3_500;

test.concurrent.each([
  ['false', 'answers', 2],
  ['true', 'answers', 1],
  ['false', 'hangs', 1],
] as const)(
  'after SIGTERM each visit is answered and counted once, EVENTS_STRICT=%s, while ClickHouse %s, %i workers',
  async (strict, clickhouse, processes) => {
    const slug = `counted${strict}${clickhouse}`;
    await trial.links.insert({ slug, url: 'https://example.org/' });
    const spool = createSpool();
    closers.add(spool.remove);
    const settings = { EVENTS_STRICT: strict, SPOOL_DIR: spool.folder };
    const line = await startBreakableProxy(trial.databases.clickhouseUrl);
    closers.add(line.close);
    const redirect = await startRedirect(
      { ...trial.databases, clickhouseUrl: line.url },
      { REDIRECT_PROCESSES: String(processes), ...settings },
    );
    closers.add(redirect.stop);
    const answered = new Map<string, number>();
    const otherStatuses = new Set<number>();
    const state = { isStopped: false };
    const visitor = async (path: string, userAgent: string): Promise<void> => {
      while (!state.isStopped) {
        const lines = [`GET ${path} HTTP/1.1`, 'Host: a', `User-Agent: ${userAgent}`, 'Connection: close'];
        const { status } = await request(redirect.port, lines);
        if (status === 302) answered.set(path + userAgent, (answered.get(path + userAgent) ?? 0) + 1);
        else otherStatuses.add(status);
        await sleep(VISIT_PAUSE_MS);
      }
    };
    const visitors = [
      visitor(`/${slug}`, LINUX),
      visitor(`/${slug}`, LINUX),
      visitor(`/q/${slug}`, LINUX),
      visitor(`/${slug}`, 'curl/8'),
    ];
    await until(() => (answered.get(`/${slug}${LINUX}`) ?? 0) > 100, 'visits are under way');
    if (clickhouse === 'hangs') line.freeze();
    const workers = redirect.workers();
    const stoppedAt = performance.now();
    const exitCode = await redirect.stop();
    const faults = redirect.log.filter(({ level }) => level === 'error' || level === 'fatal');
    expect({ exitCode, faults }).toEqual({ exitCode: 0, faults: [] });
    const exitMs = performance.now() - stoppedAt;
    state.isStopped = true;
    await Promise.all(visitors);
    // 0: refused or reset, once the service is gone.
    expect([...otherStatuses].filter((status) => status !== 0)).toEqual([]);
    for (const pid of workers) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    const left = await sendLeft(spool);
    if (clickhouse === 'hangs') expect(left).toBeGreaterThan(0);
    // A stop that had the time has sent everything.
    else if (exitMs < SHIPPER_DEADLINE_MS) expect(left).toBe(0);
    const counts = (await selectEvents<Count>(trial.databases.clickhouseUrl, COUNTS)).filter(
      (count) => count.slug === slug,
    );
    expect(counts.map(({ source, outcome, exclusion }) => `${source} ${outcome} ${exclusion}`)).toEqual([
      'click target ',
      'click excluded bot',
      'scan target ',
    ]);
    expect(counts.map(({ visits }) => visits)).toEqual([
      answered.get(`/${slug}${LINUX}`),
      answered.get(`/${slug}curl/8`),
      answered.get(`/q/${slug}${LINUX}`),
    ]);
    expect(counts.every(({ visits, ids }) => visits === ids)).toBe(true);
    recordFigure({
      promise: 'E1',
      trial:
        `SIGTERM of the whole service under visits, EVENTS_STRICT=${strict}, ClickHouse ${clickhouse}, ` +
        `${[...answered.values()].reduce((a, b) => a + b)} answered`,
      measured: `0 lost, 0 doubled; gone after ${Math.round(exitMs)} ms, ${left} segments left to the next start`,
      holds: exitMs <= 10_000,
    });
  },
);
