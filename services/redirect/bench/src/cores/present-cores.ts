import { spread } from '@smartlink/bench/figures';
import { ratios } from '@smartlink/bench/pairs';
import { number, times, timesText } from '@smartlink/bench/tables';
import type { Table } from '@smartlink/bench/tables';
import type { Section, Sized } from '../stack-bench.js';
import { DEALT_CONNECTIONS, PROCESSES } from './measure-cores.js';
import type { CoresFigures, CoresFindings, CoresSizes, Processes } from './measure-cores.js';

/** Returns what the page of a run says. */
export function presentCores(
  found: CoresFindings,
  { rounds, seconds }: Sized<CoresSizes>,
): { sections: readonly Section[]; plots: Readonly<Record<string, string>> } {
  const cost = ratioOf(found, 'cpuUs').median;
  return {
    sections: [
      {
        title: 'One process and two',
        text: `The redirect service with one process and with two, events recorded and spooled, each under as much load as one thread of wrk makes over ${DEALT_CONNECTIONS} connections that stay open: ${rounds} rounds of ${seconds} s, in turns. Processor time and cores are those of the workers and of the primary that started them; the last two rows are of the workers alone.`,
        table: coresTable(found),
        below: `On two cores the client takes a part of what it measures: with one process it has a core for itself, with two all three share both. So the visits a second of two processes are fewer than a second machine as the client would show, and what a core can do is told by the processor time a visit: two processes take ${times(cost)} of what one takes. The processes share no lock and no memory, only the disk of the spool, so with c cores for them and a client elsewhere the service answers c / ${times(cost).slice(1)} times the visits of one core, as long as connections are many enough to be dealt out evenly.

Linux deals out connections by a hash of their addresses (SO_REUSEPORT) and never moves them. Of n connections a worker has half, give or take √n / 2: some 6 % more than its share with ${DEALT_CONNECTIONS}, 1 % with 10,000. A balancer that keeps a handful of connections may meet one worker with all of them; it should keep some dozens for each process.`,
      },
    ],
    plots: {},
  };
}

function coresTable(found: CoresFindings): Table {
  const row = (title: string, key: keyof CoresFigures, show: (value: number) => string, isRatio: boolean) => [
    title,
    ...PROCESSES.map((count) => show(spread(valuesOf(found, count, key)).median)),
    isRatio ? timesText(ratioOf(found, key)) : '',
  ];
  const share = (value: number) => `${(100 * value).toFixed(0)} %`;
  return {
    head: [
      '',
      ...PROCESSES.map((count) => `${count} process${count === '1' ? '' : 'es'}`),
      '2 to 1 (least–most)',
    ],
    rows: [
      row('visits/s, client on the same cores', 'perSecond', number, true),
      row('CPU µs a visit, primary and workers', 'cpuUs', number, true),
      row('cores that they had', 'coresUsed', (value) => value.toFixed(2), true),
      row('connections of the fullest worker', 'fullest', share, false),
      row('processor time of the busiest worker', 'busiest', share, false),
    ],
  };
}

/** Returns the ratios of two processes to one, round by round. */
const ratioOf = (found: CoresFindings, key: keyof CoresFigures) =>
  ratios(valuesOf(found, '2', key), valuesOf(found, '1', key));

const valuesOf = (found: CoresFindings, count: Processes, key: keyof CoresFigures): number[] =>
  found[count].map((figures) => figures[key]);
