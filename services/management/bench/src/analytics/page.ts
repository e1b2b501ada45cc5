import { renderMarkdown } from '@smartlink/bench/tables';
import { GROWTH_PLOT, RAW_PLOT } from './plots.js';
import {
  bytesTable,
  eventCostTable,
  eventPathTable,
  growthTable,
  latencyTable,
  rawTable,
  rollupTable,
  verdicts,
} from './report.js';
import type { Findings } from './run-bench.js';
import { LINKS_PER_OWNER, OWNERS } from './tenants.js';

/** Returns the page of what a whole run found, in Markdown. Throws when a part is missing. */
export function renderPage(findings: Findings): string {
  const { machine, date, eventPath, eventCost, stored } = findings;
  const largest = stored.at(-1);
  if (eventPath === null || eventCost === null || largest === undefined)
    throw new Error('The page takes a whole run');
  const events = largest.events.toLocaleString('en');
  const openHours = new Date().getUTCHours();
  return `# What events and analytics cost

Written by \`npm run bench -- analytics\` on ${date}: do not edit.

${machine} The figures belong to this machine; what carries over is the ratios.

## Goals

${verdicts(findings)
  .map((line) => `- ${line}`)
  .join('\n')}

## Events into ClickHouse

${eventPath.core === null ? 'Nothing could be pinned: taskset is missing.' : `Everything together has one core: the recorder, the shipper, ClickHouse with its merges, and the idle rest.`} ${eventPath.events.toLocaleString('en')} events
a run, from the first record to the last acknowledgement, in turns with the same events as objects in memory, inserted
by \`@clickhouse/client\` as JSONEachRow, 50,000 at a time. The shipper sent ${Math.round(eventPath.rowsPerInsert).toLocaleString('en')} rows an insert. Afterwards every row was there.
Events are described on the way, of visitors who were here lately.

${renderMarkdown(eventPathTable(eventPath))}

## An event in the redirect process

Processor time of the whole process, disk threads included, over ${eventCost.events.toLocaleString('en')} events a round, the loops in turns on
one core. Nothing was dropped. Country and visitor id of some 10,000 networks are remembered; who is not among them
costs a look-up and a hash.

${renderMarkdown(eventCostTable(eventCost))}

## Answers

${OWNERS} owners with ${LINKS_PER_OWNER.toLocaleString('en')} links each, and ${events} events over the 365 days up to now, a fifth of them of one link. The
day that is under way, ${openHours} hours of it, is not rolled up. Nothing is pinned: client, service and engines share the
machine. p50, p95 and p99 of one connection and of four (×4), each always with a request under way, over HTTP with a key;
\`TOTALS_AGE_MAX_MS\` is 0, so that every list asks for its totals. ClickHouse ms is the engine's own time a request over one
connection; queries at once count each by itself. The totals of the answers were those of the table of events. Where
there is –, some request was not answered with 200: hours and days of other zones are read from the events themselves, and
an answer that takes over 5 s is refused.

${renderMarkdown(latencyTable([...largest.cases, ...largest.otherCases]))}

## Growth

The same requests over one connection, with fewer events of the same kind; flat is the goal.

![p50 with many events in units of that with few](${GROWTH_PLOT}.svg)

${renderMarkdown(growthTable(stored))}

## Beside raw rows

The API's answer in turns with the one statement that would answer the same from the table of events alone, with final,
sent straight to ClickHouse: without HTTP API, key and Postgres. \`raw takes\` is the median of the pairs' ratios.

![Time of the same answer from raw rows, in units of the API's](${RAW_PLOT}.svg)

${renderMarkdown(rawTable(largest))}

## Roll-up

All days but the one under way, for the first time, as the service does it in the background; and a rollup that finds
nothing to do, as nearly every one does.

${renderMarkdown(rollupTable(stored))}

## Bytes on the disk

Compressed, with indexes: each month of events merged, cells as ClickHouse has merged them by itself.

${renderMarkdown(bytesTable(stored))}
`;
}
