import { randomUUID } from 'node:crypto';
import { BENCH_PLAN } from '@smartlink/bench/bench-stack';
import type { BenchStack } from '@smartlink/bench/bench-stack';

/** Seven characters, as the service makes them; lower case, so that it is its own key. */
export const slugOf = (prefix: string, number: number): string =>
  `${prefix}${number.toString(36).padStart(7 - prefix.length, '0')}`;

/** The target of every Url link is as long. */
export const targetOf = (number: number): string =>
  `https://www.example.org/stories/${String(number).padStart(8, '0')}?edition=7`;

const LINKS_A_STATEMENT = 10_000;

// As the service stores them.
const ADD_LINKS = `
with numbered as (
  select ordinal, slug, content from unnest($3::text[], $4::jsonb[]) with ordinality as given (slug, content, ordinal)
), added as (
  insert into smartlinks (id, user_id, status, type, name, slug, content, version)
  select uuidv7(), $1, 'Active', $2, 'Bench link ' || ordinal, slug, content, nextval('smartlink_version')
  from numbered
  returning id, user_id, slug
)
insert into slugs (key, slug, user_id, smartlink_id, is_primary)
select lower(slug), slug, user_id, id, true from added`;

/** Stores Url links with the slugs of `prefix`, numbered from 0, and returns the slugs. Redis learns of them by the first visit. */
export async function addUrlLinks(
  stack: BenchStack,
  prefix: string,
  count: number,
): Promise<readonly string[]> {
  return addLinks(
    stack,
    'Url',
    Array.from({ length: count }, (_, number) => ({
      slug: slugOf(prefix, number),
      content: { Url: { shortener: { url: targetOf(number), protected: false } } },
    })),
  );
}

/** Stores App links with stores for every device, and returns their slugs. */
export async function addAppLinks(
  stack: BenchStack,
  prefix: string,
  count: number,
): Promise<readonly string[]> {
  return addLinks(
    stack,
    'App',
    Array.from({ length: count }, (_, number) => ({
      slug: slugOf(prefix, number),
      content: {
        App: {
          configuration: {
            appStoreLink: `https://apps.apple.com/app/id${1_000_000 + number}`,
            googlePlayLink: `https://play.google.com/store/apps/details?id=org.example.app${number}`,
            windowsAppLink: `https://apps.microsoft.com/detail/app${number}`,
            fallBackLink: targetOf(number),
          },
        },
      },
    })),
  );
}

async function addLinks(
  { pg }: BenchStack,
  type: 'Url' | 'App',
  links: readonly { readonly slug: string; readonly content: object }[],
): Promise<readonly string[]> {
  const userId = randomUUID();
  await pg.query('insert into users (id, email, plan) values ($1, $2, $3)', [
    userId,
    `${userId}@example.com`,
    BENCH_PLAN,
  ]);
  for (let from = 0; from < links.length; from += LINKS_A_STATEMENT) {
    const some = links.slice(from, from + LINKS_A_STATEMENT);
    const slugs = some.map(({ slug }) => slug);
    const contents = some.map(({ content }) => JSON.stringify(content));
    await pg.query(ADD_LINKS, [userId, type, slugs, contents]);
  }
  await pg.query('analyze smartlinks, slugs');
  return links.map(({ slug }) => slug);
}
