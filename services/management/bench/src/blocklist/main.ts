// The bench of the blocklist; `npm run bench -- blocklist` enters here.
import path from 'node:path';
import { runProgram } from '@smartlink/bench/bench-program';
import { describeMachine } from '@smartlink/bench/machine';
import { renderText } from '@smartlink/bench/tables';
import { writePage } from '@smartlink/bench/write-page';
import { measureBlocklist } from './measure-blocklist.js';
import { HELP, readOptions } from './options.js';
import type { Options } from './options.js';
import { PLOT, blocklistTable, renderPage, renderPlot, verdicts } from './report.js';

await runProgram({ help: HELP, readOptions, run: bench });

async function bench({ entries, rounds, pageFolder }: Options): Promise<void> {
  const machine = describeMachine();
  console.log('Bench of the blocklist.');
  const found = await measureBlocklist({ entries, rounds }, (line) => {
    console.log(line);
  });
  console.log(`\n${renderText(blocklistTable(found))}\n\n${verdicts(found).join('\n')}`);
  if (pageFolder === null) return;
  const page = path.join(pageFolder, 'blocklist.md');
  await writePage(page, renderPage(found, machine, new Date().toISOString().slice(0, 10)), {
    [PLOT]: renderPlot(found),
  });
  console.log(`\nWritten to ${path.relative(process.cwd(), page)}`);
}
