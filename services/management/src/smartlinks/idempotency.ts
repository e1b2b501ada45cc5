import { createHash } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import { z } from 'zod';
import { holdsApiKey } from '@smartlink/smartlink/api-key';
import { check } from '@smartlink/smartlink/validation';
import { ApiError, faults } from '../errors.js';
import type { ErrorCode } from '../errors.js';
import { withTransaction } from '../transaction.js';
import { refusedAnswer } from './answer.js';
import type { Answer } from './answer.js';
import { findAnswer, keepAnswer, reserveKey } from './idempotency-queries.js';
import type { KeptAnswer } from './idempotency-queries.js';
import type { PasswordHasher } from './password-hasher.js';

const KEY_LENGTH_MAX = 255;

const NOT_ONE_KEY = `Must be given once, as 1 to ${KEY_LENGTH_MAX} visible ASCII characters`;

/** The header Idempotency-Key of a create. */
export const idempotencyKeySchema = z
  .string(NOT_ONE_KEY)
  .regex(new RegExp(`^[\\x21-\\x7e]{1,${KEY_LENGTH_MAX}}$`), { message: NOT_ONE_KEY, abort: true })
  // It is kept as it is, and no store of ours holds a key.
  .refine((key) => !holdsApiKey(key), 'Must not be an API key')
  .optional()
  .meta({
    description:
      `Any 1 to ${KEY_LENGTH_MAX} visible ASCII characters, such as a UUID, new for each smartlink. What holds an API ` +
      'key is refused.',
  });

/** Returns the request's Idempotency-Key, or null when it has none. Throws VALIDATION_FAILED on an unusable one. */
export function readIdempotencyKey(values: readonly string[]): string | null {
  const checked = check(idempotencyKeySchema, values.length > 1 ? values : values[0]);
  if (!checked.ok) throw faults(checked.faults.map(({ message }) => ({ path: 'Idempotency-Key', message })));
  return checked.value ?? null;
}

/** The one request that an Idempotency-Key stands for. */
export type IdempotentRequest = {
  readonly userId: string;
  readonly key: string;
  readonly document: object;
  readonly holdsPassword: boolean;
};

/** Returns the first answer to this request, or null when it is the first. Throws IDEMPOTENCY_KEY_REUSED for another. */
export async function findFirstAnswer(
  pg: Pool,
  hasher: PasswordHasher,
  request: IdempotentRequest,
): Promise<Answer | null> {
  const kept = await findAnswer(pg, request.userId, request.key);
  return kept === null ? null : replay(hasher, request, kept);
}

/** Returns the fingerprint that tells this request from others with the same key. */
export async function fingerprintOf(hasher: PasswordHasher, request: IdempotentRequest): Promise<string> {
  const digest = digestOf(request);
  // Beside a password's argon2 hash a SHA-256 over the same password would be the weak spot.
  return request.holdsPassword ? hasher.hash(digest) : digest;
}

// Refusals that are answers to this very request, as final as a success. Faults of ours are not.
const FINAL_CODES: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'PLAN_RESTRICTED',
  'SUBSCRIPTION_LIMIT_REACHED',
  'SMARTLINK_URL_TAKEN',
  'UNSAFE_URL',
]);

/**
 * Returns the answer of `work`, kept with the request's key in the same transaction; or, when another request with
 * the key was quicker, that one's answer. What `work` wrote before it refused is undone.
 */
export async function answerOnce(
  pg: Pool,
  hasher: PasswordHasher,
  request: IdempotentRequest & { fingerprint: string },
  work: (client: PoolClient) => Promise<Answer>,
): Promise<Answer> {
  const once = await withTransaction(pg, (client) => reserveAndWork(client, request, work));
  // After the transaction: another one's fingerprint may have to be hashed.
  return once.kept === null ? once.answer : replay(hasher, request, once.kept);
}

type Once =
  { readonly answer: Answer; readonly kept: null } | { readonly answer: null; readonly kept: KeptAnswer };

async function reserveAndWork(
  client: PoolClient,
  request: IdempotentRequest & { fingerprint: string },
  work: (client: PoolClient) => Promise<Answer>,
): Promise<Once> {
  const { userId, key } = request;
  if (!(await reserveKey(client, request))) {
    const kept = await findAnswer(client, userId, key);
    if (kept === null) throw new Error('An idempotency key is neither free nor used');
    return { answer: null, kept };
  }
  await client.query('savepoint work');
  let answer: Answer;
  try {
    answer = await work(client);
  } catch (err) {
    if (!(err instanceof ApiError) || !FINAL_CODES.has(err.code)) throw err;
    await client.query('rollback to savepoint work');
    answer = refusedAnswer(err);
  }
  await keepAnswer(client, userId, key, answer);
  return { answer, kept: null };
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
