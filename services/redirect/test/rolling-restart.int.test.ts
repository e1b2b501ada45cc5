import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '@smartlink/embedded/ports';
import { createClosers } from '@smartlink/test-support/closers';
import { recordFigure } from '@smartlink/test-support/record-figure';
import { trialSize } from '@smartlink/test-support/trial-size';
import { until } from '@smartlink/test-support/until';
import { readStored } from './events-fixtures.js';
import { killVisited } from './kill-visited.js';
import { type Namespace, openNamespace, whyNoNamespaces } from './network-namespace.js';
import { startVisitors, type VisitorsEnd } from './rolling-visitors.js';
import { type Redirect, startRedirect } from './start-redirect.js';
import { openTrial, type Trial } from './trial.js';

const ROLLS = trialSize(1, 20);
const ROLL_DEADLINE_MS = 60_000;
const LOAD = {
  host: '127.0.0.1',
  slug: 'Docs',
  freshPerSecond: trialSize(25, 1_000),
  keepAlive: 8,
  pauseMs: trialSize(50, 4),
  visitsMax: trialSize(50_000, 500_000),
};
const KILLS = trialSize(1, 2);

const FIRST_SECRET = 'first-secret-of-the-test-with-32-bytes';
/** What a roll brings. */
const SECRETS = `second-secret-of-the-test-with-32-bytes,${FIRST_SECRET}`;
const secretsFile = join(tmpdir(), `smartlink-secrets-${process.pid}`);

const closers = createClosers();
closers.add(() => {
  rmSync(secretsFile, { force: true });
});
const without = whyNoNamespaces();
let trial: Trial;
let redirect: Redirect;
let prefix: readonly string[] = [];
/** Whether the kernel hands the queue of a closed listener to the others. */
let isMigrating = false;

beforeAll(async () => {
  trial = await openTrial({ clickhouse: 'own' });
  closers.add(trial.close);
  await trial.links.insert({ slug: LOAD.slug, url: 'https://example.org/' });
  writeFileSync(secretsFile, FIRST_SECRET);
  const env = { REDIRECT_PROCESSES: '2', COOKIE_SECRETS_FILE: secretsFile };
  const namespace = without === null ? openMigratingNamespace() : null;
  if (namespace === null) {
    redirect = await startRedirect(trial.databases, env);
  } else {
    isMigrating = true;
    closers.add(namespace.close);
    const { databaseUrl, redisUrl, clickhouseUrl } = trial.databases;
    const metrics = { host: '127.0.0.1', port: await freePort() };
    await namespace.reachOut([databaseUrl, redisUrl, clickhouseUrl].map(sameInside));
    await namespace.reachIn([{ listen: metrics, to: metrics }]);
    prefix = namespace.prefix;
    redirect = await startRedirect(trial.databases, { ...env, METRICS_PORT: String(metrics.port) }, prefix);
  }
  closers.add(redirect.stop);
});
afterAll(closers.close);

test('a roll with an invalid configuration is refused, and the workers stay', async () => {
  const before = redirect.workers();
  writeFileSync(secretsFile, 'short');
  redirect.process.kill('SIGUSR2');
  await until(async () => (await rolls('failed')) === 1, 'the roll has failed');
  expect(redirect.workers()).toEqual(before);
  writeFileSync(secretsFile, SECRETS);
});

test('workers are replaced under load without a failed visit or a lost event, and a killed worker is noticed', async () => {
  const before = redirect.workers();
  // As one to the whole group would: it is for the primary only.
  for (const worker of before) process.kill(worker, 'SIGUSR2');
  const visitors = await startVisitors({ ...LOAD, port: redirect.port, first: 0 }, prefix);
  closers.add(visitors.stop);
  redirect.process.kill('SIGUSR2');
  await until(() => logged('worker replaced') > 0, 'the first worker is replaced', ROLL_DEADLINE_MS);
  if (ROLLS > 1) {
    // However often another roll is requested, one more follows.
    redirect.process.kill('SIGUSR2');
    await until(() => logged('rolling restart queued behind the current one') === 1, 'it is noted');
    redirect.process.kill('SIGUSR2');
  }
  await untilRolled(Math.min(ROLLS, 2));
  for (let roll = 3; roll <= ROLLS; roll += 1) {
    redirect.process.kill('SIGUSR2');
    await untilRolled(roll);
  }
  const rolled = await visitors.stop();
  expect(redirect.workers()).toHaveLength(2);
  expect(redirect.workers().filter((pid) => before.includes(pid))).toEqual([]);
  if (process.platform === 'linux') {
    const env = readFileSync(`/proc/${redirect.workers()[0]}/environ`, 'utf8').split('\0');
    expect(env).toContain(`COOKIE_SECRETS=${SECRETS}`);
  }
  expect(rolled.failures.filter(({ kind }) => kind === 'kept')).toEqual([]);
  if (isMigrating) expect(rolled.failures).toEqual([]);
  expect(await redirect.metric('smartlink_redirect_worker_restarts_total')).toBe(0);

  const { killed, waited } = await visitWhileKilled(rolled.counts.fresh + rolled.counts.kept);
  // Each kill took a visit with it, so the visitors above would have told of one.
  expect(killed.failures.length).toBeGreaterThanOrEqual(waited);

  const lost = await countLost(rolled.redirected);
  expect(lost).toEqual({ missing: 0, doubled: 0 });
  expect(await rolls('failed')).toBe(1);
  recordFigure({
    promise: 'F2',
    trial:
      `${ROLLS} rolling restarts of 2 workers under ${rolled.counts.kept} visits on 8 kept connections and ` +
      `${rolled.counts.fresh} on fresh ones, ${isMigrating ? 'tcp_migrate_req=1' : `without tcp_migrate_req=1 (${without ?? 'it cannot be set'})`}`,
    measured:
      `${rolled.failures.length} failed, 0 events lost, 0 doubled; of ${killed.counts.kept} visits on kept ` +
      `connections during ${KILLS} kills -9 instead ${killed.failures.length} failed`,
    holds: rolled.failures.length === 0,
  });
}, 180_000);

const rolls = (result: string) =>
  redirect.metric(`smartlink_redirect_rolling_restarts_total{result="${result}"}`);
const logged = (msg: string): number => redirect.log.filter((line) => line.msg === msg).length;

async function untilRolled(times: number): Promise<void> {
  await until(
    async () => (await rolls('completed')) === times,
    `roll ${times} is complete`,
    ROLL_DEADLINE_MS,
  );
}

/**
 * Visits on kept connections while workers are killed one after the other instead of being drained. Only these visits
 * run, so one of them waits for the killed worker. `waited`: how often one was seen to wait.
 */
async function visitWhileKilled(first: number): Promise<{ killed: VisitorsEnd; waited: number }> {
  const options = { ...LOAD, freshPerSecond: 0, port: redirect.port, first };
  const visitors = await startVisitors(options, prefix);
  closers.add(visitors.stop);
  let waited = 0;
  for (let kill = 1; kill <= KILLS; kill += 1) {
    waited += (await killVisited(redirect.workers(), redirect.port)) ? 1 : 0;
    const isBack = async () =>
      (await redirect.metric('smartlink_redirect_worker_restarts_total')) === kill &&
      (await redirect.metric('smartlink_redirect_workers{state="ready"}')) === 2;
    await until(isBack, 'the worker is back');
  }
  return { killed: await visitors.stop(), waited };
}

/** Waits until the events of these visits are stored, and counts those that are not, and all that are more than once. */
async function countLost(redirected: readonly number[]) {
  const count = async () => {
    const { numbers, rows } = await readStored(trial.databases.clickhouseUrl);
    return {
      missing: redirected.filter((number) => !numbers.has(number)).length,
      doubled: rows - numbers.size,
    };
  };
  await until(async () => (await count()).missing === 0, 'the events are stored', 30_000).catch(
    () => undefined,
  );
  return count();
}

/** A namespace for this test alone, with the setting of the kernel; null where that cannot be set. */
function openMigratingNamespace(): Namespace | null {
  const namespace = openNamespace('roll');
  try {
    namespace.run('sh', '-c', 'echo 1 > /proc/sys/net/ipv4/tcp_migrate_req');
    return namespace;
  } catch {
    void namespace.close();
    return null;
  }
}

function sameInside(url: string) {
  const address = { host: '127.0.0.1', port: Number(new URL(url).port) };
  return { listen: address, to: address };
}
