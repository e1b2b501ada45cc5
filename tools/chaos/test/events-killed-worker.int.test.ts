import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { recordFigure } from '@smartlink/test-support/record-figure';
import { trialSize } from '@smartlink/test-support/trial-size';
import { until } from '@smartlink/test-support/until';
import { clearEvents, createSpool, readStored } from '../../../services/redirect/test/events-fixtures.js';
import { useTrial } from '../../../services/redirect/test/serve.js';
import { startRedirect } from '../../../services/redirect/test/start-redirect.js';
import { copyBuild } from './broken-builds.js';
import { createCrowd } from './events-harness.js';

// Reliability goal E2. A visit counts when its visitor has received the 302.

const KILLS = trialSize(1, 50);
const VISITS_A_KILL = { plain: trialSize(1_000, 5_000), strict: trialSize(200, 1_000) };
const LOAD = { slug: 'killed', connections: 20, pauseMs: 0 };
const ROUND_MS_MAX = 60_000;

/** What may be lost: 10 ms by design, 30 where processes wait for the processor (docs/runbook.md). */
const LOST_MS_MAX = 30;
const LOST_MS_IDLE = 10;
// More than that is shown as not held, and more than this fails: at a load of 22 on 2 cores it was 82 ms. Where a write of
// one byte by this process had to wait just before the kill, that comes on top. event-recorder.test.ts has the 5 ms of
// the design.
const LOST_MS_BOUND = 250;
const STARVATION_WINDOW_MS = 1_000;

const trial = useTrial({ clickhouse: 'own' }, [{ slug: LOAD.slug, url: 'https://example.org/' }]);

type Round = {
  /** Ages at the kill, in ms, of the visits that are not stored. */
  readonly lostMs: readonly number[];
  readonly visits: number;
  /** Longest wait of a write beside the spool in the last second before the kill. */
  readonly starvedMs: number;
};

/** Kills the only worker of a service under visits, again and again, and looks for the visits in ClickHouse. */
async function killWorkers(options: { mode: 'plain' | 'strict'; kills: number; main?: string }) {
  const { mode, kills, main } = options;
  const spool = createSpool();
  onTestFinished(spool.remove);
  const env = { SPOOL_DIR: spool.folder, EVENTS_STRICT: String(mode === 'strict') };
  const redirect = await startRedirect(trial.databases, env, [], main);
  onTestFinished(async () => {
    await redirect.stop();
  });
  const disk = await watchDisk(join(spool.folder, 'probe'));
  onTestFinished(disk.stop);

  const ends = [];
  for (let kill = 1; kill <= kills; kill++) {
    const [worker = 0] = redirect.workers();
    const crowd = createCrowd(redirect.port, kill * 1_000_000);
    let killedAt = 0;
    await crowd.visitMeanwhile(LOAD, async () => {
      const isVisited = () => crowd.redirected.size >= VISITS_A_KILL[mode];
      await until(isVisited, 'the worker has answered its share', ROUND_MS_MAX);
      killedAt = performance.now();
      process.kill(worker, 'SIGKILL');
    });
    crowd.close();
    ends.push({ redirected: crowd.redirected, killedAt, starvedMs: disk.longestWait(killedAt) });
    const isBack = async () =>
      (await redirect.metric('smartlink_redirect_worker_restarts_total')) === kill &&
      (await redirect.metric('smartlink_redirect_workers{state="ready"}')) === 1;
    await until(isBack, 'the worker is back', 30_000);
  }
  await redirect.stop();
  await disk.stop();
  await spool.send(trial.databases.clickhouseUrl);
  const stored = await readStored(trial.databases.clickhouseUrl);
  await clearEvents(trial.databases.clickhouseUrl);
  const rounds = ends.map(({ redirected, killedAt, starvedMs }): Round => {
    const lost = [...redirected].filter(([number]) => !stored.numbers.has(number));
    const lostMs = lost.map(([, receivedAt]) => Math.max(0, killedAt - receivedAt));
    return { lostMs, visits: redirected.size, starvedMs };
  });
  return { rounds, doubled: stored.rows - stored.numbers.size };
}

/** Writes a byte to a file now and then, and remembers how long each write took. */
async function watchDisk(path: string) {
  const file = await open(path, 'w');
  const waits: { readonly atMs: number; readonly waitedMs: number }[] = [];
  const state = { isStopped: false };
  const watch = async (): Promise<void> => {
    while (!state.isStopped) {
      const startedAt = performance.now();
      await file.write('.');
      const atMs = performance.now();
      waits.push({ atMs, waitedMs: atMs - startedAt });
      await sleep(1);
    }
  };
  const watching = watch();
  return {
    longestWait: (untilMs: number) =>
      waits
        .filter(({ atMs }) => atMs >= untilMs - STARVATION_WINDOW_MS)
        .reduce((longest, { waitedMs }) => Math.max(longest, waitedMs), 0),
    async stop() {
      if (state.isStopped) return;
      state.isStopped = true;
      await watching;
      await file.close();
    },
  };
}

const oldestOf = ({ lostMs }: Round): number => lostMs.reduce((oldest, ms) => Math.max(oldest, ms), 0);
const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

test(
  'kill -9: of the visits that were answered, only those of the last moment are lost, none doubled',
  { timeout: 60_000 + KILLS * ROUND_MS_MAX },
  async () => {
    const { rounds, doubled } = await killWorkers({ mode: 'plain', kills: KILLS });
    const lostMs = rounds.flatMap((round) => round.lostMs);
    const oldestMs = Math.max(...rounds.map(oldestOf));
    const starvedMs = Math.max(...rounds.map((round) => round.starvedMs));
    const older = lostMs.filter((ms) => ms > LOST_MS_IDLE).length;
    recordFigure({
      promise: 'E2',
      trial: `${KILLS} kills -9 of a worker under visits, ${sum(rounds.map(({ visits }) => visits))} answered`,
      measured:
        `${lostMs.length} lost, the oldest answered ${oldestMs.toFixed(1)} ms before the kill, ${older} of them more than ` +
        `${LOST_MS_IDLE} ms; a write beside the spool took ${starvedMs.toFixed(1)} ms at most; ${doubled} doubled`,
      holds: oldestMs <= LOST_MS_MAX,
    });
    expect(doubled).toBe(0);
    for (const round of rounds) expect(oldestOf(round)).toBeLessThanOrEqual(LOST_MS_BOUND + round.starvedMs);
    // An allowance must not excuse every round.
    expect(rounds.filter((round) => oldestOf(round) <= LOST_MS_BOUND).length).toBeGreaterThan(0);
  },
);

test(
  'kill -9 in strict mode: no visit that was answered is lost',
  { timeout: 60_000 + KILLS * ROUND_MS_MAX },
  async () => {
    const { rounds, doubled } = await killWorkers({ mode: 'strict', kills: KILLS });
    expect(rounds.flatMap(({ lostMs }) => lostMs)).toEqual([]);
    expect(doubled).toBe(0);
    recordFigure({
      promise: 'E2',
      trial: `${KILLS} kills -9 of a worker in strict mode under visits, ${sum(rounds.map(({ visits }) => visits))} answered`,
      measured: '0 lost, 0 doubled',
      holds: true,
    });
  },
);

// In full: on a fast machine the visits of a short trial are over before the bound.
const isFull = trialSize(false, true);
test.runIf(isFull)('a build that writes late is noticed', { timeout: 60_000 + ROUND_MS_MAX }, async () => {
  const build = copyBuild({
    package: 'redirect',
    file: 'events/event-recorder.js',
    find: 'flushAfterMs: 5,',
    replace: 'flushAfterMs: 60_000,',
  });
  onTestFinished(build.remove);
  const main = join(build.dist('redirect'), 'main.js');
  const { rounds } = await killWorkers({ mode: 'plain', kills: 1, main });
  const [round] = rounds;
  expect(round && oldestOf(round)).toBeGreaterThan(LOST_MS_BOUND + (round?.starvedMs ?? 0));
});
