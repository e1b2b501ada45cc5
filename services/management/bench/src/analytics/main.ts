// The bench of events and analytics; `npm run bench -- analytics` enters here.
import path from 'node:path';
import { runProgram } from '@smartlink/bench/bench-program';
import { renderText } from '@smartlink/bench/tables';
import { writePage } from '@smartlink/bench/write-page';
import { HELP, readOptions } from './options.js';
import type { Options } from './options.js';
import { renderPage } from './page.js';
import { tablesOf, verdicts } from './report.js';
import { runBench } from './run-bench.js';
import { EVENTS_DEFAULT } from './sizes.js';

const PAGE = path.resolve(import.meta.dirname, '../../../../../docs/benchmarks/analytics.md');

await runProgram({ help: HELP, readOptions, run: bench });

async function bench(options: Options, signal: AbortSignal): Promise<void> {
  const isWhole = options.only === null && options.events >= EVENTS_DEFAULT;
  console.log(`Bench of events and analytics${isWhole ? ', some 12 minutes' : ''}.`);
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
  if (!isWhole) return;
  await writePage(PAGE, renderPage(findings));
  console.log(`\nWritten to ${path.relative(process.cwd(), PAGE)}`);
}
