import { describeDatabaseFailure } from '@smartlink/process/database-failure';
import { askSchema, postgresSchema } from '@smartlink/process/schema-check';
import { Client } from 'pg';
import { ANSWER_LIMIT_MS, given, judgeClock, ok, problem, unknown, warning } from './doctor-check.js';
import type { DoctorCheck, Finding } from './doctor-check.js';
import { judgeSchemaState } from './doctor-schema.js';

// gen_random_uuid without an extension came with 13; the statements and migrations use nothing newer.
const VERSION_MIN = 13;
const TRIED_VERSION = 18;
// The relay empties it every 250 ms (ARCHITECTURE.md, Change).
const OUTBOX_AGE_WARNING_S = 10;
const OUTBOX_AGE_PROBLEM_S = 60;

export const postgresCheck: DoctorCheck = {
  name: 'Postgres',
  async run({ env, now }) {
    const url = given(env, 'DATABASE_URL');
    if (url === null) return [unknown('Postgres', 'DATABASE_URL is not set', 'Set it, or start npm start.')];
    const db = openClient(url);
    db.on('error', () => undefined);
    try {
      await db.connect();
    } catch (err) {
      return [
        problem(
          'Postgres',
          describeDatabaseFailure('Postgres', url, err),
          'Start it, or correct DATABASE_URL.',
        ),
      ];
    }
    try {
      const schema = askSchema(
        postgresSchema(url, () => openClient(url)),
        ANSWER_LIMIT_MS,
      );
      return [
        await judgeVersion(db),
        judgeSchemaState('Postgres schema', await schema),
        await judgePrivileges(db),
        await judgeTime(db, now),
        await judgeOutbox(db),
      ];
    } finally {
      // What does not say goodbye is left behind: the command ends anyway.
      void db.end().catch(() => undefined);
    }
  },
};

const openClient = (url: string): Client =>
  new Client({
    connectionString: url,
    connectionTimeoutMillis: ANSWER_LIMIT_MS,
    statement_timeout: ANSWER_LIMIT_MS,
    query_timeout: ANSWER_LIMIT_MS,
    application_name: 'smartlink-doctor',
  });

async function judgeVersion(db: Client): Promise<Finding> {
  const { rows } = await db.query<{ number: number; text: string }>(
    `select current_setting('server_version_num')::integer as number, current_setting('server_version') as text`,
  );
  const { number = 0, text = '' } = rows[0] ?? {};
  const major = Math.floor(number / 10_000);
  if (major >= VERSION_MIN) return ok('Postgres version', text);
  return problem(
    'Postgres version',
    `${text}, and the statements need ${VERSION_MIN}`,
    `Upgrade: it is tried with ${TRIED_VERSION}.`,
  );
}

async function judgePrivileges(db: Client): Promise<Finding> {
  const { rows } = await db.query<{ name: string; lacks: string }>(
    `select c.relname as name, p.privilege as lacks
     from pg_class c
     cross join unnest(array['select', 'insert', 'update', 'delete']) as p (privilege)
     where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and c.relname <> 'schema_migration'
       and not has_table_privilege(c.oid, p.privilege)
     union all
     select c.relname, 'usage' from pg_class c
     where c.relnamespace = current_schema()::regnamespace and case when c.relkind = 'S' then not has_sequence_privilege(c.oid, 'usage') else false end
     order by 1, 2 limit 20`,
  );
  if (rows.length === 0) return ok('Postgres privileges', 'may read and write every table');
  const lacking = rows.map(({ name, lacks }) => `${lacks} on ${name}`).join(', ');
  return problem('Postgres privileges', `lacks ${lacking}`, 'Grant them to the user of DATABASE_URL.');
}

async function judgeTime(db: Client, now: () => number): Promise<Finding> {
  const before = now();
  const { rows } = await db.query<{ ms: number }>(
    `select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`,
  );
  return judgeClock('Postgres clock', Math.round(rows[0]?.ms ?? 0), before, now());
}

async function judgeOutbox(db: Client): Promise<Finding> {
  const check = 'changes to publish';
  try {
    const { rows } = await db.query<{ waiting: number; age: number }>(
      `select count(*)::integer as waiting, coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as age
       from (select created_at from publish_outbox order by id limit 10000) as oldest`,
    );
    const { waiting = 0, age = 0 } = rows[0] ?? {};
    const seen = waiting === 0 ? 'none waits' : `${waiting} wait, the oldest for ${Math.round(age)} s`;
    const todo = 'See whether management runs and reaches Redis: it publishes them.';
    if (age > OUTBOX_AGE_PROBLEM_S) return problem(check, seen, todo);
    return age > OUTBOX_AGE_WARNING_S ? warning(check, seen, todo) : ok(check, seen);
  } catch {
    return unknown(check, 'the table publish_outbox cannot be read', 'See Postgres schema and privileges.');
  }
}
