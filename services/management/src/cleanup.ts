import fp from 'fastify-plugin';
import { failureMessage, type Queryable } from '@smartlink/process/database';
import { type Logger, startJob } from '@smartlink/process/lifecycle';

const INTERVAL_MS = 60_000;

// Answers are replayed for 24 hours.
const REMOVE_EXPIRED_KEYS = `
delete from idempotency_keys where ctid = any(array(
  select ctid from idempotency_keys where created_at <= now() - interval '24 hours'
  order by created_at limit 1000 for update skip locked))`;

// The 24 hours of a snapshot in Redis plus one: a follower that was stopped for longer finds no old snapshot there.
// 10,000 rows take about 20 ms; one process keeps up with 167 changes a second.
const REMOVE_FOLLOWED_CHANGES = `
delete from link_changes where ctid = any(array(
  select ctid from link_changes where created_at <= now() - interval '25 hours'
  order by created_at limit 10000 for update skip locked))`;

// The delivery log covers seven days.
const REMOVE_OLD_DELIVERIES = `
delete from webhook_deliveries where id = any(array(
  select id from webhook_deliveries
  where status <> 'Pending' and occurred_at < now() - interval '7 days'
  order by occurred_at limit 5000 for update skip locked))`;

const REMOVE_ENDED_SESSIONS = `
delete from sessions where id = any(array(
  select id from sessions where idle_until <= now() order by idle_until limit 1000 for update skip locked))`;

const REMOVE_EXPIRED_LINKS = `
delete from one_time_links where token_sha256 = any(array(
  select token_sha256 from one_time_links where expires_at <= now()
  order by expires_at limit 1000 for update skip locked))`;

// Uploads that broke off, checked ones that were never started, and reports of ended ones.
const EXPIRE_UPLOADS = `
update imports set state = 'removed' where id = any(array(
  select id from imports
  where state = 'receiving' and started_at < now() - interval '15 minutes'
     or state = 'checked' and started_at < now() - interval '24 hours'
     or state in ('done', 'failed') and finished_at < now() - interval '7 days'
  limit 1000 for update skip locked))`;

// Of a table in pieces: an upload has up to 200,000 rows.
const removeRowsOf = (table: 'import_rows' | 'import_remarks'): string => `
delete from ${table} where ctid = any(array(
  select ${table}.ctid from ${table} join imports on imports.id = import_id
  where state = 'removed' limit 20000 for update of ${table} skip locked))`;

const REMOVE_UPLOADS = `
delete from imports where id = any(array(
  select id from imports
  where state = 'removed' and not exists (select from import_rows where import_id = imports.id)
    and not exists (select from import_remarks where import_id = imports.id)
  limit 1000 for update skip locked))`;

const STATEMENTS = [
  REMOVE_EXPIRED_KEYS,
  REMOVE_FOLLOWED_CHANGES,
  REMOVE_OLD_DELIVERIES,
  REMOVE_ENDED_SESSIONS,
  REMOVE_EXPIRED_LINKS,
  EXPIRE_UPLOADS,
  removeRowsOf('import_rows'),
  removeRowsOf('import_remarks'),
  REMOVE_UPLOADS,
];

/** Removes a bounded batch of rows past their retention from each table. A failed table does not stop the rest. */
export async function removeOutdatedRows(pg: Queryable): Promise<void> {
  const failures: unknown[] = [];
  for (const statement of STATEMENTS) {
    await pg.query(statement, []).catch((err: unknown) => failures.push(err));
  }
  if (failures.length > 0) throw new Error(failures.map(failureMessage).join('; '), { cause: failures[0] });
}

/** Removes outdated rows every minute. Any number of processes may do so. */
export default fp<{ log: Logger }>(
  (app, { log }, done) => {
    const job = startJob({
      everyMs: INTERVAL_MS,
      run: () => removeOutdatedRows(app.pg),
      failure: 'outdated rows could not be removed',
      log,
    });
    app.addHook('onClose', job.stop);
    done();
  },
  { name: 'cleanup', dependencies: ['postgres'] },
);
