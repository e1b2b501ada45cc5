import { renderBars } from '@smartlink/bench/plot';
import { number, renderMarkdown, times, timesText } from '@smartlink/bench/tables';
import type { Table } from '@smartlink/bench/tables';
import type { Findings } from './measure-blocklist.js';

const LOOK_UP_GOAL_US = 10;
const MEMORY_GOAL_MIB = 150;

/** Returns the figures of a run as a table. */
export function blocklistTable(found: Findings): Table {
  const { lookUps, restDelayMs, reloadDelayMs } = found;
  return {
    head: ['of a list', `${found.entries.toLocaleString('en')} entries, ${number(found.fileMib)} MiB`],
    rows: [
      ['look-up of a URL that is not on it, µs', number(lookUps.miss.us.median)],
      ['a Set of strings takes', timesText(lookUps.miss.otherTakes)],
      ['look-up of one that is, µs', number(lookUps.hit.us.median)],
      ['a Set of strings takes', timesText(lookUps.hit.otherTakes)],
      ['its table, MiB', number(found.tableMib)],
      ['resident memory that it takes, MiB', number(found.listMib)],
      ['a Set of strings takes', `${times(found.setMib / found.listMib)} (${number(found.setMib)} MiB)`],
      ['the same, at the most while it is read again, MiB', number(found.reloadPeakMib)],
      ['first load, ms', number(found.loadMs)],
      ['reload, ms', number(found.reloadMs)],
      ['processor time of a reload, ms', number(found.reloadCpuMs)],
      ['event loop late, at rest, p99 and max, ms', `${number(restDelayMs.p99)}, ${number(restDelayMs.max)}`],
      [
        'event loop late, during a reload, p99 and max, ms',
        `${number(reloadDelayMs.p99)}, ${number(reloadDelayMs.max)}`,
      ],
      ['longest turn of the event loop, processor time, ms', number(found.longestTurnCpuMs)],
    ],
  };
}

/** Returns a line a goal. */
export function verdicts({ lookUps, listMib, reloadPeakMib }: Findings): readonly string[] {
  const line = (what: string, value: number, goal: number, unit: string) =>
    `${value <= goal ? 'met' : 'missed'}: ${what}, ${number(value)} of at most ${goal} ${unit}`;
  return [
    line('a look-up', Math.max(lookUps.miss.us.median, lookUps.hit.us.median), LOOK_UP_GOAL_US, 'µs'),
    line('memory', listMib, MEMORY_GOAL_MIB, 'MiB'),
    line('memory during a reload', reloadPeakMib, MEMORY_GOAL_MIB, 'MiB'),
  ];
}

/** Returns the page of a whole run. */
export function renderPage(found: Findings, machine: string, date: string): string {
  return `# What the blocklist costs

Written by \`npm run bench -- blocklist\` on ${date}: do not edit.

${machine}

Nine entries of ten are hosts, the others URLs. A URL is looked up through the call that the service makes, with three
labels in its host: four keys. The event loop's lateness is that of a timer of one millisecond: the longest that a request
was kept waiting, by other processes too. The longest turn is without those, but with the collector's threads.

Look-ups go in turns with those of a \`Set\` that holds every host and URL as a string, and takes URLs apart by \`new URL\`:
ratios are medians of the pairs', least and most beside them.

![What a Set of strings takes, in units of the blocklist](${PLOT}.svg)

${renderMarkdown(blocklistTable(found))}

${verdicts(found)
  .map((verdict) => `- ${verdict}`)
  .join('\n')}
`;
}

/** Name of the page's plot. */
export const PLOT = 'blocklist-set';

/** Returns the plot of the page. */
export function renderPlot({ lookUps, setMib, listMib }: Findings): string {
  const memory = setMib / listMib;
  return renderBars({
    title: 'What a Set of strings takes',
    unit: 'the blocklist = 1; longer: the Set takes more; median and least to most of the pairs',
    bars: [
      { label: 'time of a look-up, not on the list', value: lookUps.miss.otherTakes },
      { label: 'time of a look-up, on the list', value: lookUps.hit.otherTakes },
      { label: 'memory', value: { median: memory, least: memory, most: memory } },
    ],
    mark: { value: 1, label: 'the blocklist' },
    write: times,
  });
}
