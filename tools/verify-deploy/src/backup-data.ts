import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ClickHouseLogLevel, createClient } from '@clickhouse/client';
import type { ClickHouseClient } from '@clickhouse/client';
import type { TestDatabases } from '@smartlink/embedded/test-databases';
import { Client } from 'pg';
import { applyRoles } from './image-engines.js';

export const TRIAL_LINKS = 100_000;
export const TRIAL_EVENTS = 1_000_000;

/** Whom a command comes as: the owner of the tables, or the login that the API and the admin command have. */
export type Login = 'owner' | 'management';

/** Both databases of one side; the caller closes it. The clients come as one who may do everything. */
export type Side = {
  /** The variables of a command or a service that comes as this login. ClickHouse, the embedded one, has one user only. */
  readonly envOf: (login: Login) => Readonly<Record<string, string>>;
  readonly db: Client;
  readonly clickhouse: ClickHouseClient;
  readonly close: () => Promise<void>;
};

// Roles belong to the server, so both sides have the same.
const PASSWORDS = new Map(
  ['owner', 'management', 'redirect'].map((role) => [
    `postgres_${role}_password`,
    randomBytes(16).toString('hex'),
  ]),
);
const passwordOf = (name: string): string => PASSWORDS.get(name) ?? '';

/** Opens both databases, with the rights of roles.sql. Rejects when Postgres cannot be reached. */
export async function openSide(root: string, databases: TestDatabases): Promise<Side> {
  await applyRoles({
    superuserUrl: databases.databaseUrl,
    rolesSql: readFileSync(path.join(root, 'deploy/postgres/roles.sql'), 'utf8'),
    secret: passwordOf,
  });
  const db = new Client({ connectionString: databases.databaseUrl });
  await db.connect();
  const clickhouse = createClient({
    url: databases.clickhouseUrl,
    request_timeout: 300_000,
    log: { level: ClickHouseLogLevel.OFF },
    clickhouse_settings: { max_execution_time: 300 },
  });
  return {
    envOf: (login) => {
      const url = new URL(databases.databaseUrl);
      url.username = `smartlink_${login}`;
      url.password = passwordOf(`postgres_${login}_password`);
      return {
        DATABASE_URL: url.href,
        REDIS_URL: databases.redisUrl,
        REDIS_KEY_PREFIX: databases.redisKeyPrefix,
        CLICKHOUSE_URL: databases.clickhouseUrl,
      };
    },
    db,
    clickhouse,
    close: async () => {
      await clickhouse.close();
      await db.end();
    },
  };
}

// Both engines make the same id of the same number.
const ID_START = '00000000-0000-7000-8000-';

/** Makes a user's links, and their visits of the last 60 days, of which each tenth was sent twice. */
export async function fillSide({ db, clickhouse }: Side, userId: string): Promise<void> {
  await db.query(
    `insert into smartlinks (id, user_id, status, type, name, slug, content, version)
     select ('${ID_START}' || lpad(to_hex(n), 12, '0'))::uuid, $1, 'Active', 'Url', 'link ' || n, 'bk' || n,
            jsonb_build_object('Url', jsonb_build_object('shortener',
              jsonb_build_object('url', 'https://example.org/' || n, 'protected', false))), nextval('smartlink_version')
     from generate_series(1, $2::integer) as n`,
    [userId, TRIAL_LINKS],
  );
  await db.query(
    `insert into slugs (key, slug, user_id, smartlink_id, is_primary)
     select lower(slug), slug, user_id, id, true from smartlinks`,
  );
  await db.query('analyze');
  const visits = `
    insert into events (ts, event_id, owner_id, smartlink_id, slug, source, outcome, country, device, visitor_id)
    select toStartOfDay(now64(3, 'UTC')) - toIntervalSecond(cityHash64(n) % 5184000), toUUID(concat('${ID_START}', leftPad(lower(hex(n)), 12, '0'))),
           {userId:UUID}, toUUID(concat('${ID_START}', leftPad(lower(hex(toUInt32(1 + n % ${TRIAL_LINKS}))), 12, '0'))),
           concat('bk', toString(1 + n % ${TRIAL_LINKS})), if(n % 5 = 0, 'scan', 'click'), 'target', if(n % 2 = 0, 'DE', 'FR'), 'mobile', cityHash64(n)
    from (select number as n from numbers({events:UInt64}))`;
  for (const events of [TRIAL_EVENTS, TRIAL_EVENTS / 10]) {
    await clickhouse.command({ query: visits, query_params: { userId, events } });
  }
}

const AHEAD = 1_000_000_000;

/** Returns a figure of the content of every table that a restore brings back as it was. */
export async function fingerprint({ db, clickhouse }: Side): Promise<Readonly<Record<string, string>>> {
  const prints: Record<string, string> = {};
  // Versions are all ahead by as much after a restore.
  for (const table of ['plans', 'users', 'api_keys', 'slugs', 'smartlink_totals', 'smartlinks']) {
    const row =
      table === 'smartlinks'
        ? `to_jsonb(t) || jsonb_build_object('version', version % ${AHEAD})`
        : 'to_jsonb(t)';
    // The key is used while this goes on.
    const text = table === 'api_keys' ? `(${row}) - 'last_used_at'` : row;
    const { rows } = await db.query<{ print: string }>(
      `select count(*) || ' ' || coalesce(sum(hashtextextended((${text})::text, 0)), 0) as print from ${table} as t`,
    );
    prints[table] = rows[0]?.print ?? '';
  }
  for (const table of ['events', 'visits_daily', 'rollup_state']) {
    const computed = table === 'events' ? ', late_at, arrived_at' : '';
    const result = await clickhouse.query({
      query: `select concat(toString(count()), ' ', toString(sum(cityHash64(toString(tuple(*${computed})))))) as print from ${table} final`,
      format: 'JSONEachRow',
    });
    prints[table] = (await result.json<{ print: string }>())[0]?.print ?? '';
  }
  return prints;
}
