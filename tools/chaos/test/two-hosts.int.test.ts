import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '@smartlink/embedded/ports';
import { createClosers } from '@smartlink/test-support/closers';
import { recordFigure, recordSkip } from '@smartlink/test-support/record-figure';
import { trialSize } from '@smartlink/test-support/trial-size';
import { until } from '@smartlink/test-support/until';
import { openVisitor, type Visitor } from '../../../services/redirect/test/changes-visitor.js';
import { withClient } from '../../../services/redirect/test/events-fixtures.js';
import {
  connectNamespaces,
  type Namespace,
  openNamespace,
  whyNoNamespaces,
} from '../../../services/redirect/test/network-namespace.js';
import { startVisitors } from '../../../services/redirect/test/rolling-visitors.js';
import { type Redirect, startRedirect } from '../../../services/redirect/test/start-redirect.js';
import { openTrial, type Trial } from '../../../services/redirect/test/trial.js';
import {
  addCaller,
  inWords,
  isSoon,
  type Management,
  startManagement,
  untilSeen,
} from './changes-harness.js';

// A minute of two services is more than `npm test` has to spare.
const isAsked = process.env['SMARTLINK_CHAOS'] === 'true';
const without = isAsked ? whyNoNamespaces() : 'in npm run chaos only';

const HOSTS = 2;
// More would measure the bridges that they come in by.
const VISITORS_PER_HOST = 3;
const UPDATES = trialSize(200, 2_000);
const CUT_MS = trialSize(5_000, 40_000);
const LOAD = { host: '127.0.0.1', freshPerSecond: 100, keepAlive: 4, pauseMs: 10, visitsMax: 200_000 };
const SEEN_DEADLINE_MS = 60_000;

type Host = {
  readonly namespace: Namespace;
  readonly redirect: Redirect;
  readonly visitors: readonly Visitor[];
  readonly cut: () => void;
  readonly mend: () => void;
};

const closers = createClosers();
let trial: Trial;
let management: Management;
let hosts: readonly Host[];

test.skipIf(without === null)('the trial of two hosts is skipped, and says why', ({ skip }) => {
  // Each promise that it has a figure of: one that is merely missing fails the run.
  for (const promise of ['C1', 'C6', 'E7'])
    recordSkip({ promise, trial: 'two redirect hosts on a network of their own', skipped: `${without}` });
  // Counted as skipped, not as passed.
  skip(`${without}`);
});

describe.skipIf(without !== null)('two redirect hosts, one store', () => {
  beforeAll(async () => {
    trial = await openTrial({ clickhouse: 'own' });
    closers.add(trial.close);
    const apiKey = await addCaller(trial.pool);
    management = await startManagement(trial.databases, trial.databases.redisUrl, apiKey);
    closers.add(management.kill);
    const core = openNamespace('core');
    closers.add(core.close);
    hosts = await Promise.all(Array.from({ length: HOSTS }, (_, index) => startHost(core, index + 1)));
  }, 60_000);
  afterAll(closers.close);

  test(
    'a change is seen on both, and one that is cut off from every store goes on and catches up',
    async () => {
      const [whole, lonely] = hosts as readonly [Host, Host];
      const id = await management.create('moving', 'https://example.org/0');
      await management.create('known', 'https://example.org/known');
      await untilMoved(hosts, 'https://example.org/0');
      const delays: number[] = [];
      for (let round = 1; round <= UPDATES; round += 1) {
        const url = `https://example.org/${round}`;
        await management.change(id, url);
        delays.push(await untilMoved(hosts, url));
      }
      recordFigure({
        promise: 'C1',
        trial: `${UPDATES.toLocaleString('en')} updates through the API, 2 redirect hosts of 2 processes on a network of their own`,
        measured: `${inWords(delays)} from the API's answer to the last visitor of both`,
        holds: isSoon(delays),
      });

      const crowds = await Promise.all(
        hosts.map(({ namespace, redirect }, index) =>
          startVisitors(
            { ...LOAD, slug: 'known', port: redirect.port, first: index * LOAD.visitsMax + 1 },
            namespace.prefix,
          ),
        ),
      );
      for (const crowd of crowds) closers.add(crowd.stop);
      lonely.cut();
      await management.change(id, 'https://example.org/moved');
      const seenMs = await untilMoved([whole], 'https://example.org/moved');
      await sleep(CUT_MS);
      const meanwhile = await Promise.all(lonely.visitors.map((visitor) => visitor.visit('moving')));
      lonely.mend();
      const caughtUpMs = await untilMoved([lonely], 'https://example.org/moved');
      const ends = await Promise.all(crowds.map((crowd) => crowd.stop()));
      expect(ends.map(({ failures }) => failures)).toEqual([[], []]);
      expect(new Set(meanwhile)).toEqual(new Set([`https://example.org/${UPDATES}`]));
      const alone = ends.at(-1)!;
      recordFigure({
        promise: 'C6',
        trial: `one of two hosts cut off from every store for ${CUT_MS / 1_000} s, ${alone.redirected.length} visits of it`,
        measured:
          `0 failed, slowest ${alone.slowestMs.toFixed(0)} ms; a change meanwhile was seen on the other host after ` +
          `${seenMs.toFixed(0)} ms, and on this one ${(caughtUpMs / 1_000).toFixed(1)} s after the link was back`,
        holds: true,
      });

      const numbers = ends.flatMap(({ redirected }) => redirected);
      const stored = await untilStored(numbers.length);
      expect(stored).toEqual({ events: numbers.length, distinct: numbers.length });
      recordFigure({
        promise: 'E7',
        trial: `${numbers.length} visits of two hosts, one of them cut off from every store meanwhile`,
        measured: '0 lost, 0 doubled',
        holds: true,
      });
    },
    SEEN_DEADLINE_MS * 3 + CUT_MS + UPDATES * 100,
  );
});

/** Starts a host: a namespace, a link to `core` by which alone it reaches the stores, and the service inside. */
async function startHost(core: Namespace, index: number): Promise<Host> {
  const namespace = openNamespace(`host${index}`);
  closers.add(namespace.close);
  const gateway = `10.77.${index}.1`;
  const device = `to${index}`;
  connectNamespaces(
    { namespace: core, device, address: `${gateway}/24` },
    { namespace, device: 'up0', address: `10.77.${index}.2/24` },
  );
  const { databases } = trial;
  const urls = [databases.databaseUrl, databases.redisUrl, databases.clickhouseUrl];
  await core.reachOut(
    urls.map((url) => {
      const port = Number(new URL(url).port);
      return { listen: { host: gateway, port }, to: { host: '127.0.0.1', port } };
    }),
  );
  const ports = [await freePort(), await freePort()] as const;
  await namespace.reachIn(
    ports.map((port) => ({ listen: { host: '127.0.0.1', port }, to: { host: '127.0.0.1', port } })),
  );
  const through = (url: string) => url.replace('127.0.0.1', gateway);
  const redirect = await startRedirect(
    {
      ...databases,
      databaseUrl: through(databases.databaseUrl),
      redisUrl: through(databases.redisUrl),
      clickhouseUrl: through(databases.clickhouseUrl),
    },
    { REDIRECT_PROCESSES: '2', REDIRECT_PORT: String(ports[0]), METRICS_PORT: String(ports[1]) },
    namespace.prefix,
  );
  closers.add(redirect.stop);
  const visitors = await Promise.all(
    Array.from({ length: VISITORS_PER_HOST }, () => openVisitor(redirect.port)),
  );
  for (const visitor of visitors) closers.add(visitor.close);
  return {
    namespace,
    redirect,
    visitors,
    // At the far end: the host itself is told nothing, packets just no longer arrive.
    cut: () => {
      core.run('ip', 'link', 'set', device, 'down');
    },
    mend: () => {
      core.run('ip', 'link', 'set', device, 'up');
    },
  };
}

const untilMoved = (those: readonly Host[], url: string) =>
  untilSeen(
    those.flatMap(({ visitors }) => visitors),
    'moving',
    url,
  );

/** Waits for `wanted` numbered events in ClickHouse and returns the count. */
async function untilStored(wanted: number) {
  const query =
    "select count(), uniqExact(utm_content) from events final where utm_content != '' and slug = 'known'";
  let stored = { events: 0, distinct: 0 };
  await withClient(trial.databases.clickhouseUrl, (client) =>
    until(
      async () => {
        const result = await client.query({ query, format: 'JSONCompactEachRow' });
        const [row] = await result.json<[string, string]>();
        stored = { events: Number(row?.[0]), distinct: Number(row?.[1]) };
        return stored.distinct >= wanted;
      },
      'the events are stored',
      SEEN_DEADLINE_MS,
    ),
  ).catch(() => undefined);
  return stored;
}
