import { rollUp } from '@smartlink/visits/rollup';
import { type AnswerTimes, type Call, timeAnswers } from '../answer-times.js';
import { goal, number, spread, times as timesOf } from '../figures.js';
import type { Report } from '../program.js';
import { startManagement, withServers } from '../servers.js';
import type { StackRun } from '../stack.js';
import { addLinkSet, addVisits, fillEvents } from './event-data.js';
import { fileLinks, type ListSizes } from './lists.js';

export type AccountSizes = ListSizes & { readonly events: number };

const DAY_MS = 86_400_000;
const LIVE_MS = 30 * 60_000;
const LIVE_VISITS = 20_000;
const OLDEST_LIVE_MS = 3_600_000;
/** Limits of p95 in ms. */
const YEAR_MS_MAX = 150;
const FILTERED_MS_MAX = 400;
const REALTIME_MS_MAX = 50;
const GROUPS_MS_MAX = 1_000;
/** Of counts by days of another zone against those of UTC. */
const ZONE_RATIO_MAX = 2;

/** Analytics of an account with many smartlinks, which have all events. */
export async function measureAccount(run: StackRun<AccountSizes>): Promise<Report> {
  const { sizes, stack, signal } = run;
  const set = await addLinkSet(run, { from: 0, count: sizes.accountLinks, accounts: 1 });
  const { folderId } = await fileLinks(run, set);
  const nowMs = Date.now();
  await fillEvents(run, set, { rows: sizes.events, nowMs: nowMs - OLDEST_LIVE_MS });
  const mayGoOn = () => Promise.resolve(!signal.aborted);
  await rollUp(stack.clickhouse, { keptMonths: 0, mayGoOn, report: () => undefined });
  await stack.pg.query('vacuum (analyze) smartlinks, smartlink_tags');
  const apiKey = set.accounts[0]?.apiKey ?? '';
  return withServers({ management: () => startManagement(run, {}) }, async ({ management }) => {
    await addVisits(run, { rows: LIVE_VISITS, untilMs: Date.now(), spanMs: LIVE_MS, offset: sizes.events });
    const title = `Answers to an account with ${sizes.accountLinks.toLocaleString('en')} smartlinks and ${sizes.events.toLocaleString('en')} events`;
    const calls = callsOf(folderId, nowMs);
    return reportAnswers(await timeAnswers(run, { server: management, apiKey, title, calls }));
  });
}

const UTC_COUNTS = 'a year, counts alone';
const ZONE_COUNTS = 'a year, counts alone, Asia/Baku';

export function reportAnswers({ times, table, missed }: AnswerTimes): Report {
  const medianOf = (name: string) => spread(times[name]?.flat() ?? []).median;
  const ratio = medianOf(ZONE_COUNTS) / medianOf(UTC_COUNTS);
  return {
    tables: [table],
    notes: [
      ...missed,
      goal(
        missed.length === 0,
        `years in ${YEAR_MS_MAX} ms, filtered months in ${FILTERED_MS_MAX}, by group in ${GROUPS_MS_MAX}, realtime in ${REALTIME_MS_MAX} (p95)`,
      ),
      goal(
        ratio <= ZONE_RATIO_MAX,
        `counts in another zone of whole hours: ${timesOf(ratio)} those in UTC (at most ×${number(ZONE_RATIO_MAX)})`,
      ),
    ],
    figures: times,
  };
}

export function callsOf(folderId: string, nowMs: number): Readonly<Record<string, Call>> {
  const dayBefore = (days: number) => new Date(nowMs - days * DAY_MS).toISOString().slice(0, 10);
  const to = `to=${dayBefore(0)}`;
  const year = `from=${dayBefore(364)}&${to}`;
  const month = `from=${dayBefore(29)}&${to}`;
  const series = (query: string, msMax: number): Call => ({ path: `/analytics?${query}`, msMax });
  const rows = (query: string, msMax: number): Call => ({ path: `/analytics/breakdown?${query}`, msMax });
  return {
    'a year by day': series(year, YEAR_MS_MAX),
    'a year by month': series(`${year}&interval=month`, YEAR_MS_MAX),
    [UTC_COUNTS]: series(`${year}&fields=counts`, YEAR_MS_MAX),
    [ZONE_COUNTS]: series(`${year}&fields=counts&tz=Asia/Baku`, YEAR_MS_MAX),
    'a month, with the month before': series(`${month}&compare=previous`, YEAR_MS_MAX),
    'a year by country': rows(`${year}&by=country`, YEAR_MS_MAX),
    'a year by referrer': rows(`${year}&by=referrer`, YEAR_MS_MAX),
    'a year by campaign': rows(`${year}&by=utmCampaign`, YEAR_MS_MAX),
    'a year by smartlink': rows(`${year}&by=smartlink`, GROUPS_MS_MAX),
    'a year by tag': rows(`${year}&by=tag`, GROUPS_MS_MAX),
    'a year by folder': rows(`${year}&by=folder`, GROUPS_MS_MAX),
    'a year of one in 100 smartlinks': series(`${year}&tag=hundredth`, GROUPS_MS_MAX),
    'a year of half the smartlinks': series(`${year}&tag=half`, GROUPS_MS_MAX),
    'a year of half the smartlinks, counts alone': series(`${year}&tag=half&fields=counts`, GROUPS_MS_MAX),
    'a year of a folder': series(`${year}&folderId=${folderId}`, GROUPS_MS_MAX),
    'a year of Active and Paused ones': series(`${year}&status=Active,Paused`, GROUPS_MS_MAX),
    'a month, one country': series(`${month}&country=AZ`, FILTERED_MS_MAX),
    'a month, scans of mobiles, counts alone': series(
      `${month}&device=mobile&source=scan&fields=counts`,
      FILTERED_MS_MAX,
    ),
    'a month, one campaign, by country': rows(`${month}&utmCampaign=campaign-3&by=country`, FILTERED_MS_MAX),
    'a month, one country, by smartlink': rows(`${month}&country=AZ&by=smartlink`, FILTERED_MS_MAX),
    'a month, hours of the week': rows(`${month}&by=hourOfWeek&tz=Asia/Baku`, FILTERED_MS_MAX),
    'real time': { path: '/analytics/realtime', msMax: REALTIME_MS_MAX },
  };
}
