// The bench of visits over many connections; `npm run bench -- connections` enters here.
import { runStackBench } from '../stack-bench.js';
import { measureConnections } from './measure-connections.js';
import { presentConnections } from './present-connections.js';

await runStackBench(
  {
    name: 'connections',
    title: 'What connections cost',
    help: `npm run bench -- connections

Redirects over 64 connections, beside 10,000 quiet or slow ones, over 10,000 busy ones, and over a new one for each
visit; and the memory of a connection. Needs wrk (apt-get install wrk). A whole run takes some 4 minutes and writes
docs/benchmarks/connections.md.`,
    whole: { many: 10_000 },
    smoke: { many: 200 },
    secondsDefault: 3,
    needs: [['wrk', 'wrk']],
    isLinuxOnly: true,
    isPinned: true,
    measure: measureConnections,
    present: presentConnections,
  },
  {
    searchPath: process.env['PATH'],
    print: (line) => {
      console.log(line);
    },
  },
);
