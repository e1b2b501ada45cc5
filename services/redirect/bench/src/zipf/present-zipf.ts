import { spread } from '@smartlink/bench/figures';
import { loadPlot, loadTable } from '../load-ratios.js';
import type { LoadRow } from '../load-ratios.js';
import type { LayerCounts } from '../layer-counts.js';
import type { Section, Sized } from '../stack-bench.js';
import { shareOfFirst } from './draws.js';
import { ZIPF_KINDS } from './measure-zipf.js';
import type { ZipfFindings, ZipfKind, ZipfSizes } from './measure-zipf.js';

/** Returns what the page of a run says. */
export function presentZipf(
  found: ZipfFindings,
  sizes: Sized<ZipfSizes>,
): { sections: readonly Section[]; plots: Readonly<Record<string, string>> } {
  const { links, entries, fewEntries, rounds, seconds, warmUpSeconds } = sizes;
  const count = (value: number) => value.toLocaleString('en');
  const titles: Readonly<Record<ZipfKind, string>> = {
    hot: 'ten links, all in memory',
    all: `memory for all ${count(links)}`,
    usual: `memory for ${count(entries)}`,
    small: `memory for ${count(fewEntries)}`,
    emptied: 'the same, Redis empty at first',
  };
  const rows: readonly LoadRow[] = ZIPF_KINDS.map((kind) => ({ title: titles[kind], rounds: found[kind] }));
  const shares = (kind: ZipfKind) =>
    LAYERS.map(({ of }) => percent(found[kind].map(({ counts }) => of(counts))));
  const first = (few: number) => `${(100 * shareOfFirst(few, links)).toFixed(0)} %`;
  return {
    sections: [
      {
        title: `${count(links)} links`,
        text: `Which link a visit goes to is drawn by Zipf's law with the exponent 1: the second link gets half the visits of the first, the third a third. By it the ${count(fewEntries)} most visited get ${first(fewEntries)} of all visits and the ${count(entries)} most visited ${first(entries)}. All links are in Redis, but where a row says otherwise. wrk, 64 connections that each wait for their answer; ${rounds} rounds of ${seconds} s in turns, each after ${warmUpSeconds} s of the same load; ratios to visits to ten links in the same round. CPU is that of the service's processes alone.

L1 is the memory of the process: the share of visits that it answered at once. An entry lives 30 s from when it was fetched, however often it is used, so that some are fetched again although there is room. While others are measured a process has no visits and its entries grow old: the warm-up brings those back that are visited often, and the shares of L1 are lower than they are under the same load all day. \`behind\` is the share of visits that had their answer and set off such a fetch. Redis and Postgres are the shares of visits that were answered from there.

![Visits a second](zipf-rate.svg)

![Processor time a visit](zipf-cpu.svg)`,
        table: loadTable(rows, {
          head: LAYERS.map(({ head }) => head),
          cells: (row) => shares(ZIPF_KINDS[row] ?? 'hot'),
        }),
      },
    ],
    plots: {
      'zipf-rate': loadPlot(rows, 'perSecond', {
        title: 'Visits a second',
        unit: 'as a ratio to visits to ten links; more is better',
      }),
      'zipf-cpu': loadPlot(rows, 'cpuUs', {
        title: 'Processor time of a visit',
        unit: 'as a ratio to visits to ten links; less is better',
      }),
    },
  };
}

const LAYERS: readonly { readonly head: string; readonly of: (counts: LayerCounts) => number }[] = [
  { head: 'L1', of: ({ l1Hits, visits }) => l1Hits / visits },
  { head: 'behind', of: ({ refreshes, visits }) => refreshes / visits },
  { head: 'Redis', of: (counts) => missesFrom(counts, counts.redisHits) },
  { head: 'Postgres', of: (counts) => missesFrom(counts, counts.postgresHits) },
];

/** Look-ups are made for visits and behind them, and counted together. */
function missesFrom({ l1Misses, visits, redisHits, postgresHits }: LayerCounts, hits: number): number {
  return ((l1Misses / visits) * hits) / Math.max(1, redisHits + postgresHits);
}

function percent(shares: readonly number[]): string {
  const share = 100 * spread(shares).median;
  return `${share.toPrecision(share >= 10 ? 3 : 2)} %`;
}
