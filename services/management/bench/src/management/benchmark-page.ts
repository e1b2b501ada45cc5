import { renderMarkdown } from '@smartlink/bench/tables';
import { renderBars } from '@smartlink/bench/plot';
import { writePage } from '@smartlink/bench/write-page';
import { againstBareTable, bigListTable, memoryTable, statementTable, verdicts } from './report.js';
import type { Findings } from './report.js';

/** Writes what a whole run found to `file`. */
export async function writeBenchmarkPage(file: string, findings: Findings): Promise<void> {
  await writePage(file, render(findings), { [SHARE_PLOT]: sharePlot(findings) });
}

const SHARE_PLOT = 'management-share';

function sharePlot({ againstBare }: Findings): string {
  return renderBars({
    title: 'Requests a second beside a bare Fastify route',
    unit: 'the bare route = 100 %; longer is faster; median and least to most of the pairs',
    bars: againstBare.map(({ title, comparison }) => ({
      label: title,
      value: comparison.ratio.perSecond,
      isOurs: true,
    })),
    mark: { value: 1, label: 'bare route' },
    write: (share) => `${(100 * share).toPrecision(2)} %`,
  });
}

function render(findings: Findings): string {
  const { machine, cores, date, againstBare, bigList, statements, memory, skipped } = findings;
  return `# What the management API costs

Written by \`npm run bench -- management\` on ${date}: do not edit.

${machine} ${cores} The figures belong to this machine; what carries over is the ratios.

## Against a bare Fastify route

The bare route answers the bytes (status, headers and body) that the service answered to the same request, and does
nothing else; where there is a body it parses it. Both are loaded in turns, one pair after another: a ratio is the median
of the pairs' ratios. \`share\` is the service's requests a second in those of the bare route, CPU is the processor time of the server's own
process, on one request. The engines are not in it, but in the latencies, which are those of ten connections that always
have a request under way (two for the list of 10,000).

![Requests a second in those of a bare route](${SHARE_PLOT}.svg)

${renderMarkdown(againstBareTable(againstBare))}

${skipped.length === 0 ? '' : `Not measured, as this build refuses the type: ${skipped.join(', ')}.\n`}
${
  bigList === null
    ? ''
    : `## One page of many links

One connection, both users of the service, in turns. Each link has been visited ten times. The service keeps totals for a
second, so most of these pages ask ClickHouse nothing; what one question costs it grows with the owner's visits.

${renderMarkdown(bigListTable(bigList))}
`
}
## Statements a request

With the key known already; \`begin\` and \`commit\` count. A key is looked up at most every 500 ms.

${renderMarkdown(statementTable(statements))}

${
  memory === null
    ? ''
    : `## Memory

One process and ${memory.samples.at(-1)?.creates.toLocaleString('en') ?? ''} creates, weighed after a forced collection.

${renderMarkdown(memoryTable(memory))}
`
}
## Goals

${verdicts(findings)
  .map((line) => `- ${line}`)
  .join('\n')}
`;
}
