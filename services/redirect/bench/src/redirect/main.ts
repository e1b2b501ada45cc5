// The bench of the redirect service; `npm run bench -- redirect` enters here.
import path from 'node:path';
import { runProgram } from '@smartlink/bench/bench-program';
import { renderText } from '@smartlink/bench/tables';
import { writePage } from '@smartlink/bench/write-page';
import type { Findings } from './findings.js';
import { HELP, readOptions } from './options.js';
import type { Options } from './options.js';
import { renderPage } from './page.js';
import { ceilingTable, latencyTable, mixesTable, profileTables, verdicts } from './report.js';
import { runBench } from './run-bench.js';

await runProgram({ help: HELP, readOptions, run: bench });

async function bench(options: Options, signal: AbortSignal): Promise<void> {
  console.log('Bench of redirects.');
  const found = await runBench({
    options,
    searchPath: process.env['PATH'],
    print: (line) => {
      console.log(line);
    },
    signal,
  });
  if ('reason' in found) {
    console.log(`Skipped: ${found.reason}`);
    return;
  }
  show(found);
  if (options.pageFolder === null) return;
  const page = path.join(options.pageFolder, 'redirect.md');
  const { markdown, plots } = renderPage(found);
  await writePage(page, markdown, plots);
  console.log(`\nWritten to ${path.relative(process.cwd(), page)}`);
}

function show(found: Findings): void {
  const { ceiling, mixes, latency, profile, skipped } = found;
  if (ceiling !== null) console.log(`\n${renderText(ceilingTable(ceiling))}`);
  if (mixes !== null) console.log(`\n${renderText(mixesTable(mixes))}`);
  for (const load of latency?.loads ?? [])
    console.log(`\n${load.title}, ${Math.round(load.perSecond)} a second\n${renderText(latencyTable(load))}`);
  if (profile !== null) {
    const { groups, functions } = profileTables(profile);
    console.log(`\n${renderText(groups)}\n\n${renderText(functions)}`);
  }
  console.log(`\n${[...skipped.map((reason) => `– ${reason}`), ...verdicts(found)].join('\n')}`);
}
