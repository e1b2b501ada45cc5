import { renderBars } from '@smartlink/bench/plot';
import type { Bar } from '@smartlink/bench/plot';
import { times } from '@smartlink/bench/tables';
import type { Plots } from '@smartlink/bench/write-page';
import type { StoredFigures } from './stored-events.js';

/** Names of the page's plots. */
export const RAW_PLOT = 'analytics-raw-rows';
export const GROWTH_PLOT = 'analytics-growth';

/** Returns the plots of the answers: beside raw rows, and as events grow. Every bar is a ratio. */
export function renderPlots(stored: readonly StoredFigures[]): Plots {
  const smallest = stored[0];
  const largest = stored.at(-1);
  if (smallest === undefined || largest === undefined) return {};
  return {
    [RAW_PLOT]: renderBars({
      title: 'What the same answer from raw rows takes',
      unit: "the API's answer = 1; longer: raw rows are slower; median and least to most of the pairs",
      bars: largest.rawPairs.map(({ title, ratio }) => ({ label: title, value: ratio, isOurs: false })),
      mark: { value: 1, label: 'the API' },
      write: times,
    }),
    [GROWTH_PLOT]: renderBars({
      title: `p50 with ${(largest.events / smallest.events).toLocaleString('en')} times as many events`,
      unit: `that with ${smallest.events.toLocaleString('en')} events = 1; shorter is better`,
      bars: largest.cases.flatMap(({ title, latencies }) => {
        const first = smallest.cases.find((each) => each.title === title)?.latencies[0];
        const last = latencies[0];
        return first && last ? [growthBar(title, last.p50Ms / first.p50Ms)] : [];
      }),
      mark: { value: 1, label: 'flat' },
      write: times,
    }),
  };
}

function growthBar(label: string, ratio: number): Bar {
  return { label, value: { median: ratio, least: ratio, most: ratio }, isOurs: true };
}
