import { Redis } from 'ioredis';
import type { Pool } from 'pg';
import { addUsers, type BenchStack, storeLinks, vacuumLinks } from '@smartlink/bench/stack';
import { findSnapshots, publishSnapshots } from '@smartlink/links/publish';
import { openRedis, type RedisConnection, whenReady } from '@smartlink/links/redis';
import { newId } from '@smartlink/smartlink/store';

/** Links as management stores them: the content is by the API's names. */
export type LinkKind = {
  readonly type: 'Url' | 'App' | 'QrMenu';
  readonly contentOf: (number: number) => object;
};

export type FillOptions = {
  /** Numbers of the links; without `to`. */
  readonly from: number;
  readonly to: number;
  readonly signal: AbortSignal;
  /** Called with the number of stored links now and then. */
  readonly onStored?: (count: number) => void;
};

/** Few enough to stay in memory. */
export const HOT_LINKS = 10;

const LINKS_AN_OWNER = 100;
const LINKS_A_STATEMENT = 10_000;
const SLUG_LETTERS = 7;
const SLUGS = 36n ** BigInt(SLUG_LETTERS);
// The golden section of all slugs, without a common divisor with 36: consecutive numbers get distant, distinct slugs.
const STEP = 48_431_716_939n;

/** Slug of a link: seven letters scattered as the service draws them, so that an index is as sparse as in production. */
export function scatteredSlug(number: number): string {
  return ((BigInt(number) * STEP) % SLUGS).toString(36).padStart(SLUG_LETTERS, '0');
}

export function linkSlugs(from: number, count: number): string[] {
  return Array.from({ length: count }, (_, i) => scatteredSlug(from + i));
}

export function linkPaths(from: number, count: number): string[] {
  return linkSlugs(from, count).map((slug) => `/${slug}`);
}

const urlContent = (url: string) => ({ Url: { shortener: { url, protected: false } } });

const SECTIONS = ['stories', 'collections/spring', 'products/outdoor', 'events/2026', 'help/articles'];
const URL_TAIL =
  '-a-title-in-some-words?utm_source=newsletter&utm_medium=email&utm_campaign=spring-sale&ref=7';

/** A target of 60 to 120 characters, each length equally often. */
function typicalUrl(number: number): string {
  const section = SECTIONS[number % SECTIONS.length] ?? '';
  const url = `https://www.example.org/${section}/${String(number).padStart(9, '0')}${URL_TAIL}`;
  return url.slice(0, 60 + ((number * 37) % 61));
}

/** A Url link without a password. */
export const URL_LINKS: LinkKind = { type: 'Url', contentOf: (number) => urlContent(typicalUrl(number)) };

/** A target of 50 characters. */
export function evenUrl(number: number): string {
  return `https://www.example.org/stories/${String(number).padStart(8, '0')}?edition=7`;
}

/** A Url link whose answer has as many bytes as that of any other: what is compared with a constant. */
export const EVEN_URL_LINKS: LinkKind = { type: 'Url', contentOf: (number) => urlContent(evenUrl(number)) };

/** An App link with three stores and a fallback. */
export const APP_LINKS: LinkKind = {
  type: 'App',
  contentOf: (number) => ({
    App: {
      configuration: {
        appStoreLink: `https://apps.apple.com/app/example-app/id${100_000_000 + number}`,
        googlePlayLink: `https://play.google.com/store/apps/details?id=org.example.app${number}`,
        windowsAppLink: `https://apps.microsoft.com/detail/9${String(number).padStart(11, '0')}`,
        fallBackLink: typicalUrl(number),
      },
    },
  }),
};

// Makes a page of about 10 kB of HTML before it is compressed.
const DISHES = 14;

/** A menu. */
export const PAGE_LINKS: LinkKind = {
  type: 'QrMenu',
  contentOf: (number) => {
    const items = Array.from({ length: DISHES }, (_, dish) => ({
      name: `Dish ${dish + 1} of ${number}`,
      description: `Roasted in the oven with saffron, number ${(number * 31 + dish * 17) % 997} on the card.`,
      price: 4.5 + dish,
      position: dish,
    }));
    const categories = [{ name: 'Lunch', items }];
    return { QrMenu: { qrMenu: { title: `Kitchen ${number}`, currency: '€', categories } } };
  },
};

/** Stores links in Postgres, a hundred for each owner. Redis learns nothing of them. Rejects on `signal`. */
export async function fillLinks(
  pg: Pool,
  kind: LinkKind,
  { from, to, signal, onStored }: FillOptions,
): Promise<void> {
  for (let start = from; start < to; start += LINKS_A_STATEMENT) {
    signal.throwIfAborted();
    const count = Math.min(LINKS_A_STATEMENT, to - start);
    const nowMs = Date.now();
    const owners = Array.from({ length: Math.ceil(count / LINKS_AN_OWNER) }, () => newId(nowMs));
    await addUsers(pg, owners);
    const links = Array.from({ length: count }, (_, i) => ({
      id: newId(nowMs),
      ownerId: owners[Math.floor(i / LINKS_AN_OWNER)] ?? '',
      slug: scatteredSlug(start + i),
      content: kind.contentOf(start + i),
      createdMs: nowMs,
    }));
    await storeLinks(pg, kind.type, links);
    onStored?.(start + count - from);
  }
  await vacuumLinks(pg);
}

/** As the services' own configuration has it. */
export const KEY_PREFIX = 'smartlink:';

const SNAPSHOTS_A_PART = 2_000;
const COMMAND_LIMIT_MS = 10_000;
const READY_LIMIT_MS = 10_000;

/** Does `work` with a connection to Redis as services have it, but with 10 s for a command. */
export async function withLinkRedis<Result>(
  url: string,
  work: (redis: RedisConnection) => Promise<Result>,
): Promise<Result> {
  const log = { info: () => undefined, warn: () => undefined };
  const redis = openRedis({ url, log, commandTimeoutMs: COMMAND_LIMIT_MS });
  try {
    await whenReady(redis, READY_LIMIT_MS);
    return await work(redis);
  } finally {
    redis.disconnect();
  }
}

/**
 * Publishes links from Postgres to Redis, as management does after a change. Redis may then use any amount of memory: the
 * limit of the embedded one would evict most of ten million links. Rejects on `signal`.
 */
export async function fillRedis(
  { pg, redisUrl }: BenchStack,
  { from, to, signal, onStored }: FillOptions,
): Promise<void> {
  await withRedis(redisUrl, (redis) => redis.config('SET', 'maxmemory', '0'));
  await withLinkRedis(redisUrl, async (redis) => {
    for (let start = from; start < to; start += SNAPSHOTS_A_PART) {
      signal.throwIfAborted();
      const count = Math.min(SNAPSHOTS_A_PART, to - start);
      await publishSnapshots(redis, KEY_PREFIX, await findSnapshots(pg, linkSlugs(start, count)));
      onStored?.(start + count - from);
    }
  });
}

/** Does `work` with a plain connection to Redis, for commands that services never send. */
export async function withRedis<Result>(
  url: string,
  work: (redis: Redis) => Promise<Result>,
): Promise<Result> {
  const redis = new Redis(url);
  try {
    return await work(redis);
  } finally {
    redis.disconnect();
  }
}
