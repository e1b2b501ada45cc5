import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { findAddresses } from './addresses.js';
import type { Addresses } from './addresses.js';
import { explainFailure, isGivenUp, openClickhouse } from './clickhouse.js';
import { examples } from './examples.js';
import { toPrintable, toPrintableJson } from './printable.js';
import { describe, withSession } from './session.js';
import { showStats } from './show-stats.js';
import { tailVisits } from './tail-visits.js';
import type { Terminal } from './terminal.js';
import { formatVisit } from './visit-line.js';
import type { ShownVisit } from './visit-line.js';
import { findScope } from './visit-scope.js';

const POLL_MS = 1_000;

/** Adds `tail` and `stats`. */
export function addVisitCommands(program: Command, terminal: Terminal): void {
  program
    .command('tail')
    .description('show visits as they come, until Ctrl-C')
    .option('--smartlink <id|slug>', 'of this smartlink')
    .option('--user <id|address>', 'of all smartlinks of this user')
    .option('--json', 'print an object a line')
    .addHelpText(
      'after',
      `
Times are UTC. Visits that do not count are shown too, with the reason. NO_COLOR leaves colours out.
${examples('tail', 'tail --smartlink handbook', 'tail --user ann@example.com --json')}`,
    )
    .action((options: TailOptions) => tail(terminal, options));
  program
    .command('stats')
    .description('show what was counted for a smartlink')
    .argument('<slug>', 'slug in any case, an alias too; or the id')
    .option('--days <n>', 'days to draw, up to 366, today included (UTC)', '30')
    .option(
      '--json',
      'print {"smartlinkId","name",…,"totals","days","countries","devices","browsers","referrers"}',
    )
    .addHelpText(
      'after',
      `
Totals are over all time, and visitors a sum of those of each day; the chart and the largest countries, devices, browsers and referrers are of the days drawn.
${examples('stats handbook', 'stats handbook --days 90 --json')}`,
    )
    .action((slug: string, options: { days: string; json?: true }) => showStats(terminal, slug, options));
}

type TailOptions = { smartlink?: string; user?: string; json?: true };

async function tail(terminal: Terminal, options: TailOptions): Promise<void> {
  const interrupt = new AbortController();
  const stopListening = terminal.onInterrupt(() => {
    interrupt.abort();
  });
  // https://no-color.org: any value but the empty one.
  const isColoured = terminal.isStdoutTerminal && (terminal.env['NO_COLOR'] ?? '') === '';
  const toLine = (visit: ShownVisit) =>
    options.json === true ? toPrintableJson(toJson(visit)) : formatVisit(visit, isColoured);
  try {
    // No connection to Postgres is held for as long as somebody watches.
    const { scope, addresses } = await withSession(terminal.env, async ({ db, addresses }) => ({
      scope: await findScope(db, options),
      addresses,
    }));
    // Only for a person: what is printed may go to a program.
    if (terminal.isStdoutTerminal && terminal.isStderrTerminal)
      terminal.stderr('Waiting for visits; Ctrl-C ends it.\n');
    let known: Pick<Addresses, 'clickhouseUrl'> | null = addresses;
    await tailVisits({
      connect: () => {
        // A stack that was started again has other ports.
        const { clickhouseUrl } = known ?? findAddresses(terminal.env);
        known = null;
        return openClickhouse({ clickhouseUrl });
      },
      scope,
      pause: (signal) => sleep(POLL_MS, undefined, { signal }).catch(() => undefined),
      signal: interrupt.signal,
      now: () => Date.now(),
      show: async (visits) => {
        if (visits.length > 0) terminal.stdout(visits.map((visit) => `${toLine(visit)}\n`).join(''));
        return terminal.stdoutReady();
      },
      onOutage: (err) => {
        terminal.stderr(`ClickHouse does not answer, waiting for it: ${toPrintable(describeOutage(err))}\n`);
      },
    });
  } catch (err) {
    throw explainFailure(err);
  } finally {
    stopListening();
  }
}

/** What took too long was given up by us, which the client tells in words of its own. */
function describeOutage(err: unknown): string {
  return isGivenUp(err) ? 'no answer in time' : describe(err);
}

const toJson = ({ timeMs, ...visit }: ShownVisit): object => ({
  time: new Date(timeMs).toISOString(),
  ...visit,
});
