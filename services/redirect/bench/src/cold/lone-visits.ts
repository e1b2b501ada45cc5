import { percentile } from '@smartlink/bench/figures';
import { inTurns } from '@smartlink/bench/pairs';
import { withProgress } from '@smartlink/bench/progress';
import { linkPaths } from '../many-links.js';
import type { StackRun } from '../stack-bench.js';
import { visitEach } from '../visit-client.js';
import { EMPTIED_DATABASE, emptyRedis } from '../visited-services.js';
import { pageNumber } from './cold-run.js';
import type { ColdServices, ColdSizes } from './cold-run.js';

export type LoneKind = 'hot' | 'redis' | 'postgres' | 'unknown' | 'first page';

/** How long visits take of which each comes by itself, in µs, round by round. */
export type LoneFigures = Readonly<
  Record<LoneKind, readonly { readonly p50Us: number; readonly p90Us: number }[]>
>;

// Above the 20 ms in which look-ups in Postgres are gathered: each visit finds it quiet.
const PAUSE_MS = 30;
// Behind those that were asked for under load.
const UNKNOWN_FROM = 200_000_000;

/** Visits each kind of link one at a time with a pause between, in turns. */
export async function measureLone(
  { stack, sizes, signal }: StackRun<ColdSizes>,
  services: ColdServices,
): Promise<LoneFigures> {
  const { loneVisits: visits, firstPages, redisLinks, rounds } = sizes;
  const kinds: Readonly<
    Record<
      LoneKind,
      { service: keyof ColdServices; status: number; paths: (round: number) => readonly string[] }
    >
  > = {
    hot: { service: 'hot', status: 302, paths: () => repeated(linkPaths(0, 1), visits) },
    // The memory of 100 links does not know them any more.
    redis: {
      service: 'redis',
      status: 302,
      paths: (round) => linkPaths((round * visits) % (redisLinks - visits), visits),
    },
    postgres: { service: 'postgres', status: 302, paths: (round) => linkPaths(round * visits, visits) },
    unknown: {
      service: 'unknown',
      status: 404,
      paths: (round) => linkPaths(UNKNOWN_FROM + round * visits, visits),
    },
    'first page': {
      service: 'pages',
      status: 200,
      // The first one of all is known from the load.
      paths: (round) => linkPaths(pageNumber(sizes, (round + 1) * firstPages), firstPages),
    },
  };
  return withProgress('one at a time', rounds * Object.keys(kinds).length, ({ step }) =>
    inTurns(Object.keys(kinds) as LoneKind[], { rounds, signal, onStep: step }, async (name, round) => {
      const { service, status, paths } = kinds[name];
      if (name === 'postgres') await emptyRedis(stack, EMPTIED_DATABASE);
      const latenciesUs = await visitEach({
        url: services[service].url,
        paths: paths(round),
        connections: 1,
        status,
        pauseMs: PAUSE_MS,
        signal,
      });
      // The first visit waits for its connection to be taken.
      const measured = latenciesUs.slice(1);
      return { p50Us: percentile(measured, 0.5), p90Us: percentile(measured, 0.9) };
    }),
  );
}

function repeated(paths: readonly string[], count: number): string[] {
  return Array.from({ length: count }, (_, i) => paths[i % paths.length] ?? '');
}
