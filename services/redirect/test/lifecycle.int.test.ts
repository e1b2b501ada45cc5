import { type AddressInfo, connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { parseResponse, request } from '@smartlink/test-support/raw-request';
import { recordFigure } from '@smartlink/test-support/record-figure';
import { trialSize } from '@smartlink/test-support/trial-size';
import { until } from '@smartlink/test-support/until';
import { findOwner, openVisitor } from './changes-visitor.js';
import { useTrial } from './serve.js';
import { type Redirect, startRedirect } from './start-redirect.js';

// F2: from the start until all are ready; from a crash to the start of the next process, and from there until it is.
const BOUND_MS = 1_000;
const KILLS = trialSize(1, 20);
const VISITORS = 12;

const trial = useTrial({ clickhouse: 'shared' }, [{ slug: 'Docs', url: 'https://example.org/' }]);

const statusOf = async (redirect: Redirect) =>
  (await request(redirect.port, ['GET /Docs HTTP/1.1', 'Host: a', 'Connection: close'])).status;

test('a killed worker is restarted while its sibling answers every visit; a killed primary takes its workers along', async () => {
  const startedAt = performance.now();
  // On a port of its own choice.
  const redirect = await startRedirect(trial.databases, { REDIRECT_PORT: '0', REDIRECT_PROCESSES: '2' });
  const isWhole = async () => (await redirect.metric('smartlink_redirect_workers{state="ready"}')) === 2;
  try {
    await until(isWhole, 'both are ready');
    const startMs = performance.now() - startedAt;
    const restartMs: number[] = [];
    const readyMs: number[] = [];
    let sent = 0;
    for (let kill = 1; kill <= KILLS; kill += 1) {
      const visitors = await Promise.all(
        Array.from({ length: VISITORS }, () => startVisiting(redirect.port)),
      );
      const [victim, sibling] = parted(redirect, visitors);
      process.kill(victim, 'SIGKILL');
      const killedAt = performance.now();
      let restartedAt = 0;
      let served = 0;
      await until(async () => {
        if (restartedAt === 0 && redirect.workers().some((pid) => pid !== victim && pid !== sibling.pid))
          restartedAt = performance.now();
        // Connections that waited in the dead worker's queue are reset by the system; new ones go to the sibling.
        if ((await statusOf(redirect)) === 302) served += 1;
        const restarts = await redirect.metric('smartlink_redirect_worker_restarts_total');
        return served > 0 && restarts === kill && (await isWhole());
      }, 'the worker is back');
      restartMs.push(restartedAt - killedAt);
      readyMs.push(performance.now() - restartedAt);
      expect(redirect.workers()).toContain(sibling.pid);
      expect(redirect.workers()).not.toContain(victim);
      for (const { answers, failure } of sibling.visitors) {
        const before = answers.length;
        await until(() => answers.length > before + 1 || failure() !== null, 'it is answered again');
        sent += answers.length;
        expect([failure(), new Set(answers)]).toEqual([null, new Set(['https://example.org/'])]);
      }
      for (const visitor of visitors) visitor.stop();
    }
    recordFigure({
      promise: 'F2',
      trial: `a service of 2 processes started, ${KILLS} kill(s) of one of them, ${sent} visits on connections to the sibling`,
      measured:
        `started again ${worst(restartMs)} ms after a kill at most, ready ${worst(readyMs)} ms after that at most, ` +
        `0 of the sibling's visits failed; the whole service was ready after ${startMs.toFixed(0)} ms`,
      holds: Math.max(startMs, ...restartMs, ...readyMs) <= BOUND_MS,
    });
    const workers = redirect.workers();
    process.kill(workers[0] ?? 0, 'SIGKILL');
    const isNew = (pid: number) => !workers.includes(pid);
    const starting = await until(() => redirect.workers().find(isNew), 'a worker is started again');
    await redirect.stop('SIGKILL');
    await until(() => [...workers, starting].every(isGone), 'the workers have ended');
  } finally {
    await redirect.stop();
  }
}, 120_000);

function isRefused(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(false);
    });
    socket.once('error', () => {
      resolve(true);
    });
  });
}

test('a second service on the same port is refused; a request in progress at SIGTERM is answered', async () => {
  const redirect = await startRedirect(trial.databases);
  const second = startRedirect(trial.databases, { REDIRECT_PORT: String(redirect.port) });
  await expect(second).rejects.toThrow(`REDIRECT_PORT: 127.0.0.1:${redirect.port} is taken`);
  let text = '';
  const head = `POST /Docs HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 10\r\n\r\n`;
  const socket = connect(redirect.port, '127.0.0.1');
  socket.on('data', (chunk) => (text += chunk.toString('latin1')));
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.write(`${head}passw`);
  await until(
    async () => (await redirect.metric('smartlink_redirect_requests_waiting')) === 1,
    'the request is under way',
  );
  const exited = redirect.stop();
  await until(() => isRefused(redirect.port), 'the worker listens no longer');
  socket.write('ord=x');
  await closed;
  // The link is not protected: back to it.
  expect(parseResponse(text)).toMatchObject({
    status: 303,
    headers: { location: '/Docs', connection: 'close' },
  });
  expect(await exited).toBe(0);
});

test('a taken port of the metrics is one clear line that names the variable', async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  const { port } = taken.address() as AddressInfo;
  try {
    await expect(startRedirect(trial.databases, { METRICS_PORT: String(port) })).rejects.toThrow(
      `METRICS_PORT: 127.0.0.1:${port} is taken`,
    );
  } finally {
    taken.close();
  }
});

test('every bad variable is reported at once', async () => {
  await expect(
    startRedirect(trial.databases, {
      REDIS_URL: 'http://x',
      REDIRECT_STATUS: '200',
      TRUSTED_PROXIES: '10.0.0.0/99',
      COOKIE_SECRETS: 'short',
    }),
  ).rejects.toThrow(/REDIS_URL[\s\S]*COOKIE_SECRETS[\s\S]*REDIRECT_STATUS[\s\S]*TRUSTED_PROXIES/);
});

test('a spool folder that cannot be made ends the start with the reason', async () => {
  await expect(startRedirect(trial.databases, { SPOOL_DIR: '/dev/null/spool' })).rejects.toThrow(
    /\/dev\/null/,
  );
});

test('with neither Redis nor Postgres it starts, is not ready, and answers 503', async () => {
  const redirect = await startRedirect({
    ...trial.databases,
    // Nobody listens there, and it is no address of loopback.
    redisUrl: 'redis://0.0.0.0:1',
    databaseUrl: 'postgres://nobody@127.0.0.1:1/nothing',
  });
  try {
    expect(await statusOf(redirect)).toBe(503);
    expect((await fetch(`${redirect.url}/-/ready`)).status).toBe(503);
    expect(await (await fetch(`${redirect.url}/-/ready`)).text()).toBe('not ready\n');
    expect(await (await fetch(`${redirect.url}/-/live`)).text()).toBe('live\n');
    // Through a proxy come strangers, who are not told either.
    for (const name of ['X-Forwarded-For', 'X-Real-IP', 'Forwarded', 'Via']) {
      const ask = async (path: string) =>
        (await fetch(`${redirect.url}${path}`, { headers: { [name]: '192.0.2.1' } })).status;
      expect([name, await ask('/-/live'), await ask('/-/ready')]).toEqual([name, 404, 404]);
    }
    const reasons = await fetch(`http://127.0.0.1:${redirect.metricsPort}/-/ready`);
    expect([reasons.status, await reasons.text()]).toEqual([
      503,
      expect.stringContaining('neither Redis nor Postgres'),
    ]);
    // Once, though its workers read the same variables.
    expect(redirect.log.filter(({ msg }) => msg.startsWith('REDIS_URL has no password'))).toHaveLength(1);
  } finally {
    expect(await redirect.stop()).toBe(0);
  }
});

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
}

const worst = (times: readonly number[]): string => Math.max(...times).toFixed(0);

/** A connection that visits again and again. */
type Visiting = {
  /** By which the system knows this end of the connection. */
  readonly port: number;
  readonly answers: readonly string[];
  /** Null while every visit was answered. */
  readonly failure: () => unknown;
  readonly stop: () => void;
};

/** Returns once the first visit is answered. */
async function startVisiting(port: number): Promise<Visiting> {
  const visitor = await openVisitor(port);
  const answers = [await visitor.visit('Docs')];
  let failure: unknown = null;
  const visitOn = async (): Promise<void> => {
    for (;;) {
      answers.push(await visitor.visit('Docs'));
      // Not as fast as it can: this process has more to do.
      await sleep(5);
    }
  };
  visitOn().catch((err: unknown) => (failure = err));
  return { port: visitor.localPort, answers, failure: () => failure, stop: visitor.close };
}

/** The worker with fewer visitors, to be killed, and the other with the visitors connected to it. */
function parted({ port, workers: all }: Redirect, visitors: readonly Visiting[]) {
  const workers = all();
  // Elsewhere the owner of a connection is unknown, and only new visitors are checked.
  const known = process.platform === 'linux' ? visitors : [];
  const [first, second] = workers.map((pid) => ({
    pid,
    visitors: known.filter((visitor) => findOwner([pid], port, visitor.port) === pid),
  }));
  if (!first || !second) throw new Error('there are no two workers');
  const [victim, sibling] =
    first.visitors.length <= second.visitors.length ? [first, second] : [second, first];
  if (process.platform === 'linux') expect(sibling.visitors.length).toBeGreaterThan(0);
  return [victim.pid, sibling] as const;
}
