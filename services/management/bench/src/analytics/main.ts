// The bench of events and analytics; `npm run bench -- analytics` enters here.
import path from 'node:path';
import { StackError } from '@smartlink/embedded/stack-error';
import { renderText } from '../tables.js';
import { writePage } from '../write-page.js';
import { HELP, readOptions } from './options.js';
import type { Options } from './options.js';
import { renderPage } from './page.js';
import { tablesOf, verdicts } from './report.js';
import { runBench } from './run-bench.js';
import { EVENTS_DEFAULT } from './sizes.js';

const PAGE = path.resolve(import.meta.dirname, '../../../../../docs/benchmarks/analytics.md');

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

async function bench(chosen: Options): Promise<void> {
  const isWhole = chosen.only === null && chosen.events >= EVENTS_DEFAULT;
  console.log(`Bench of events and analytics${isWhole ? ', some 12 minutes' : ''}.`);
  try {
    const findings = await runBench({
      options: chosen,
      searchPath: process.env['PATH'],
      print: (line) => {
        console.log(line);
      },
      onPart: (found) => {
        for (const { title, table } of tablesOf(found)) console.log(`\n${title}\n${renderText(table)}`);
      },
      signal: interrupted.signal,
    });
    console.log(`\n${verdicts(findings).join('\n')}`);
    if (!isWhole) return;
    await writePage(PAGE, renderPage(findings));
    console.log(`\nWritten to ${path.relative(process.cwd(), PAGE)}`);
  } catch (err) {
    process.exitCode = 1;
    if (interrupted.signal.aborted) console.error(interrupted.signal.reason);
    else if (err instanceof StackError) console.error(err.message);
    else throw err;
  }
}
