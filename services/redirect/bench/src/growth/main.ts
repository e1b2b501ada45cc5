// The bench of what links cost as they become many; `npm run bench -- growth` enters here.
import { runStackBench } from '../stack-bench.js';
import { measureGrowth } from './measure-growth.js';
import { presentGrowth } from './present-growth.js';

await runStackBench(
  {
    name: 'growth',
    title: 'What links cost as they become many',
    help: `npm run bench -- growth [--full]

Looks links up in Postgres and Redis, publishes, and gets, lists, creates and changes them by the API, in a database that
grows from 1,000 to a million links, in turns with one that stays at 1,000. A whole run takes some 8 minutes and writes
docs/benchmarks/growth.md. --seconds means nothing here.`,
    fullHelp: 'grows to ten million links: half an hour, 20 GB of disk, 8 GB of memory',
    whole: { links: [1_000, 10_000, 100_000, 1_000_000], fullLinks: 10_000_000, repeats: 200 },
    smoke: { links: [1_000, 10_000], fullLinks: 20_000, repeats: 10 },
    secondsDefault: 1,
    needs: [],
    isLinuxOnly: false,
    isPinned: true,
    measure: measureGrowth,
    present: presentGrowth,
  },
  {
    searchPath: process.env['PATH'],
    print: (line) => {
      console.log(line);
    },
  },
);
