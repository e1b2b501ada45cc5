import { spread } from '@smartlink/bench/figures';
import { ratios } from '@smartlink/bench/pairs';
import { number, renderMarkdown, times, timesText } from '@smartlink/bench/tables';
import type { Table } from '@smartlink/bench/tables';
import { PROCESSES } from './run-bench.js';
import type { CoresFigures, Findings } from './run-bench.js';

/** Returns the figures of both services, and the ratios of two processes to one, round by round. */
export function coresTable({ rounds }: Findings): Table {
  const row = (title: string, key: keyof CoresFigures, show: (value: number) => string, isRatio: boolean) => {
    const values = (count: (typeof PROCESSES)[number]) => rounds[count].map((figures) => figures[key]);
    const ratio = ratios(values('2'), values('1'));
    return [
      title,
      ...PROCESSES.map((count) => show(spread(values(count)).median)),
      isRatio ? timesText(ratio) : '',
    ];
  };
  const share = (value: number) => `${(100 * value).toFixed(0)} %`;
  return {
    head: [
      '',
      ...PROCESSES.map((count) => `${count} process${count === '1' ? '' : 'es'}`),
      '2 to 1 (least–most)',
    ],
    rows: [
      row('visits/s, client on the same cores', 'perSecond', number, true),
      row('CPU µs a visit, all workers', 'cpuUs', number, true),
      row('cores that the workers had', 'coresUsed', (value) => value.toFixed(2), true),
      row('connections of the fullest worker', 'fullest', share, false),
      row('processor time of the busiest worker', 'busiest', share, false),
    ],
  };
}

/** Returns the page of a run. */
export function renderPage(found: Findings): string {
  const { machine, date, options, connections, rounds } = found;
  const cost = ratios(
    rounds['2'].map(({ cpuUs }) => cpuUs),
    rounds['1'].map(({ cpuUs }) => cpuUs),
  );
  return `# What a second core brings

Written by \`npm run bench -- cores\` on ${date}: do not edit.

${machine} Nothing is pinned. The figures belong to this machine; what carries over is the ratios.

The redirect service with one process and with two, events recorded and spooled, each under as much load as one thread of
wrk makes over ${connections} connections that stay open: ${options.rounds} rounds of ${options.seconds} s, in turns.

${renderMarkdown(coresTable(found))}

On two cores the client takes a part of what it measures: with one process it has a core for itself, with two all three
share both. So the visits a second of two processes are fewer than a second machine as the client would show, and what
a core can do is told by the processor time a visit: two processes take ${times(cost.median)} of what one takes. The processes
share no lock and no memory, only the disk of the spool, so with c cores for them and a client elsewhere the service
answers c / ${times(cost.median).slice(1)} times the visits of one core, as long as connections are many enough to be dealt out evenly.

Linux deals out connections by a hash of their addresses (SO_REUSEPORT) and never moves them. Of n connections a worker
has half, give or take √n / 2: some 6 % more than its share with ${connections}, 1 % with 10,000. A balancer that keeps a
handful of connections may meet one worker with all of them; it should keep some dozens for each process.
`;
}
