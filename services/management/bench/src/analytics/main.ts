// The bench of events and analytics; `npm run bench -- analytics` enters here.
import path from 'node:path';
import { runProgram } from '@smartlink/bench/bench-program';
import { renderText } from '@smartlink/bench/tables';
import { writePage } from '@smartlink/bench/write-page';
import { HELP, readOptions } from './options.js';
import type { Options } from './options.js';
import { renderPage } from './page.js';
import { renderPlots } from './plots.js';
import { tablesOf, verdicts } from './report.js';
import { runBench } from './run-bench.js';
import { EVENTS_DEFAULT } from './sizes.js';

await runProgram({ help: HELP, readOptions, run: bench });

async function bench(options: Options, signal: AbortSignal): Promise<void> {
  const { pageFolder, events } = options;
  console.log(`Bench of events and analytics${events >= EVENTS_DEFAULT ? ', some 12 minutes' : ''}.`);
  const findings = await runBench({
    options,
    searchPath: process.env['PATH'],
    print: (line) => {
      console.log(line);
    },
    onPart: (found) => {
      for (const { title, table } of tablesOf(found)) console.log(`\n${title}\n${renderText(table)}`);
    },
    signal,
  });
  console.log(`\n${verdicts(findings).join('\n')}`);
  if (pageFolder === null) return;
  const page = path.join(pageFolder, 'analytics.md');
  await writePage(page, renderPage(findings), renderPlots(findings.stored));
  console.log(`\nWritten to ${path.relative(process.cwd(), page)}`);
}
