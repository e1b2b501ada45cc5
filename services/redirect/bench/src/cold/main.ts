// The bench of visits that the memory of the service cannot answer; `npm run bench -- cold` enters here.
import { runStackBench } from '../stack-bench.js';
import { measureCold } from './measure-cold.js';
import { presentCold } from './present-cold.js';

await runStackBench(
  {
    name: 'cold',
    title: 'What a visit costs that is no redirect from memory',
    help: `npm run bench -- cold

Visits whose link the process does not know: from Redis, from Postgres with Redis empty, slugs that lead nowhere, and a
hosted page of some 10 kB in every encoding; each as a ratio to a redirect from memory, in turns. Needs wrk (apt-get
install wrk). A whole run takes some 5 minutes and writes docs/benchmarks/cold.md.`,
    whole: {
      storedLinks: 200_000,
      redisLinks: 20_000,
      countedVisits: 30_000,
      loneVisits: 60,
      firstPages: 30,
    },
    smoke: { storedLinks: 40_000, redisLinks: 1_000, countedVisits: 2_000, loneVisits: 5, firstPages: 3 },
    secondsDefault: 3,
    needs: [['wrk', 'wrk']],
    isLinuxOnly: true,
    isPinned: true,
    measure: measureCold,
    present: presentCold,
  },
  {
    searchPath: process.env['PATH'],
    print: (line) => {
      console.log(line);
    },
  },
);
