import { addKey, addUsers, type BenchStack, storeLinks, vacuumLinks } from '@smartlink/bench/stack';
import { newId } from '@smartlink/smartlink/store';

export type BenchUser = { readonly userId: string; readonly apiKey: string };

/** A link of the bench. Its number decides its share of the events (fill-events.ts). */
export type BenchLink = { readonly number: number; readonly id: string; readonly ownerId: string };

export async function addUser({ pg }: BenchStack): Promise<BenchUser> {
  const userId = newId(Date.now());
  await addUsers(pg, [userId]);
  return { userId, apiKey: await addKey(pg, userId) };
}

const DAY_MS = 86_400_000;
const OLDEST_LINK_MS = 730 * DAY_MS;
const NEWEST_LINK_MS = 366 * DAY_MS;
const LINKS_A_STATEMENT = 10_000;

const CREATE_LINK_NUMBERS = `
create table if not exists bench_links (number UInt32, owner_id UUID, smartlink_id UUID, slug String)
engine = MergeTree order by number`;

/**
 * Adds `count` links, dealt out to the owners in turn, to Postgres, and their numbers to ClickHouse. Links are older than
 * every event. Those with the lowest numbers, which are visited most, are the newest, so that the first page of a list
 * has the most events.
 */
export async function addLinks(
  { pg, clickhouse }: Pick<BenchStack, 'pg' | 'clickhouse'>,
  owners: readonly BenchUser[],
  { count, prefix }: { readonly count: number; readonly prefix: string },
): Promise<readonly BenchLink[]> {
  const nowMs = Date.now();
  const links = Array.from({ length: count }, (_, number) => {
    const share = 1 - number / count;
    const createdMs = Math.round(nowMs - OLDEST_LINK_MS + share * (OLDEST_LINK_MS - NEWEST_LINK_MS));
    const slug = `${prefix}${number}`;
    const url = `https://example.org/bench/${slug}`;
    const ownerId = owners[number % owners.length]?.userId ?? '';
    const content = { Url: { shortener: { url, protected: false } } };
    return { number, id: newId(createdMs), ownerId, slug, content, createdMs };
  });
  for (let from = 0; from < count; from += LINKS_A_STATEMENT)
    await storeLinks(pg, 'Url', links.slice(from, from + LINKS_A_STATEMENT));
  await vacuumLinks(pg);
  await clickhouse.command({ query: CREATE_LINK_NUMBERS });
  await clickhouse.command({ query: 'truncate table bench_links' });
  await clickhouse.insert({
    table: 'bench_links',
    values: links.map(({ number, ownerId, id, slug }) => ({
      ...{ number, owner_id: ownerId, smartlink_id: id, slug },
    })),
    format: 'JSONEachRow',
  });
  return links;
}
