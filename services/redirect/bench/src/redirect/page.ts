import { renderBars } from '@smartlink/bench/plot';
import { renderMarkdown, times } from '@smartlink/bench/tables';
import type { Plots } from '@smartlink/bench/write-page';
import { CONNECTIONS } from '../visit-load.js';
import type { Findings } from './findings.js';
import {
  TITLES,
  ceilingTable,
  contendersOf,
  describeFullness,
  latencyRatio,
  latencyTable,
  mixesTable,
  profileTables,
  speedRatio,
  verdicts,
} from './report.js';

/** Returns the page of a run, and its plots by the names that it shows them by. */
export function renderPage(found: Findings): { readonly markdown: string; readonly plots: Plots } {
  const { machine, cores, date, sizes, requestBytes, skipped } = found;
  const sections = [ceilingSection(found), mixesSection(found), latencySection(found), profileSection(found)];
  const markdown = `# What a redirect costs

Written by \`npm run bench -- redirect\` on ${date}: do not edit. What was tried and lost stands in
[redirect-designs.md](redirect-designs.md), which is written by hand.

The question: how much of the speed of a server that does nothing is left when a visit is routed, its country, device
and visitor found out, and its event written to the disk?

${machine} ${cores} The figures belong to this machine; what carries over is the ratios.

## Goals

${verdicts(found)
  .map((line) => `- ${line}`)
  .join('\n')}

## How it is measured

Each server has the same core for itself, with all its threads; the client (wrk, one thread, ${CONNECTIONS} connections that always
have a request under way), Postgres and Redis have the rest. The service is started as in production, with one worker, and
records each visit; ClickHouse is not there, so that events wait in the spool. All are asked by the same client for the
same redirect, by ${requestBytes} bytes as a browser sends them. They take turns, ${sizes.rounds} rounds of ${sizes.seconds} s, every second round
backwards; a ratio is the median of the ratios within a round, least and most beside it. Processor time is that of all
processes of a server, a primary too, and in the kernel too. \`core busy\` is how much of its core a server took: where
it is not full, the client was, and \`speed by CPU\`, the inverse of the processor time a request, says more than requests a second.
${skipped.length === 0 ? '' : `\nNot measured: ${skipped.join('; ')}.\n`}
${sections
  .filter(({ text }) => text !== '')
  .map(({ text }) => text)
  .join('\n\n')}
`;
  return { markdown, plots: Object.assign({}, ...sections.map(({ plots }) => plots)) as Plots };
}

type Section = { readonly text: string; readonly plots: Plots };

const NOTHING: Section = { text: '', plots: {} };

function ceilingSection({ ceiling }: Findings): Section {
  if (ceiling === null) return NOTHING;
  const bars = contendersOf(ceiling).map((name) => ({
    label: TITLES[name].replaceAll('`', ''),
    value: speedRatio(ceiling, [name, 'bare'], 'cpuUs'),
    isOurs: name === 'service',
  }));
  const plot = renderBars({
    title: 'Speed of a redirect, by processor time',
    unit: 'bare uWebSockets.js = 1; longer is faster; median and least to most of the rounds',
    bars,
    mark: { value: 0.85, label: 'goal 0.85' },
    write: times,
  });
  return {
    text: `## Beside a bare handler and nginx

![Speed by processor time of bare handlers, nginx and the service](redirect-ceiling.svg)

${renderMarkdown(ceilingTable(ceiling))}

${describeFullness(ceiling)}`,
    plots: { 'redirect-ceiling': plot },
  };
}

function mixesSection({ mixes }: Findings): Section {
  if (mixes === null) return NOTHING;
  const plot = renderBars({
    title: 'Speed of visits of other kinds, by processor time',
    unit: 'a bare handler under the same requests = 1; longer is faster',
    bars: mixes.map(({ name, rounds }) => ({
      label: PLOT_LABELS[name] ?? name,
      value: speedRatio(rounds, ['service', 'bare'], 'cpuUs'),
      isOurs: true,
    })),
    write: times,
  });
  return {
    text: `## Other visits

Each in turns with the bare handler, which is sent the very same requests and looks at nothing. 10,000 User-Agents are
fewer than a worker remembers (16,384), so what is seen is the memory they take, not the work of reading each. Visitors whose address is believed from a proxy's header come from as many networks.

![Speed by processor time, by kind of visit](redirect-visits.svg)

${renderMarkdown(mixesTable(mixes))}`,
    plots: { 'redirect-visits': plot },
  };
}

const PLOT_LABELS: Readonly<Record<string, string>> = {
  few: 'ten links, one browser',
  links: 'many links',
  'agents-100': '100 User-Agents',
  'agents-10000': '10,000 User-Agents',
  addresses: '20,000 visitors behind a proxy',
  query: 'with parameters',
  scan: 'QR scans',
  app: 'App links, phones',
  everything: 'all of it at once',
};

function latencySection({ latency }: Findings): Section {
  if (latency === null) return NOTHING;
  const plots = latency.loads.map(({ rounds }, index) => [
    index === 0 ? 'redirect-latency' : `redirect-latency-${index + 1}`,
    renderBars({
      title: `p99 at ${latency.loads[index]?.title ?? ''}`,
      unit: 'bare uWebSockets.js = 1; shorter is faster; median and least to most of the rounds',
      bars: contendersOf(rounds).map((name) => ({
        label: TITLES[name].replaceAll('`', ''),
        value: latencyRatio(rounds, name, 'p99Us'),
        isOurs: name === 'service',
      })),
      mark: { value: 1.5, label: 'goal 1.5' },
      write: times,
    }),
  ]);
  const tables = latency.loads.map(
    (load, index) => `### At ${load.title}: ${Math.round(load.perSecond).toLocaleString('en')} a second

![p99 at ${load.title}](${plots[index]?.[0] ?? ''}.svg)

${renderMarkdown(latencyTable(load))}`,
  );
  return {
    text: `## Latency at half load

A client of ours sends visits at times drawn beforehand (Poisson), over ${latency.connections} connections, whether or not answers come; a
visit that finds no free connection counts from when it was planned, so that no wait for the server is left out. \`client
late\` is how much later than planned the client sent, for reasons of its own.

${tables.join('\n\n')}`,
    plots: Object.fromEntries(plots) as Plots,
  };
}

function profileSection({ profile }: Findings): Section {
  if (profile === null) return NOTHING;
  const { groups, functions } = profileTables(profile);
  return {
    text: `## Where the time goes

Samples of the worker's processor time under full load, by perf; \`*\` before a name is code that V8 has optimised.

${renderMarkdown(groups)}

${renderMarkdown(functions)}`,
    plots: {},
  };
}
