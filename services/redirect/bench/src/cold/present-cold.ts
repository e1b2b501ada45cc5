import { spread } from '@smartlink/bench/figures';
import { ratios } from '@smartlink/bench/pairs';
import { renderBars } from '@smartlink/bench/plot';
import { number, times, timesText } from '@smartlink/bench/tables';
import type { Table } from '@smartlink/bench/tables';
import { loadPlot, loadTable } from '../load-ratios.js';
import type { LoadRow } from '../load-ratios.js';
import type { Section, Sized } from '../stack-bench.js';
import { CONNECTIONS, WIDE } from '../visit-load.js';
import type { ColdSizes } from './cold-run.js';
import type { LoneFigures, LoneKind } from './lone-visits.js';
import type { ColdFindings } from './measure-cold.js';
import type { LoadKindName } from './visit-kinds.js';

const TITLES: Readonly<Record<LoadKindName, string>> = {
  hot: 'redirect from memory',
  redis: 'link from Redis',
  postgres: `link from Postgres, ${CONNECTIONS} connections`,
  'postgres wide': `link from Postgres, ${WIDE} connections`,
  unknown: `unknown slug, ${WIDE} connections`,
  'unknown again': 'unknown slug, known to be',
  'page identity': 'page, not compressed',
  'page gzip': 'page, gzip',
  'page br': 'page, Brotli',
  'hot, counted': 'redirect from memory',
  'page 304': 'page that the browser has: 304',
};

/** Asked by another client: wrk waits for the body of a 304, which has none. */
const COUNTED: readonly LoadKindName[] = ['hot, counted', 'page 304'];

const LONE_TITLES: Readonly<Record<LoneKind, string>> = {
  hot: 'redirect from memory',
  redis: 'link from Redis',
  postgres: 'link from Postgres',
  unknown: 'unknown slug',
  'first page': 'page that nobody has seen',
};

/** Returns what the page of a run says. */
export function presentCold(
  { loads, lone, counts, pageBytes }: ColdFindings,
  { rounds, seconds, redisLinks }: Sized<ColdSizes>,
): { sections: readonly Section[]; plots: Readonly<Record<string, string>> } {
  const row = (name: LoadKindName): LoadRow => ({ title: TITLES[name], rounds: loads[name] });
  const rows = (Object.keys(loads) as LoadKindName[]).filter((name) => !COUNTED.includes(name)).map(row);
  const { redis, postgres } = counts;
  const share = (part: number, whole: number) => `${((100 * part) / whole).toFixed(1)} %`;
  const gathered = (postgres.visits / postgres.postgresQueries).toFixed(0);
  return {
    sections: [
      {
        title: 'Under full load',
        text: `wrk, ${CONNECTIONS} connections that each wait for their answer unless a row says otherwise, a browser's request of some 400 bytes; ${rounds} rounds of ${seconds} s, in turns, and each ratio is of one round. CPU is the processor time of the service's processes, the primary and the worker; that of Redis and Postgres, which share the other core with wrk, is not in it. A page is some 10 kB of HTML: ${pageBytes.identity} bytes as it is, ${pageBytes.gzip} by gzip, ${pageBytes.br} by Brotli.

![Processor time a visit](cold-cpu.svg)

![Visits a second](cold-rate.svg)`,
        table: loadTable(rows),
        below: `The process that is asked for links in Redis keeps 100 in memory and is asked for ${redisLinks.toLocaleString('en')}: ${share(redis.redisHits, redis.visits)} of its visits were answered from Redis. The one that asks Postgres finds its Redis emptied before each round: ${share(postgres.postgresHits, postgres.visits)} of its visits were answered from Postgres, ${gathered} by one query, for a process asks Postgres at most once in 20 ms for all who wait. That is why its rate grows with the connections and its processor is idle: it protects Postgres.`,
      },
      {
        title: 'A page that the browser has',
        text: `A 304 names the length of the page that it does not bring, as it may, and wrk then waits for it. These two were asked by a small Node program over ${CONNECTIONS} connections, in the same turns: the processor time is what counts here, since the rate is rather that of the client.`,
        table: loadTable(COUNTED.map(row)),
      },
      {
        title: 'One at a time',
        text: `One connection, and 30 ms without a visit before each: what one visitor waits who comes alone. The time of the client, which is a small Node program, is in all of them, so that the ratios are rather too small.

![What a lone visit waits](cold-lone.svg)`,
        table: loneTable(lone),
      },
    ],
    plots: {
      'cold-cpu': loadPlot(rows, 'cpuUs', {
        title: 'Processor time of a visit',
        unit: 'as a ratio to a redirect from memory; less is better',
      }),
      'cold-rate': loadPlot(rows, 'perSecond', {
        title: 'Visits a second',
        unit: 'as a ratio to redirects from memory; more is better',
      }),
      'cold-lone': lonePlot(lone),
    },
  };
}

function loneTable(lone: LoneFigures): Table {
  return {
    head: ['visit', 'p50 ms', 'ratio (least–most)', 'p90 ms', 'ratio (least–most)'],
    rows: (Object.keys(lone) as LoneKind[]).map((name) => {
      const cells = (['p50Us', 'p90Us'] as const).flatMap((measure) => [
        number(spread(lone[name].map((round) => round[measure])).median / 1_000),
        timesText(loneRatio(lone, name, measure)),
      ]);
      return [LONE_TITLES[name], ...cells];
    }),
  };
}

function lonePlot(lone: LoneFigures): string {
  return renderBars({
    title: 'What a visit that comes alone takes, median',
    unit: 'as a ratio to a redirect from memory; less is better',
    bars: (Object.keys(lone) as LoneKind[]).map((name, index) => ({
      label: LONE_TITLES[name],
      value: loneRatio(lone, name, 'p50Us'),
      isOurs: index > 0,
    })),
    write: times,
  });
}

function loneRatio(lone: LoneFigures, name: LoneKind, measure: 'p50Us' | 'p90Us') {
  return ratios(
    lone[name].map((round) => round[measure]),
    lone.hot.map((round) => round[measure]),
  );
}
