// The bench of the management API; `npm run bench` enters here.
import path from 'node:path';
import { StackError } from '@smartlink/embedded/stack-error';
import { writeBenchmarkPage } from './benchmark-page.js';
import { HELP, readOptions } from './options.js';
import type { Options } from './options.js';
import { againstBareTable, bigListTable, memoryTable, statementTable, verdicts } from './report.js';
import type { Findings } from './report.js';
import { renderText } from '../tables.js';
import { runBench } from './run-bench.js';
import { FULL, QUICK } from './sizes.js';

const PAGE = path.resolve(import.meta.dirname, '../../../../../docs/benchmarks/management.md');

const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    interrupted.abort(`Stopped by ${signal}`);
  });
}

const options = readOptions(process.argv.slice(2));
if (options === 'help') console.log(HELP);
else if ('problem' in options) {
  console.error(`${options.problem}\n\n${HELP}`);
  process.exitCode = 2;
} else await bench(options);

async function bench(options: Options): Promise<void> {
  const sizes = options.isQuick ? QUICK : FULL;
  const duration = options.only === null ? `, ${sizes.duration}` : '';
  console.log(`Bench of the management API${duration}.`);
  try {
    const findings = await runBench({
      options,
      sizes,
      searchPath: process.env['PATH'],
      print: (line) => {
        console.log(line);
      },
      signal: interrupted.signal,
    });
    show(findings);
    if (options.isQuick || options.only !== null) return;
    await writeBenchmarkPage(PAGE, findings);
    console.log(`\nWritten to ${path.relative(process.cwd(), PAGE)}`);
  } catch (err) {
    process.exitCode = 1;
    if (interrupted.signal.aborted) console.error(interrupted.signal.reason);
    else if (err instanceof StackError) console.error(err.message);
    else throw err;
  }
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
