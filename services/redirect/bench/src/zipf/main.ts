// The bench of visits to very many links; `npm run bench -- zipf` enters here.
import { runStackBench } from '../stack-bench.js';
import { measureZipf } from './measure-zipf.js';
import { presentZipf } from './present-zipf.js';

await runStackBench(
  {
    name: 'zipf',
    title: 'What visits to a million links cost',
    help: `npm run bench -- zipf

Visits to a million links of which few are visited often and most seldom (Zipf's law), by processes whose memory has room
for all of them, for a tenth and for a hundredth; and after Redis was emptied. In turns with visits to ten links. Needs
wrk (apt-get install wrk). A whole run takes some 10 minutes and writes docs/benchmarks/zipf.md.`,
    whole: { links: 1_000_000, entries: 100_000, fewEntries: 10_000, draws: 2_000_000, warmUpSeconds: 8 },
    smoke: { links: 20_000, entries: 2_000, fewEntries: 200, draws: 50_000, warmUpSeconds: 1 },
    secondsDefault: 4,
    needs: [['wrk', 'wrk']],
    isLinuxOnly: true,
    isPinned: true,
    measure: measureZipf,
    present: presentZipf,
  },
  {
    searchPath: process.env['PATH'],
    print: (line) => {
      console.log(line);
    },
  },
);
