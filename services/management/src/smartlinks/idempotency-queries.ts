import type { Queryable } from '@smartlink/link-resolver/snapshot-query';
import type { Answer } from './answer.js';

// How long an answer is replayed (decisions.md, Idempotency) stands in both statements as `interval '24 hours'`.

export type KeptAnswer = { readonly fingerprint: string; readonly answer: Answer };

const FIND_ANSWER = `
select fingerprint, answer_status as status, answer_headers as headers, answer_body as body
from idempotency_keys
where user_id = $1 and key = $2 and created_at > now() - interval '24 hours'`;

/** Returns what was answered to a user's Idempotency-Key within the last 24 hours, or null. */
export async function findAnswer(db: Queryable, userId: string, key: string): Promise<KeptAnswer | null> {
  const { rows } = await db.query(FIND_ANSWER, [userId, key]);
  const row = rows[0] as ({ fingerprint: string } & Answer) | undefined;
  if (row === undefined) return null;
  const { fingerprint, status, headers, body } = row;
  return { fingerprint, answer: { status, headers, body } };
}

// A second request with the same key waits here for the first one's transaction: when that commits it gets no row,
// when it rolls back the key is free again.
const RESERVE_KEY = `
insert into idempotency_keys (user_id, key, fingerprint) values ($1, $2, $3)
on conflict (user_id, key) do update
  set fingerprint = excluded.fingerprint, created_at = now(),
      answer_status = null, answer_headers = null, answer_body = null
  where idempotency_keys.created_at <= now() - interval '24 hours'
returning key`;

/** Takes a user's Idempotency-Key for this transaction; false when it was used within the last 24 hours. */
export async function reserveKey(
  db: Queryable,
  reservation: { userId: string; key: string; fingerprint: string },
): Promise<boolean> {
  const { userId, key, fingerprint } = reservation;
  const { rows } = await db.query(RESERVE_KEY, [userId, key, fingerprint]);
  return rows.length === 1;
}

const KEEP_ANSWER = `
update idempotency_keys set answer_status = $3, answer_headers = $4, answer_body = $5
where user_id = $1 and key = $2`;

/** Keeps the answer of the transaction that reserved the key. */
export async function keepAnswer(db: Queryable, userId: string, key: string, answer: Answer): Promise<void> {
  const { status, headers, body } = answer;
  await db.query(KEEP_ANSWER, [userId, key, status, JSON.stringify(headers), body]);
}

const REMOVE_EXPIRED = `
delete from idempotency_keys where ctid = any(array(
  select ctid from idempotency_keys where created_at <= now() - interval '24 hours'
  order by created_at limit $1 for update skip locked))
returning key`;

/** Removes at most `limit` expired answers and returns how many there were. */
export async function removeExpired(db: Queryable, limit: number): Promise<number> {
  const { rows } = await db.query(REMOVE_EXPIRED, [limit]);
  return rows.length;
}
