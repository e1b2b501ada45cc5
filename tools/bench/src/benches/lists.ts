import { readFileSync } from 'node:fs';
import { until } from '@smartlink/test-support/until';
import { rollUp } from '@smartlink/visits/rollup';
import { type Call, getAnswer, timeAnswers } from '../answer-times.js';
import { goal, number } from '../figures.js';
import { type Report, timed } from '../program.js';
import { type Server, startManagement, withServers } from '../servers.js';
import type { StackRun } from '../stack.js';
import { addLinkSet, fillEvents, type LinkSet } from './event-data.js';

export type ListSizes = {
  /** Smartlinks of the account. */
  readonly accountLinks: number;
  /** Requests of each kind in a turn. */
  readonly callRepeats: number;
};

const VISITS_PER_LINK = 10;
/** Limits of p95 in ms. */
const PAGE_MS_MAX = 100;
const SEARCH_MS_MAX = 150;
const SUMMARY_MS_MAX = 300;
const MIB = 2 ** 20;

/** Pages of the list of an account with many smartlinks, its searches, its summary, and the list as a whole. */
export async function measureLists(run: StackRun<ListSizes>): Promise<Report> {
  const { sizes, stack, signal } = run;
  const set = await addLinkSet(run, { from: 0, count: sizes.accountLinks, accounts: 1 });
  const { folderId } = await fileLinks(run, set);
  await fillEvents(run, set, { rows: set.links.length * VISITS_PER_LINK, nowMs: Date.now() });
  const mayGoOn = () => Promise.resolve(!signal.aborted);
  await rollUp(stack.clickhouse, { keptMonths: 0, mayGoOn, report: () => undefined });
  const env = { ROLLUP_INTERVAL_SECONDS: '5', TOTALS_AGE_MAX_MS: '0' };
  return withServers({ management: () => startManagement(run, { env }) }, async ({ management }) => {
    await until(() => areTotalsKnown(run), 'the totals are in Postgres', 120_000);
    await stack.pg.query('vacuum (analyze) smartlinks, smartlink_totals, smartlink_search, smartlink_tags');
    const apiKey = set.accounts[0]?.apiKey ?? '';
    const count = sizes.accountLinks.toLocaleString('en');
    const { times, table, missed } = await timeAnswers(run, {
      server: management,
      apiKey,
      title: `Answers to an account with ${count} smartlinks`,
      calls: callsOf(folderId),
    });
    const whole = await readWhole(management, { apiKey, expected: set.links.length });
    return {
      tables: [
        table,
        {
          title: 'The list without parameters',
          head: ['s', 'MiB', 'smartlinks', 'memory of the process, MiB more'],
          rows: [
            [
              number(whole.ms / 1_000),
              number(whole.bytes / MIB),
              String(whole.links),
              number(whole.addedBytes / MIB),
            ],
          ],
        },
      ],
      notes: [
        ...missed,
        goal(
          missed.length === 0,
          `pages in ${PAGE_MS_MAX} ms, searches in ${SEARCH_MS_MAX} ms, the summary in ${SUMMARY_MS_MAX} ms (p95)`,
        ),
        goal(whole.links === whole.expected, 'the list without parameters is complete'),
      ],
      figures: { times, whole },
    };
  });
}

function callsOf(folderId: string): Readonly<Record<string, Call>> {
  const page = (query: string): Call => ({
    path: `/smartlink?limit=50&view=summary${query === '' ? '' : `&${query}`}`,
    msMax: PAGE_MS_MAX,
  });
  const search = (q: string): Call => ({ ...page(`q=${q}`), msMax: SEARCH_MS_MAX });
  return {
    'newest, with content': { path: '/smartlink?limit=50', msMax: PAGE_MS_MAX },
    newest: page(''),
    'newest, with their number': page('count=true'),
    oldest: page('order=asc'),
    'by last change': page('sort=updatedAt'),
    'by name': page('sort=name'),
    'by visits': page('sort=visits'),
    'by visits, ascending': page('sort=visits&order=asc'),
    'by last visit': page('sort=lastVisitAt'),
    'tag of half': page('tag=half'),
    'tag of one in 100, by name': page('tag=hundredth&sort=name'),
    'tag of ten, by visits': page('tag=ten&sort=visits'),
    'two tags, all': page('tag=half,hundredth&tagMode=all&sort=updatedAt'),
    'without a tag': page('excludeTag=half'),
    'folder, by last visit': page(`folderId=${folderId}&sort=lastVisitAt`),
    'archived, by name': page('archived=true&sort=name'),
    'a type without smartlinks': page('type=QrMenu&sort=name'),
    unsafe: page('unsafe=true'),
    'ten days, by visits': page(`${tenDays()}&sort=visits`),
    'an address': page('slug=nobody'),
    'search, a rare word': search('zebra'),
    'search, a missing word': search('missing'),
    'search, a common word': search('bench'),
    'search, two missing letters': search('%C5%9F%C5%9F'),
    summary: { path: '/analytics/summary', msMax: SUMMARY_MS_MAX },
  };
}

// The links of event-data.ts are a year old and older.
function tenDays(): string {
  const day = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);
  return `createdFrom=${day(500)}&createdTo=${day(490)}`;
}

const FILE = `
with tag as (
  insert into tags (id, user_id, name, key)
  select gen_random_uuid(), $1, name, name from unnest(array['half', 'hundredth', 'ten']) as name returning id, name
), folder as (
  insert into folders (id, user_id, name, key) values (gen_random_uuid(), $1, 'Folder', 'folder') returning id
), link as (
  select id, row_number() over (order by id) as n from smartlinks where user_id = $1
), tagged as (
  insert into smartlink_tags (smartlink_id, tag_id)
  select link.id, tag.id from link join tag on case tag.name when 'half' then n % 2 = 0
    when 'hundredth' then n % 100 = 7 else n % ($2::integer / 10) = 3 end
), changed as (
  update smartlinks set
    folder_id = case when n % 20 = 1 then (select id from folder) end,
    archived_at = case when n % 25 = 4 then now() end,
    notes = case when n % ($2::integer / 5) = 9 then 'A zebra' end,
    updated_at = smartlinks.created_at + (n * 7919 % 1000003) * interval '1 second'
  from link where link.id = smartlinks.id
)
select id as "folderId" from folder`;

/** Puts the links under tags and into a folder, and archives some. */
export async function fileLinks(
  { stack, sizes }: StackRun<ListSizes>,
  { accounts }: LinkSet,
): Promise<{ readonly folderId: string }> {
  const { rows } = await stack.pg.query<{ folderId: string }>(FILE, [
    accounts[0]?.userId,
    sizes.accountLinks,
  ]);
  return { folderId: rows[0]?.folderId ?? '' };
}

async function areTotalsKnown({ stack }: StackRun<ListSizes>): Promise<boolean> {
  return (await stack.pg.query('select from totals_refresh')).rowCount === 1;
}

/** Reads the whole list as it comes. */
async function readWhole(
  server: Server,
  { apiKey, expected }: { readonly apiKey: string; readonly expected: number },
) {
  const before = peakBytes(server);
  let bytes = 0;
  let links = 0;
  const ms = await timed(async () => {
    const { body } = await getAnswer(server, apiKey, '/smartlink?archived=all');
    const decoder = new TextDecoder();
    let rest = '';
    for await (const chunk of body ?? []) {
      bytes += (chunk as Uint8Array).length;
      const text = rest + decoder.decode(chunk as Uint8Array, { stream: true });
      const parts = text.split('"relink":');
      links += parts.length - 1;
      rest = (parts.at(-1) ?? '').slice(-'"relink":'.length + 1);
    }
  });
  return { ms, bytes, links, expected, addedBytes: peakBytes(server) - before };
}

/** Largest resident memory of the process so far. */
function peakBytes(server: Server): number {
  const status = readFileSync(`/proc/${server.pids()[0]}/status`, 'utf8');
  return 1_024 * Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]);
}
