import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client';
import { Client } from 'pg';
import { describeDatabaseFailure } from '@smartlink/process/database';
import {
  askSchema,
  CLICKHOUSE_MIN,
  clickhouseSchema,
  isAtLeast,
  postgresSchema,
  type SchemaSource,
} from '@smartlink/process/schema';
import { measureOutbox, OUTBOX_AGE_MAX_SECONDS } from '@smartlink/smartlink/store';
import { selectRows } from '@smartlink/visits/analytics';
import { measureRollup } from '@smartlink/visits/rollup';
import { findLogin } from '../backup/postgres.js';
import { nameSome } from '../cli/text.js';
import { given } from '../config/config.js';
import { findLackingGrants, type Grant } from '../engines/clickhouse.js';
import {
  adviseReaching,
  ANSWER_LIMIT_MS,
  type DoctorCheck,
  judgeClock,
  notSet,
  ok,
  okOrWarning,
  problem,
  unknown,
  type Verdict,
} from './check.js';

// gen_random_uuid without an extension came with 13; statements and migrations use nothing newer.
const POSTGRES_MIN = 13;
const POSTGRES_TESTED = 18;
const OUTBOX_AGE_PROBLEM_S = 60;

export const postgresCheck: DoctorCheck = {
  name: 'Postgres',
  async run({ env, now, signal }) {
    const url = given(env, 'DATABASE_URL');
    if (url === null) return { Postgres: notSet('DATABASE_URL') };
    const db = openPostgres(url);
    // Not awaited: the command ends even if the server does not answer. Pending queries then reject.
    const close = () => void db.end().catch(() => undefined);
    db.on('error', () => undefined);
    signal.addEventListener('abort', close, { once: true });
    try {
      await db.connect();
    } catch (err) {
      const seen = describeDatabaseFailure('Postgres', url, err, ANSWER_LIMIT_MS);
      return { Postgres: problem(seen, adviseReaching('DATABASE_URL', err)) };
    }
    try {
      const clock = 'select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms';
      return {
        'Postgres version': await judgePostgresVersion(db),
        'Postgres schema': await judgeSchema(postgresSchema(url, () => openPostgres(url), ANSWER_LIMIT_MS)),
        'Postgres privileges': await judgePostgresPrivileges(db),
        'Postgres clock': await judgeClock(now, async () =>
          Math.round((await db.query<{ ms: number }>(clock)).rows[0]?.ms ?? 0),
        ),
        'changes to publish': await judgeOutbox(db),
      };
    } finally {
      close();
    }
  },
};

const openPostgres = (url: string): Client =>
  new Client({
    connectionString: url,
    connectionTimeoutMillis: ANSWER_LIMIT_MS,
    statement_timeout: ANSWER_LIMIT_MS,
    query_timeout: ANSWER_LIMIT_MS,
    application_name: 'smartlink-doctor',
  });

async function judgePostgresVersion(db: Client): Promise<Verdict> {
  const { rows } = await db.query<{ server_version: string }>('show server_version');
  const version = rows[0]?.server_version ?? '';
  if (Number.parseInt(version) >= POSTGRES_MIN) return ok(version);
  const todo = `Upgrade: it is tested with ${POSTGRES_TESTED}.`;
  return problem(`${version}, and the statements need ${POSTGRES_MIN}`, todo);
}

/** As a service judges a database's schema at its start. */
async function judgeSchema(source: SchemaSource): Promise<Verdict> {
  const state = await askSchema(source, ANSWER_LIMIT_MS);
  if (state.kind === 'known') return ok('this build runs on it');
  if (state.kind === 'unreachable') return unknown(state.reason);
  return problem(state.reason, 'A service of this build refuses to start on it.');
}

/** What deploy/postgres/roles.sql keeps from the login of management; a test holds both lists against that file. */
const MANAGEMENT_LACKS: Readonly<Record<string, readonly string[]>> = {
  slugs: ['delete'],
  audit_entries: ['update', 'delete'],
  schema_migration: ['insert', 'update', 'delete'],
  take_visits: ['execute'],
};
/** What it lets the login of redirect read; it also calls take_visits. */
const REDIRECT_READS = new Set([
  'slugs',
  'smartlinks',
  'publish_outbox',
  'link_changes',
  'schema_migration',
  'domains',
  'domains_version',
]);

const PRIVILEGES = `
select c.relname::text as name, p.privilege,
       case when c.relkind = 'S' then has_sequence_privilege(c.oid, p.privilege)
            else has_table_privilege(c.oid, p.privilege) end as "isGranted"
from pg_class c
cross join lateral unnest(case when c.relkind = 'S' then array['usage'] else array['select', 'insert', 'update', 'delete'] end)
  as p (privilege)
where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p', 'S')
union all
select proname::text, 'execute', has_function_privilege(oid, 'execute')
from pg_proc where pronamespace = current_schema()::regnamespace and proname = 'take_visits'
order by 1, 2`;

/** A login that may write anything is judged as management's, or the owner's; one that only reads as redirect's. */
async function judgePostgresPrivileges(db: Client): Promise<Verdict> {
  const login = await findLogin(db);
  const { rows } = await db.query<{ name: string; privilege: string; isGranted: boolean }>(PRIVILEGES);
  const isWriter = rows.some(({ privilege, isGranted }) => privilege === 'insert' && isGranted);
  const isNeeded = (name: string, privilege: string): boolean =>
    isWriter
      ? MANAGEMENT_LACKS[name]?.includes(privilege) !== true
      : privilege === 'execute' || (privilege === 'select' && REDIRECT_READS.has(name));
  const lacking = rows
    .filter(({ name, privilege, isGranted }) => !isGranted && isNeeded(name, privilege))
    .map(({ name, privilege }) => `${privilege} on ${name}`);
  const service = isWriter ? 'management' : 'redirect';
  if (lacking.length === 0) return ok(`${login} may do what ${service} does`);
  const todo = 'Run deploy/postgres/roles.sql once more, or grant them to the login of DATABASE_URL.';
  return problem(`${login} lacks ${nameSome(lacking, ', ', 10)}, for ${service}`, todo);
}

async function judgeOutbox(db: Client): Promise<Verdict> {
  try {
    const { depth: waiting, oldestSeconds: age } = await measureOutbox(db);
    const seen = waiting === 0 ? 'none waits' : `${waiting} wait, the oldest for ${Math.round(age)} s`;
    const todo = 'See whether management runs and reaches Redis: it publishes them.';
    if (age > OUTBOX_AGE_PROBLEM_S) return problem(seen, todo);
    return okOrWarning(age <= OUTBOX_AGE_MAX_SECONDS, seen, todo);
  } catch {
    return unknown('the table publish_outbox cannot be read', 'See Postgres schema and privileges.');
  }
}

export const clickhouseCheck: DoctorCheck = {
  name: 'ClickHouse',
  async run({ env, now, signal }) {
    const url = given(env, 'CLICKHOUSE_URL');
    if (url === null) return { ClickHouse: notSet('CLICKHOUSE_URL') };
    const clickhouse = openClickhouse(url);
    // Pending queries then reject.
    signal.addEventListener('abort', () => void clickhouse.close(), { once: true });
    try {
      const version = await selectOne<{ version: string }>(clickhouse, 'select version() as version');
      const clock = 'select toUnixTimestamp64Milli(now64(3)) as ms';
      return {
        'ClickHouse version': judgeClickhouseVersion(version?.version ?? ''),
        'ClickHouse schema': await judgeSchema(
          clickhouseSchema(url, () => openClickhouse(url), ANSWER_LIMIT_MS),
        ),
        'ClickHouse privileges': await judgeClickhousePrivileges(clickhouse),
        'ClickHouse clock': await judgeClock(
          now,
          async () => (await selectOne<{ ms: number }>(clickhouse, clock))?.ms ?? 0,
        ),
        'figures by day': await judgeRollup(clickhouse, now),
      };
    } catch (err) {
      const seen = describeDatabaseFailure('ClickHouse', url, err, ANSWER_LIMIT_MS);
      return {
        ClickHouse: problem(seen, `${adviseReaching('CLICKHOUSE_URL', err)} Visits wait in the spool.`),
      };
    } finally {
      await clickhouse.close();
    }
  },
};

const openClickhouse = (url: string): ClickHouseClient =>
  createClient({
    url,
    application: 'smartlink-doctor',
    request_timeout: ANSWER_LIMIT_MS,
    log: { level: ClickHouseLogLevel.OFF },
    clickhouse_settings: { output_format_json_quote_64bit_integers: 0 },
  });

const selectOne = async <Row>(clickhouse: ClickHouseClient, query: string): Promise<Row | undefined> =>
  (await selectRows<Row>(clickhouse, query, {}, ANSWER_LIMIT_MS))[0];

function judgeClickhouseVersion(version: string): Verdict {
  if (isAtLeast(version, CLICKHOUSE_MIN)) return ok(version);
  const todo = 'Upgrade it; until then visits wait in the spool.';
  return problem(`${version}, and ${CLICKHOUSE_MIN.join('.')} is needed`, todo);
}

/** What each service does in ClickHouse, as deploy/compose/clickhouse/users.xml grants it. */
const CLICKHOUSE_GRANTS: Readonly<Record<'management' | 'redirect', readonly Grant[]>> = {
  management: [
    ...['events', 'visits_daily', 'forgotten_visits', 'rollup_state'].map((table) => ({
      privileges: ['select', 'insert', 'alter update', 'alter delete', 'optimize'],
      table,
    })),
    { privileges: ['select'], table: 'schema_migration' },
  ],
  redirect: [
    { privileges: ['insert'], table: 'events' },
    { privileges: ['select'], table: 'schema_migration' },
  ],
};

async function judgeClickhousePrivileges(clickhouse: ClickHouseClient): Promise<Verdict> {
  const findLacking = (grants: readonly Grant[]) => findLackingGrants(clickhouse, grants, ANSWER_LIMIT_MS);
  // Redirect only inserts.
  const readsVisits = (await findLacking([{ privileges: ['select'], table: 'events' }])).length === 0;
  const service = readsVisits ? 'management' : 'redirect';
  const lacking = await findLacking(CLICKHOUSE_GRANTS[service]);
  if (lacking.length === 0) return ok(`may do what ${service} does`);
  const todo =
    'Grant them to the user of CLICKHOUSE_URL (deploy/compose/clickhouse/users.xml has all of them).';
  return problem(`lacks ${nameSome(lacking, ', ', 10)}, for ${service}`, todo);
}

async function judgeRollup(clickhouse: ClickHouseClient, now: () => number): Promise<Verdict> {
  const rollup = await measureRollup(clickhouse, now(), ANSWER_LIMIT_MS).catch(() => null);
  if (rollup === null) {
    return unknown('rollup_state and events cannot be read', 'Management may: see ClickHouse privileges.');
  }
  const todo = 'See whether management runs, and what it logs of the roll-up. Answers stay exact.';
  return okOrWarning(!rollup.isLate, rollup.seen, todo);
}
