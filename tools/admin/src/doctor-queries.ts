import type { ClickHouseClient } from '@clickhouse/client';
import { selectRows } from '@smartlink/visit-analytics/select-rows';
import type { Client } from 'pg';
import { ANSWER_LIMIT_MS } from './doctor-check.js';

/** Returns the server's version: as it is compared, and as it is told. */
export async function findPostgresVersion(db: Client): Promise<{ number: number; text: string }> {
  const { rows } = await db.query<{ number: number; text: string }>(
    `select current_setting('server_version_num')::integer as number, current_setting('server_version') as text`,
  );
  return rows[0] ?? { number: 0, text: '' };
}

export type Privilege = { readonly name: string; readonly privilege: string; readonly isGranted: boolean };

const PRIVILEGES = `
select c.relname::text as name, p.privilege,
       case when c.relkind = 'S' then has_sequence_privilege(c.oid, p.privilege)
            else has_table_privilege(c.oid, p.privilege) end as "isGranted"
from pg_class c
cross join lateral unnest(case when c.relkind = 'S' then array['usage'] else array['select', 'insert', 'update', 'delete'] end)
  as p (privilege)
where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p', 'S')
order by 1, 2`;

/** Returns what the login of the connection may do with each table and sequence, and what not. */
export async function listPrivileges(db: Client): Promise<readonly Privilege[]> {
  return (await db.query<Privilege>(PRIVILEGES)).rows;
}

/** Returns milliseconds since 1970, as Postgres has it. */
export async function findPostgresTime(db: Client): Promise<number> {
  const { rows } = await db.query<{ ms: number }>(
    `select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`,
  );
  return Math.round(rows[0]?.ms ?? 0);
}

/** Returns how many changes wait to be published, 10,000 at most, and for how many seconds the oldest has. */
export async function findWaitingChanges(db: Client): Promise<{ waiting: number; age: number }> {
  const { rows } = await db.query<{ waiting: number; age: number }>(
    `select count(*)::integer as waiting, coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as age
     from (select created_at from publish_outbox order by id limit 10000) as oldest`,
  );
  return rows[0] ?? { waiting: 0, age: 0 };
}

/** Returns ClickHouse's version. */
export async function findClickhouseVersion(clickhouse: ClickHouseClient): Promise<string> {
  const query = 'select version() as version';
  const [row] = await selectRows<{ version: string }>(clickhouse, query, {}, ANSWER_LIMIT_MS);
  return row?.version ?? '';
}

/** Returns milliseconds since 1970, as ClickHouse has it. */
export async function findClickhouseTime(clickhouse: ClickHouseClient): Promise<number> {
  const query = 'select toUnixTimestamp64Milli(now64(3)) as ms';
  const [row] = await selectRows<{ ms: number }>(clickhouse, query, {}, ANSWER_LIMIT_MS);
  return row?.ms ?? 0;
}

export type UnrolledVisits = {
  readonly openFrom: string;
  readonly firstOpen: string;
  readonly rows: number;
};

const UNROLLED = `
with (select argMax(open_from, version) from rollup_state) as open
select toString(open) as openFrom, toString(toDate(min(ts))) as firstOpen, count() as rows
from events where ts >= open`;

/** Returns since when and how many visits wait to be rolled up. */
export async function findUnrolled(clickhouse: ClickHouseClient): Promise<UnrolledVisits | undefined> {
  return (await selectRows<UnrolledVisits>(clickhouse, UNROLLED, {}, ANSWER_LIMIT_MS))[0];
}
