// The bench of the management API; `npm run bench -- management` enters here.
import path from 'node:path';
import { runProgram } from '@smartlink/bench/bench-program';
import { renderText } from '@smartlink/bench/tables';
import { writeBenchmarkPage } from './benchmark-page.js';
import { HELP, readOptions } from './options.js';
import type { Options } from './options.js';
import { againstBareTable, bigListTable, memoryTable, statementTable, verdicts } from './report.js';
import type { Findings } from './report.js';
import { runBench } from './run-bench.js';
import { sizesFor } from './sizes.js';

await runProgram({ help: HELP, readOptions, run: bench });

async function bench(options: Options, signal: AbortSignal): Promise<void> {
  const sizes = sizesFor(options);
  const duration = options.only === null ? `, ${sizes.duration}` : '';
  console.log(`Bench of the management API${duration}.`);
  const findings = await runBench({
    options,
    sizes,
    searchPath: process.env['PATH'],
    print: (line) => {
      console.log(line);
    },
    signal,
  });
  show(findings);
  if (options.pageFolder === null) return;
  const page = path.join(options.pageFolder, 'management.md');
  await writeBenchmarkPage(page, findings);
  console.log(`\nWritten to ${path.relative(process.cwd(), page)}`);
}

function show(findings: Findings): void {
  const { againstBare, bigList, statements, memory, skipped } = findings;
  if (againstBare.length > 0) console.log(`\n${renderText(againstBareTable(againstBare))}`);
  if (skipped.length > 0) console.log(`This build refuses: ${skipped.join(', ')}`);
  if (bigList !== null) console.log(`\n${renderText(bigListTable(bigList))}`);
  if (statements.length > 0) console.log(`\n${renderText(statementTable(statements))}`);
  if (memory !== null) console.log(`\n${renderText(memoryTable(memory))}`);
  console.log(`\n${verdicts(findings).join('\n')}`);
}
