import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Pool, PoolClient } from 'pg';
import { z } from 'zod';
import { type Queryable, withTransaction } from '@smartlink/process/database';
import { holdsApiKey } from '@smartlink/smartlink/credentials';
import { check } from '@smartlink/smartlink/document';
import { failure, withIgnored } from '../../envelope.js';
import { ApiError, type ErrorCode, faults } from '../../errors.js';
import { noteMembers } from '../../ignored-input.js';
import { headerValues } from '../../requests.js';
import type { PasswordHasher } from './password-hasher.js';

// How long an answer is replayed is `interval '24 hours'` in these statements and in cleanup.ts.

const KEY_LENGTH_MAX = 255;

const NOT_ONE_KEY = `Must be given once, as 1 to ${KEY_LENGTH_MAX} visible ASCII characters`;

export const idempotencyKeySchema = z
  .string(NOT_ONE_KEY)
  .regex(new RegExp(`^[\\x21-\\x7e]{1,${KEY_LENGTH_MAX}}$`), { message: NOT_ONE_KEY, abort: true })
  // It is stored as it is, and API keys are never stored.
  .refine((key) => !holdsApiKey(key), 'Must not be an API key')
  .optional()
  .meta({
    description:
      `1 to ${KEY_LENGTH_MAX} visible ASCII characters, such as a UUID, unique to the request. Values that contain an ` +
      'API key are refused.',
  });

/** The request's Idempotency-Key, of the header's values. Throws VALIDATION_FAILED if it is invalid. */
export function readIdempotencyKey(values: readonly string[]): string | null {
  const checked = check(idempotencyKeySchema, values.length > 1 ? values : values[0]);
  if (!checked.ok) throw faults(checked.faults.map(({ message }) => ({ path: 'Idempotency-Key', message })));
  return checked.value ?? null;
}

/** A request that is run once if it has an Idempotency-Key. */
export type KeyedRequest = {
  readonly body: unknown;
  readonly ignored: readonly string[];
  readonly key: string | null;
};

/** Throws VALIDATION_FAILED if its Idempotency-Key is invalid. */
export function readKeyedRequest(request: FastifyRequest, ignoredMembers: readonly string[]): KeyedRequest {
  const ignored = noteMembers(request, ignoredMembers);
  return {
    body: request.body ?? null,
    ignored,
    key: readIdempotencyKey(headerValues(request, 'idempotency-key')),
  };
}

/** An answer in the form in which it is kept for an Idempotency-Key: a replay is identical byte for byte. */
export type Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

export function sendAnswer(reply: FastifyReply, { status, headers, body }: Answer): FastifyReply {
  return reply.code(status).headers(headers).type('application/json; charset=utf-8').send(body);
}

export type IdempotentRequest = {
  readonly userId: string;
  readonly key: string;
  readonly document: object;
  readonly holdsPassword: boolean;
  /** Listed in a stored refusal. */
  readonly ignored: readonly string[];
};

type KeptAnswer = { readonly fingerprint: string; readonly answer: Answer };

// Refusals that are as final as a success. Failures of the service are not.
const FINAL_CODES: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'PLAN_RESTRICTED',
  'SUBSCRIPTION_LIMIT_REACHED',
  'SMARTLINK_URL_TAKEN',
  'NAME_TAKEN',
  'UNSAFE_URL',
]);

/** The answer of one request, kept with its Idempotency-Key; `request` is null if it has none. */
export function idempotent(
  { pg, hasher }: { readonly pg: Pool; readonly hasher: PasswordHasher },
  request: IdempotentRequest | null,
) {
  let fingerprint: string | undefined;
  return {
    /** null if this request is the first. Throws IDEMPOTENCY_KEY_REUSED if the first was a different one. */
    async findFirstAnswer(): Promise<Answer | null> {
      const kept = request === null ? null : await findAnswer(pg, request.userId, request.key);
      return request === null || kept === null ? null : replay(hasher, request, kept);
    },

    /**
     * The answer of `work`, kept in the same transaction; or the first answer, if a concurrent request with the same key
     * was faster. If `work` refuses, its writes are rolled back.
     */
    async answer(work: (client: PoolClient) => Promise<Answer>): Promise<Answer> {
      if (request === null) return withTransaction(pg, work);
      fingerprint ??= await fingerprintOf(hasher, request);
      const reservation = { ...request, fingerprint };
      const once = await withTransaction(pg, (client) => reserveAndWork(client, reservation, work));
      // After the transaction: comparing fingerprints may take a password hash.
      return once.kept === null ? once.answer : replay(hasher, request, once.kept);
    },
  };
}

/** Distinguishes this request from others with the same key. */
async function fingerprintOf(hasher: PasswordHasher, request: IdempotentRequest): Promise<string> {
  const digest = digestOf(request);
  // A SHA-256 over a password would be weaker than the argon2 hash stored beside it.
  return request.holdsPassword ? hasher.hash(digest) : digest;
}

async function replay(hasher: PasswordHasher, request: IdempotentRequest, kept: KeptAnswer): Promise<Answer> {
  const digest = digestOf(request);
  const isSame = kept.fingerprint.startsWith('$')
    ? request.holdsPassword && (await hasher.verify(kept.fingerprint, digest))
    : kept.fingerprint === digest;
  if (!isSame) throw new ApiError('IDEMPOTENCY_KEY_REUSED');
  return kept.answer;
}

function digestOf(request: IdempotentRequest): string {
  return createHash('sha256').update(JSON.stringify(request.document)).digest('hex');
}

type Reservation = IdempotentRequest & { readonly fingerprint: string };
type Once =
  | { readonly answer: Answer; readonly kept: null }
  | { readonly answer: null; readonly kept: KeptAnswer };

async function reserveAndWork(
  client: PoolClient,
  reservation: Reservation,
  work: (client: PoolClient) => Promise<Answer>,
): Promise<Once> {
  const { userId, key, ignored } = reservation;
  if (!(await reserveKey(client, reservation))) {
    const kept = await findAnswer(client, userId, key);
    if (kept === null) throw new Error('BUG: an idempotency key is neither free nor used');
    return { answer: null, kept };
  }
  await client.query('savepoint work');
  let answer: Answer;
  try {
    answer = await work(client);
  } catch (err) {
    if (!(err instanceof ApiError) || !FINAL_CODES.has(err.code)) throw err;
    await client.query('rollback to savepoint work');
    answer = {
      status: err.status,
      headers: err.headers,
      body: JSON.stringify(withIgnored(failure(err), ignored)),
    };
  }
  await keepAnswer(client, userId, key, answer);
  return { answer, kept: null };
}

const FIND_ANSWER = `
select fingerprint, answer_status as status, answer_headers as headers, answer_body as body
from idempotency_keys
where user_id = $1 and key = $2 and created_at > now() - interval '24 hours'`;

async function findAnswer(db: Queryable, userId: string, key: string): Promise<KeptAnswer | null> {
  const { rows } = await db.query(FIND_ANSWER, [userId, key]);
  const row = rows[0] as ({ fingerprint: string } & Answer) | undefined;
  if (row === undefined) return null;
  const { fingerprint, ...answer } = row;
  return { fingerprint, answer };
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

/** false if the key was used in the last 24 hours. */
async function reserveKey(db: Queryable, { userId, key, fingerprint }: Reservation): Promise<boolean> {
  const { rows } = await db.query(RESERVE_KEY, [userId, key, fingerprint]);
  return rows.length === 1;
}

const KEEP_ANSWER = `
update idempotency_keys set answer_status = $3, answer_headers = $4, answer_body = $5
where user_id = $1 and key = $2`;

async function keepAnswer(db: Queryable, userId: string, key: string, answer: Answer): Promise<void> {
  const { status, headers, body } = answer;
  await db.query(KEEP_ANSWER, [userId, key, status, JSON.stringify(headers), body]);
}
