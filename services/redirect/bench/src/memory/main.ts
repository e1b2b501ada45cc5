// The bench of what links take in the memory of a worker; `npm run bench -- memory` enters here.
import { runStackBench } from '../stack-bench.js';
import { measureMemory } from './measure-memory.js';
import { presentMemory } from './present-memory.js';

await runStackBench(
  {
    name: 'memory',
    title: 'What links take in memory',
    help: `npm run bench -- memory

Weighs a worker as a million Url links, 100,000 App links and 2,000 pages come into its memory, beside what its cache
reckons by itself. A whole run takes some 6 minutes and writes docs/benchmarks/memory.md. --rounds and --seconds mean
nothing here.`,
    whole: { url: [100_000, 300_000, 1_000_000], app: [30_000, 100_000], page: [700, 2_000] },
    smoke: { url: [2_000, 5_000], app: [2_000], page: [700] },
    secondsDefault: 1,
    needs: [],
    isLinuxOnly: true,
    isPinned: true,
    measure: measureMemory,
    present: presentMemory,
  },
  {
    searchPath: process.env['PATH'],
    print: (line) => {
      console.log(line);
    },
  },
);
