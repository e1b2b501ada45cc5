import { randomUUID } from 'node:crypto';
import { BENCH_PLAN } from '@smartlink/bench/bench-stack';
import type { Pool } from 'pg';

/** Links as management stores them: the content is by the API's names. */
export type LinkKind = {
  readonly type: 'Url' | 'App' | 'QrMenu';
  readonly contentOf: (number: number) => object;
};

export type FillOptions = {
  readonly kind: LinkKind;
  /** Links with the numbers from here, this one too, to `to`, that one not. */
  readonly from: number;
  readonly to: number;
  readonly signal: AbortSignal;
  /** Called with how many are stored, now and again. */
  readonly onStored?: (count: number) => void;
};

/** Every owner of a filled database has so many links. */
export const LINKS_AN_OWNER = 100;

/** So few that they are always in memory, as in any benchmark of a constant redirect. */
export const HOT_LINKS = 10;

const LINKS_A_STATEMENT = 10_000;
const SLUG_LETTERS = 7;
const SLUGS = 36n ** BigInt(SLUG_LETTERS);
// The golden section of all slugs, and without a common divisor with 36: numbers next to each other come to lie far
// apart, and no two on the same slug.
const STEP = 48_431_716_939n;

/**
 * Returns the slug of the link with this number: seven letters as the service draws them, so that an index is as full
 * of holes as in a real database, and where a link lies tells nothing of its neighbours.
 */
export function scatteredSlug(number: number): string {
  return ((BigInt(number) * STEP) % SLUGS).toString(36).padStart(SLUG_LETTERS, '0');
}

/** Returns the slugs of so many links, those from number `from` on. */
export function linkSlugs(from: number, count: number): string[] {
  return Array.from({ length: count }, (_, i) => scatteredSlug(from + i));
}

/** Returns the addresses of so many links, those from number `from` on. */
export function linkPaths(from: number, count: number): string[] {
  return linkSlugs(from, count).map((slug) => `/${slug}`);
}

const SECTIONS = ['stories', 'collections/spring', 'products/outdoor', 'events/2026', 'help/articles'];
const URL_TAIL =
  '-a-title-in-some-words?utm_source=newsletter&utm_medium=email&utm_campaign=spring-sale&ref=7';
const URL_LENGTH_MIN = 60;
const URL_LENGTH_MAX = 120;

/** Returns a target of 60 to 120 characters, each length equally often. */
export function typicalUrl(number: number): string {
  const section = SECTIONS[number % SECTIONS.length] ?? '';
  const url = `https://www.example.org/${section}/${String(number).padStart(9, '0')}${URL_TAIL}`;
  return url.slice(0, URL_LENGTH_MIN + ((number * 37) % (URL_LENGTH_MAX - URL_LENGTH_MIN + 1)));
}

/** A Url link without a password. */
export const URL_LINKS: LinkKind = {
  type: 'Url',
  contentOf: (number) => ({ Url: { shortener: { url: typicalUrl(number), protected: false } } }),
};

/** Returns a target of 50 characters, as long for every number. */
export function evenUrl(number: number): string {
  return `https://www.example.org/stories/${String(number).padStart(8, '0')}?edition=7`;
}

/** A Url link without a password whose answer has as many bytes as that of any other: what is compared with a constant. */
export const EVEN_URL_LINKS: LinkKind = {
  type: 'Url',
  contentOf: (number) => ({ Url: { shortener: { url: evenUrl(number), protected: false } } }),
};

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

// So many dishes come to a page of some 10 kB.
const DISHES = 14;

/** A menu whose page is about 10 kB of HTML before it is compressed. */
export const PAGE_LINKS: LinkKind = {
  type: 'QrMenu',
  contentOf: (number) => ({
    QrMenu: {
      qrMenu: {
        title: `Kitchen ${number}`,
        currency: '€',
        categories: [
          { name: 'Lunch', items: Array.from({ length: DISHES }, (_, dish) => dishOf(number, dish)) },
        ],
      },
    },
  }),
};

// As management writes them, but for the outbox, the audit and webhooks.
const ADD_USERS = `
insert into users (id, email, plan)
select id, id || '@example.com', $2 from unnest($1::uuid[]) as given (id)`;
const ADD_LINKS = `
with numbered as (
  select ordinal, slug, content from unnest($3::text[], $4::jsonb[]) with ordinality as given (slug, content, ordinal)
), added as (
  insert into smartlinks (id, user_id, status, type, name, slug, content, version)
  select uuidv7(), ($1::uuid[])[1 + (ordinal - 1) / ${LINKS_AN_OWNER}], 'Active', $2, 'Bench link ' || ordinal, slug,
         content, nextval('smartlink_version')
  from numbered
  returning id, user_id, slug
)
insert into slugs (key, slug, user_id, smartlink_id, is_primary)
select slug, slug, user_id, id, true from added`;

/** Stores links in Postgres, a hundred an owner, and brings its statistics up to date. Redis hears nothing of them. Rejects on `signal`. */
export async function fillLinks(pg: Pool, { kind, from, to, signal, onStored }: FillOptions): Promise<void> {
  for (let start = from; start < to; start += LINKS_A_STATEMENT) {
    signal.throwIfAborted();
    const numbers = Array.from({ length: Math.min(LINKS_A_STATEMENT, to - start) }, (_, i) => start + i);
    const owners = Array.from({ length: Math.ceil(numbers.length / LINKS_AN_OWNER) }, () => randomUUID());
    await pg.query(ADD_USERS, [owners, BENCH_PLAN]);
    const contents = numbers.map((number) => JSON.stringify(kind.contentOf(number)));
    await pg.query(ADD_LINKS, [owners, kind.type, numbers.map(scatteredSlug), contents]);
    onStored?.(start + numbers.length - from);
  }
  // What autovacuum does within minutes; a database that has stood for a while has it behind it.
  await pg.query('vacuum (analyze) smartlinks, slugs, users');
}

function dishOf(number: number, dish: number): object {
  return {
    name: `Dish ${dish + 1} of ${number}`,
    description: `Roasted in the oven with saffron, number ${(number * 31 + dish * 17) % 997} on the card.`,
    price: 4.5 + dish,
    position: dish,
  };
}
