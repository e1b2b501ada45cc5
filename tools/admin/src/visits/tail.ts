import { setTimeout as sleep } from 'node:timers/promises';
import { type ClickHouseClient, ClickHouseError } from '@clickhouse/client';
import type { Command } from 'commander';
import { toPrintable } from '@smartlink/import/text';
import { failureMessage, isTimeout } from '@smartlink/process/database';
import { selectRows } from '@smartlink/visits/analytics';
import { type VisitScope, whoseOf } from '@smartlink/visits/rollup';
import { addAccountOption, readCount } from '../cli/options.js';
import { colorsOf } from '../cli/table.js';
import { Problem, type Terminal, whileListening } from '../cli/terminal.js';
import { examples, toPrintableJson } from '../cli/text.js';
import { ANSWER_LIMIT_MS, explainFailure, openClickhouse } from '../engines/clickhouse.js';
import { type Addresses, findAddresses, withSession } from '../engines/session.js';
import { findScope, SMARTLINK_NAMES } from './scope.js';
import { DAYS_MAX, showStats } from './stats.js';

const POLL_MS = 1_000;

export function addVisitCommands(program: Command, terminal: Terminal): void {
  addAccountOption(program.command('tail'), 'only visits to smartlinks of this user')
    .description('show visits as they arrive, until Ctrl-C')
    .option('--smartlink <id|slug>', 'only visits to this smartlink')
    .option('-j, --json', 'print one object per line')
    .addHelpText(
      'after',
      `
Times are UTC. Visits that do not count are shown too, with the reason, and presses of buttons. NO_COLOR turns colours off.
${examples('tail', 'tail --smartlink spring', 'tail --account ann@example.com --json')}`,
    )
    .action((options: TailFlags) => tail(terminal, options));
  program
    .command('stats')
    .description('show the figures of a smartlink')
    .argument('<slug>', SMARTLINK_NAMES)
    .option('--days <n>', `days in the chart, up to ${DAYS_MAX}, including today (UTC)`, readDays, 30)
    .option(
      '-j, --json',
      'print {"smartlinkId","name",…,"totals","days","countries","devices","browsers","referrers"}',
    )
    .addHelpText(
      'after',
      `
Totals cover all time. The chart and the most frequent countries, devices, browsers and referrers cover the days in the chart.
Visitors are the sum of those of each day.
${examples('stats spring', 'stats spring --days 90 --json')}`,
    )
    .action((slug: string, options: { days: number; json?: true }) => showStats(terminal, slug, options));
}

const readDays = (text: string): number => readCount('--days', text, 1, DAYS_MAX);

type TailFlags = { smartlink?: string; account?: string; json?: true };

async function tail(terminal: Terminal, options: TailFlags): Promise<void> {
  const colors = colorsOf(terminal);
  const toLine = (visit: ShownVisit) =>
    options.json === true ? toPrintableJson(toJson(visit)) : formatVisit(visit, colors);
  await whileListening(
    terminal,
    () => '.',
    async (signal) => {
      // No connection to Postgres is held while visits are shown.
      const { scope, addresses } = await withSession(terminal.env, async ({ db, addresses }) => ({
        scope: await findScope(db, options),
        addresses,
      }));
      // Only in a terminal: the output may go to a program.
      if (terminal.isStdoutTerminal && terminal.isStderrTerminal)
        terminal.stderr('Waiting for visits; Ctrl-C ends it.\n');
      let known: Addresses | null = addresses;
      await tailVisits({
        connect: () => {
          // A stack that was restarted has other ports.
          const { clickhouseUrl } = known ?? findAddresses(terminal.env);
          known = null;
          return openClickhouse({ clickhouseUrl });
        },
        scope,
        pause: () => sleep(POLL_MS, undefined, { signal }).catch(() => undefined),
        signal,
        now: Date.now,
        show: async (visits) => {
          if (visits.length > 0) terminal.stdout(visits.map((visit) => `${toLine(visit)}\n`).join(''));
          return terminal.stdoutReady();
        },
        onOutage: (err) => {
          const reason = isTimeout(err) ? 'no answer in time' : toPrintable(failureMessage(err));
          terminal.stderr(`ClickHouse does not answer, waiting for it: ${reason}\n`);
        },
      }).catch((err: unknown) => {
        throw explainFailure(err);
      });
    },
  );
}

/** One visit, counted or not, or one press of a button. */
type ShownVisit = Readonly<
  Record<'eventId' | 'smartlinkId' | 'slug' | 'exclusion' | 'button' | 'country', string> &
    Record<'device' | 'os' | 'browser' | 'referrerHost', string>
> & {
  /** Milliseconds since 1970. */
  readonly timeMs: number;
  readonly source: 'click' | 'scan';
  readonly outcome: 'target' | 'page' | 'fallback' | 'excluded';
};

const toJson = ({ timeMs, ...visit }: ShownVisit): object => ({
  time: new Date(timeMs).toISOString(),
  ...visit,
});

/** A line of the time in UTC, the smartlink, how it was visited, and the visitor. */
function formatVisit(
  visit: ShownVisit,
  { bold, cyan, dim, green, yellow }: ReturnType<typeof colorsOf>,
): string {
  const colourOf = { target: green, page: cyan, fallback: yellow, excluded: dim };
  const excluded = visit.button === '' ? `excluded (${visit.exclusion})` : `press ${visit.button}`;
  const outcome = visit.exclusion === '' ? visit.outcome : excluded;
  const pad = (text: string, width: number) => toPrintable(text).padEnd(width);
  return [
    dim(new Date(visit.timeMs).toISOString().slice(11, 23)),
    bold(pad(visit.slug, 16)),
    pad(visit.source, 5),
    colourOf[visit.outcome](pad(outcome, 19)),
    pad(visit.country, 2),
    pad(visit.device, 8),
    pad(visit.browser, 16),
    dim(toPrintable(visit.referrerHost === '' ? 'direct' : visit.referrerHost)),
  ].join('  ');
}

// Normally a visit is in the table within two seconds. Delayed ones are found by a query that reaches further back, which
// costs more and so is rarer.
const LOOK_BACK_MS = 15_000;
const FAR_LOOK_BACK_MS = 900_000;
const LOOKS_PER_FAR_LOOK = 10;

// Of more in a second only the newest are shown.
const VISITS_PER_LOOK_MAX = 10_000;
const SEEN_MAX = 50_000;

export type TailOptions = {
  /** Opens a client; called again after each failure, as the address may have changed. */
  readonly connect: () => ClickHouseClient;
  readonly scope: Pick<VisitScope, 'ownerId' | 'smartlinkId'>;
  /** Waits between two queries. */
  readonly pause: (signal: AbortSignal) => Promise<void>;
  /** Ends the tail. */
  readonly signal: AbortSignal;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Receives each visit once, ordered by time within a call; false ends the tail. */
  readonly show: (visits: readonly ShownVisit[]) => Promise<boolean>;
  /** Called once per outage of ClickHouse. */
  readonly onOutage: (err: unknown) => void;
};

/**
 * Shows the visits from now on. While ClickHouse does not answer it waits, and then shows the visits of the outage. Rejects
 * when ClickHouse refuses the first query.
 */
export async function tailVisits(options: TailOptions): Promise<void> {
  const { connect, scope, pause, signal, now, show, onOutage } = options;
  const startMs = now();
  const seen = createSeenVisits(SEEN_MAX);
  let clickhouse: ClickHouseClient | null = null;
  const outage = { isOn: false, sinceMs: startMs, lookBackUntilMs: 0 };
  for (let look = 0; !signal.aborted; look += 1) {
    const askedAtMs = now();
    const isCatchingUp = outage.isOn || askedAtMs < outage.lookBackUntilMs;
    const isFar = isCatchingUp || look % LOOKS_PER_FAR_LOOK === 0;
    const backMs = isFar ? FAR_LOOK_BACK_MS : LOOK_BACK_MS;
    const sinceMs = Math.min(askedAtMs, isCatchingUp ? outage.sinceMs : askedAtMs) - backMs;
    try {
      clickhouse ??= connect();
      const visits = await findVisits(clickhouse, scope, Math.max(sinceMs, startMs, seen.floorMs()));
      // Visits of an outage are shipped after it.
      if (outage.isOn) outage.lookBackUntilMs = askedAtMs + FAR_LOOK_BACK_MS;
      else if (!isCatchingUp) outage.sinceMs = askedAtMs;
      outage.isOn = false;
      if (!(await show(visits.toReversed().filter((visit) => seen.add(visit))))) break;
    } catch (err) {
      await clickhouse?.close();
      clickhouse = null;
      if (look === 0 && (err instanceof ClickHouseError || err instanceof Problem)) throw err;
      if (!outage.isOn) onOutage(err);
      outage.isOn = true;
    }
    await pause(signal);
  }
  await clickhouse?.close();
}

/** The newest visits since a time, newest first. */
async function findVisits(
  clickhouse: ClickHouseClient,
  scope: TailOptions['scope'],
  sinceMs: number,
): Promise<readonly ShownVisit[]> {
  const { ownerId, smartlinkId } = scope;
  return selectRows<ShownVisit>(
    clickhouse,
    `select event_id as eventId, toUnixTimestamp64Milli(ts) as timeMs, smartlink_id as smartlinkId, slug, source, outcome,
            exclusion, button, country, device, os, browser, referrer_host as referrerHost
     from events final
     where ts >= fromUnixTimestamp64Milli({sinceMs:Int64}, 'UTC') and ${whoseOf(scope)}
     order by ts desc, event_id desc
     limit ${VISITS_PER_LOOK_MAX}`,
    { sinceMs, ownerId, smartlinkId },
    ANSWER_LIMIT_MS,
  );
}

/** Remembers at most `max` visits; when it is full the first half is forgotten, and no visit as old is added again. */
export function createSeenVisits(max: number) {
  const times = new Map<string, number>();
  let floorMs = 0;
  return {
    /** False when the visit was added before, or may have been. */
    add({ eventId, timeMs }: Pick<ShownVisit, 'eventId' | 'timeMs'>): boolean {
      if (timeMs < floorMs || times.has(eventId)) return false;
      times.set(eventId, timeMs);
      if (times.size > max) {
        for (const [id, time] of [...times].slice(0, Math.ceil(max / 2))) {
          times.delete(id);
          floorMs = Math.max(floorMs, time + 1);
        }
      }
      return true;
    },
    /** Visits before this time, ms since 1970, are forgotten. */
    floorMs: () => floorMs,
  };
}
