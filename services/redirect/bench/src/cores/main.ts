// The bench of more cores; `npm run bench -- cores` enters here.
import { runStackBench } from '../stack-bench.js';
import { measureCores } from './measure-cores.js';
import { presentCores } from './present-cores.js';

await runStackBench(
  {
    name: 'cores',
    title: 'What a second core brings',
    help: `npm run bench -- cores

What a second process of the redirect service brings: the service with one and with two processes under the same load, in
turns. Nothing is pinned, so on two cores client and processes share them; what a process can do by itself is told by its
processor time a visit. Needs Linux and wrk (apt-get install wrk). A whole run takes about two minutes and writes
docs/benchmarks/cores.md.`,
    whole: { warmUpSeconds: 4 },
    smoke: { warmUpSeconds: 1 },
    secondsDefault: 5,
    needs: [['wrk', 'wrk']],
    isLinuxOnly: true,
    isPinned: false,
    measure: measureCores,
    present: presentCores,
  },
  {
    searchPath: process.env['PATH'],
    print: (line) => {
      console.log(line);
    },
  },
);
