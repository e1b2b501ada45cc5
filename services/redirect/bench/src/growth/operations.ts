import { randomInt } from 'node:crypto';
import { publishSnapshots } from '@smartlink/link-resolver/link-publisher';
import { findSnapshots, findWithin } from '@smartlink/link-resolver/snapshot-query';
import { KEY_PREFIX } from '../fill-redis.js';
import { scatteredSlug } from '../many-links.js';
import type { Side } from './side.js';

/** Something that is done again and again, each time to another link of all. */
export type Operation = {
  readonly name: OperationName;
  readonly title: string;
  /** Done a fifth as often as the others: it asks several engines, on a disk too. */
  readonly isSlow?: boolean;
  /** Does it once; rejects when the outcome is not what it must be. `round` grows. */
  readonly run: (side: Side, round: number) => Promise<void>;
};

export const OPERATIONS = [
  'postgres',
  'postgres-100',
  'postgres-unknown',
  'redis',
  'publish',
  'get',
  'list',
  'create',
  'patch',
] as const;

export type OperationName = (typeof OPERATIONS)[number];

// As the resolver reads at most in one query.
const QUERY_BYTES_MAX = 1024 * 1024;
/** So many links are looked up at once. */
export const BATCH = 100;
const UNKNOWN_FROM = 100_000_000;

/** Returns all that is measured, in the order of the page. */
export function operations(): readonly Operation[] {
  return [
    { name: 'postgres', title: 'Postgres: one link', run: (side) => findMany(side, 1) },
    { name: 'postgres-100', title: `Postgres: ${BATCH} links at once`, run: (side) => findMany(side, BATCH) },
    { name: 'postgres-unknown', title: 'Postgres: an unknown slug', run: findUnknown },
    { name: 'redis', title: 'Redis: one link', run: findInRedis },
    { name: 'publish', title: 'publish a change to Redis', run: publish },
    { name: 'get', title: 'API: get a link', isSlow: true, run: get },
    { name: 'list', title: 'API: list 100 links', isSlow: true, run: list },
    { name: 'create', title: 'API: create a link', isSlow: true, run: create },
    { name: 'patch', title: 'API: rename a link', isSlow: true, run: patch },
  ];
}

const anySlug = ({ links }: Side): string => scatteredSlug(randomInt(links));

async function findMany(side: Side, count: number): Promise<void> {
  const slugs = new Set(Array.from({ length: count }, () => anySlug(side)));
  const found = await findWithin(side.stack.pg, [...slugs], QUERY_BYTES_MAX);
  must(found.size === slugs.size, 'Postgres did not know every link');
}

async function findUnknown({ stack }: Side): Promise<void> {
  const found = await findWithin(
    stack.pg,
    [scatteredSlug(UNKNOWN_FROM + randomInt(UNKNOWN_FROM))],
    QUERY_BYTES_MAX,
  );
  must(found.size === 0, 'Postgres knew a link that there is not');
}

async function findInRedis(side: Side): Promise<void> {
  const { source } = await side.resolver.resolve(anySlug(side));
  must(source === 'redis', 'Redis did not know a link');
}

async function publish(side: Side): Promise<void> {
  const slug = anySlug(side);
  side.publishedVersion += 1;
  const version = side.publishedVersion;
  const [snapshot] = (await findSnapshots(side.stack.pg, [slug])).values();
  if (snapshot === undefined) throw new Error('Postgres did not know a link');
  await publishSnapshots(side.redis, KEY_PREFIX, new Map([[slug, { ...snapshot, version }]]));
}

async function get(side: Side): Promise<void> {
  await ask(side, 200, `?id=${anyOf(side.linkIds)}`);
}

async function list(side: Side): Promise<void> {
  await ask(side, 200, '?limit=100');
}

async function create(side: Side): Promise<void> {
  await ask(side, 201, '', {
    method: 'POST',
    body: JSON.stringify({
      configuration: { smartlinkName: 'Made by the bench', smartlinkType: 'Url' },
      shortener: { url: 'https://www.example.org/stories/made-by-the-bench?source=bench' },
    }),
  });
}

async function patch(side: Side, round: number): Promise<void> {
  await ask(side, 200, '', {
    method: 'PATCH',
    body: JSON.stringify({
      id: anyOf(side.linkIds),
      configuration: { smartlinkName: `Round ${round}, ${randomInt(1e9)}` },
    }),
  });
}

async function ask(
  { management, apiKey }: Side,
  status: number,
  query: string,
  request: { readonly method: string; readonly body: string } | { readonly method?: never } = {},
): Promise<void> {
  const response = await fetch(`${management.url}/api/v1/smartlink${query}`, {
    ...request,
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
  });
  const body = await response.text();
  must(response.status === status, `The API answered ${response.status}: ${body.slice(0, 200)}`);
}

const anyOf = (values: readonly string[]): string => values[randomInt(values.length)] ?? '';

function must(isTrue: boolean, otherwise: string): void {
  if (!isTrue) throw new Error(otherwise);
}
