import { slope } from '@smartlink/bench/figures';
import { times } from '@smartlink/bench/tables';
import type { Table } from '@smartlink/bench/tables';
import { loadPlot, loadTable } from '../load-ratios.js';
import type { LoadRow } from '../load-ratios.js';
import type { Section, Sized } from '../stack-bench.js';
import { CONNECTIONS } from '../visit-load.js';
import { CONNECTION_KINDS, SLOW_EVERY_MS } from './measure-connections.js';
import type {
  ConnectionFindings,
  ConnectionKind,
  ConnectionSample,
  ConnectionSizes,
} from './measure-connections.js';

/** Returns what the page of a run says. */
export function presentConnections(
  { many, loads, memory }: ConnectionFindings,
  { rounds, seconds, many: wanted }: Sized<ConnectionSizes>,
): { sections: readonly Section[]; plots: Readonly<Record<string, string>> } {
  const count = many.toLocaleString('en');
  const titles: Readonly<Record<ConnectionKind, string>> = {
    few: `${CONNECTIONS} connections`,
    quiet: `beside ${count} quiet ones`,
    slow: `beside ${count} slow ones`,
    busy: `${count} busy connections`,
    new: 'a new connection each visit',
  };
  const rows: readonly LoadRow[] = CONNECTION_KINDS.map((kind) => ({
    title: titles[kind],
    rounds: loads[kind],
  }));
  const fewer =
    many < wanted
      ? ` ${wanted.toLocaleString('en')} were wanted, but a process may not have so many files open here (ulimit -Hn).`
      : '';
  return {
    sections: [
      {
        title: 'Visits over many connections',
        text: `Redirects from memory by wrk over ${CONNECTIONS} connections that always have a visit under way, alone and beside ${count} that another process keeps open: quiet, or each with a visit every ${SLOW_EVERY_MS / 1_000} s (these visits are counted in the rate and the processor time, not in the latencies). Then ${count} connections that all have a visit under way, whose latency is the time in a queue of as many. In the last row ${CONNECTIONS} are under way, and each visit has a connection of its own, with \`Connection: close\`. ${rounds} rounds of ${seconds} s in turns; ratios to the first row in the same round.${fewer}

![Visits a second](connections-rate.svg)

![Processor time a visit](connections-cpu.svg)`,
        table: loadTable(rows),
      },
      {
        title: 'Memory of a connection',
        text: 'A worker of its own, weighed after its garbage was collected: what it takes by itself (RSS), without what the kernel holds for a socket.',
        table: memoryTable(memory),
        below: `${Math.round(perConnection(memory, 'rssBytes')).toLocaleString('en')} bytes a connection, ${Math.round(perConnection(memory, 'usedBytes')).toLocaleString('en')} of them in the heap.`,
      },
    ],
    plots: {
      'connections-rate': loadPlot(rows, 'perSecond', {
        title: 'Visits a second',
        unit: `as a ratio to ${CONNECTIONS} connections; more is better`,
      }),
      'connections-cpu': loadPlot(rows, 'cpuUs', {
        title: 'Processor time of a visit',
        unit: `as a ratio to ${CONNECTIONS} connections; less is better`,
      }),
    },
  };
}

function memoryTable(samples: readonly ConnectionSample[]): Table {
  const base = samples[0]?.rssBytes ?? Number.NaN;
  return {
    head: ['connections', 'RSS MiB', 'ratio', 'heap MiB'],
    rows: samples.map(({ connections, rssBytes, usedBytes }) => [
      connections.toLocaleString('en'),
      mebibytes(rssBytes),
      times(rssBytes / base),
      mebibytes(usedBytes),
    ]),
  };
}

const mebibytes = (bytes: number): string => (bytes / 2 ** 20).toFixed(1);

const perConnection = (samples: readonly ConnectionSample[], of: 'rssBytes' | 'usedBytes'): number =>
  slope(samples.map((sample) => ({ x: sample.connections, y: sample[of] })));
