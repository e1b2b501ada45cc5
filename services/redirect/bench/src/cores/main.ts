// The bench of more cores; `npm run bench -- cores` enters here.
import path from 'node:path';
import { runProgram } from '@smartlink/bench/bench-program';
import { renderText } from '@smartlink/bench/tables';
import { writePage } from '@smartlink/bench/write-page';
import { HELP, readOptions } from './options.js';
import type { Options } from './options.js';
import { coresTable, renderPage } from './report.js';
import { runBench } from './run-bench.js';

await runProgram({ help: HELP, readOptions, run: bench });

async function bench(options: Options, signal: AbortSignal): Promise<void> {
  console.log('Bench of one process and two.');
  const found = await runBench({ options, searchPath: process.env['PATH'], signal });
  if ('reason' in found) {
    console.log(`Skipped: ${found.reason}`);
    return;
  }
  console.log(`\n${renderText(coresTable(found))}`);
  if (options.pageFolder === null) return;
  const page = path.join(options.pageFolder, 'cores.md');
  await writePage(page, renderPage(found));
  console.log(`\nWritten to ${path.relative(process.cwd(), page)}`);
}
