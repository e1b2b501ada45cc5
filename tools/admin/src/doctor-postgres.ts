import { askSchema, postgresSchema } from '@smartlink/process/schema-check';
import { Client } from 'pg';
import { ANSWER_LIMIT_MS, given, judgeClock, ok, problem, unknown, warning } from './doctor-check.js';
import type { DoctorCheck, Finding } from './doctor-check.js';
import { adviseReaching, describeUnanswered } from './doctor-failure.js';
import { judgePostgresPrivileges } from './doctor-privileges.js';
import {
  findPostgresTime,
  findPostgresVersion,
  findWaitingChanges,
  listPrivileges,
} from './doctor-queries.js';
import { judgeSchemaState } from './doctor-schema.js';
import { findLogin } from './restore-queries.js';

// gen_random_uuid without an extension came with 13; the statements and migrations use nothing newer.
const VERSION_MIN = 13;
const TRIED_VERSION = 18;
// The relay empties it every 250 ms (ARCHITECTURE.md, Change).
const OUTBOX_AGE_WARNING_S = 10;
const OUTBOX_AGE_PROBLEM_S = 60;

export const postgresCheck: DoctorCheck = {
  name: 'Postgres',
  async run({ env, now, signal }) {
    const url = given(env, 'DATABASE_URL');
    if (url === null)
      return [
        unknown('Postgres', 'DATABASE_URL (or DATABASE_URL_FILE) is not set', 'Set it, or start npm start.'),
      ];
    const db = openClient(url);
    db.on('error', () => undefined);
    // What is being waited for then rejects.
    signal.addEventListener('abort', () => void db.end().catch(() => undefined), { once: true });
    try {
      await db.connect();
    } catch (err) {
      return [
        problem('Postgres', describeUnanswered('Postgres', url, err), adviseReaching('DATABASE_URL', err)),
      ];
    }
    try {
      const schema = askSchema(
        postgresSchema(url, () => openClient(url), ANSWER_LIMIT_MS),
        ANSWER_LIMIT_MS,
      );
      return [
        await judgeVersion(db),
        judgeSchemaState('Postgres schema', await schema),
        judgePostgresPrivileges(await findLogin(db), await listPrivileges(db)),
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
  const { number, text } = await findPostgresVersion(db);
  const major = Math.floor(number / 10_000);
  if (major >= VERSION_MIN) return ok('Postgres version', text);
  return problem(
    'Postgres version',
    `${text}, and the statements need ${VERSION_MIN}`,
    `Upgrade: it is tried with ${TRIED_VERSION}.`,
  );
}

async function judgeTime(db: Client, now: () => number): Promise<Finding> {
  const before = now();
  return judgeClock('Postgres clock', await findPostgresTime(db), before, now());
}

async function judgeOutbox(db: Client): Promise<Finding> {
  const check = 'changes to publish';
  try {
    const { waiting, age } = await findWaitingChanges(db);
    const seen = waiting === 0 ? 'none waits' : `${waiting} wait, the oldest for ${Math.round(age)} s`;
    const todo = 'See whether management runs and reaches Redis: it publishes them.';
    if (age > OUTBOX_AGE_PROBLEM_S) return problem(check, seen, todo);
    return age > OUTBOX_AGE_WARNING_S ? warning(check, seen, todo) : ok(check, seen);
  } catch {
    return unknown(check, 'the table publish_outbox cannot be read', 'See Postgres schema and privileges.');
  }
}
