import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { Pool } from 'pg';
import { findSnapshots, publishSnapshots, snapshotRedisKey } from '@smartlink/links/publish';
import { hashPassword } from '@smartlink/smartlink/credentials';
import type { Availability, PageContent, Routing } from '@smartlink/smartlink/document';
import { addressKey, inDomain } from '@smartlink/smartlink/model';

export type NewLink = {
  readonly slug: string;
  /** Number of the custom domain of its addresses. */
  readonly domain?: number;
  /** Those with `-` or `_` are imported addresses. */
  readonly aliases?: readonly string[];
  readonly status?: 'Active' | 'Paused' | 'Deleted';
  readonly routing?: Routing;
  readonly availability?: Availability;
} & (
  | {
      readonly url: string;
      readonly password?: string;
      /** PHC string to store instead of a new hash of `password`. */
      readonly passwordHash?: string;
    }
  | {
      readonly type: 'App' | PageContent['type'];
      /** What management stores of the type, by the API's names. */
      readonly content: object;
    }
);

export type LinkStore = {
  readonly ownerId: string;
  /** Writes a link as management does, and returns its id. Nothing is published. */
  readonly insert: (link: NewLink) => Promise<string>;
  /** Changes a link's row with a new version and returns that; `set` is SQL over $2. Nothing is published. */
  readonly update: (id: string, set: string, value: unknown) => Promise<number>;
  /** Publishes what Postgres holds of these slugs, as management does after its commit. */
  readonly publish: (...slugs: string[]) => Promise<void>;
  /** The target of a Url link in Redis. */
  readonly published: (slug: string) => Promise<string | null>;
};

/** Returns a stand-in for the management service on its real tables and its real publisher. */
export async function createLinkStore(pool: Pool, redis: Redis, keyPrefix: string): Promise<LinkStore> {
  const ownerId = randomUUID();
  await pool.query(`insert into users (id, email, plan) values ($1, $2, 'Enterprise')`, [
    ownerId,
    `${ownerId}@example.com`,
  ]);
  return {
    ownerId,
    async insert(link) {
      const {
        slug,
        aliases = [],
        status = 'Active',
        routing = null,
        availability = null,
        domain = null,
      } = link;
      const id = randomUUID();
      const { type, content } = 'url' in link ? shorten(link) : link;
      const passwordHash = 'url' in link ? await passwordHashOf(link) : null;
      await pool.query(
        `insert into smartlinks (id, user_id, status, type, name, slug, content, password_hash, routing, availability, domain_number, password_version, version)
         values ($1, $2, $3, $4, 'Test', $5, $6, $7, $8, $9, $10, 1, nextval('smartlink_version'))`,
        [id, ownerId, status, type, slug, { [type]: content }, passwordHash, routing, availability, domain],
      );
      for (const [index, name] of [slug, ...aliases].entries()) {
        await pool.query(
          `insert into slugs (key, slug, user_id, smartlink_id, is_primary) values ($1, $2, $3, $4, $5)`,
          [inDomain(addressKey(name), domain), name, ownerId, id, index === 0],
        );
      }
      return id;
    },
    async update(id, set, value) {
      const { rows } = await pool.query(
        `update smartlinks set ${set}, version = nextval('smartlink_version') where id = $1 returning version`,
        [id, value],
      );
      return Number((rows as { version: string }[])[0]?.version);
    },
    async publish(...slugs) {
      await publishSnapshots(redis, keyPrefix, await findSnapshots(pool, slugs.map(addressKey)));
    },
    async published(slug) {
      const value = await redis.get(snapshotRedisKey(keyPrefix, slug));
      return value === null ? null : (JSON.parse(value.slice(value.indexOf('{'))) as { url: string }).url;
    },
  };
}

type UrlLink = Extract<NewLink, { readonly url: string }>;

function shorten({ url, password, passwordHash }: UrlLink) {
  const isProtected = password !== undefined || passwordHash !== undefined;
  return { type: 'Url', content: { shortener: { url, protected: isProtected } } };
}

async function passwordHashOf({ password, passwordHash }: UrlLink): Promise<string | null> {
  return password === undefined ? (passwordHash ?? null) : hashPassword(password);
}

/** SQL for LinkStore.update that sets the target of a Url link. */
export const SET_URL = `content = jsonb_set(content, '{Url,shortener,url}', to_jsonb($2::text))`;
/** SQL for LinkStore.update that sets the status. */
export const SET_STATUS = `status = $2`;
