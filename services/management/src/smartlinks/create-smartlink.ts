import type { Pool, PoolClient } from 'pg';
import type { SmartlinkValidator } from '@smartlink/smartlink/validation';
import type { Principal } from '../accounts/accounts.js';
import { ApiError, fault, faults } from '../errors.js';
import { newId } from '../new-id.js';
import { withTransaction } from '../transaction.js';
import { createdAnswer } from './answer.js';
import type { Answer } from './answer.js';
import { addAuditEntry } from './audit-queries.js';
import { claimAssignedSlug, claimWantedSlug } from './claim.js';
import { toParts, urlsOf } from './document-parts.js';
import type { DocumentParts } from './document-parts.js';
import { answerOnce, findFirstAnswer, fingerprintOf } from './idempotency.js';
import type { IdempotentRequest } from './idempotency.js';
import { isObject } from './merge-document.js';
import type { Outbox } from './outbox.js';
import { addToOutbox } from './outbox-queries.js';
import type { OutboxEntry } from './outbox-queries.js';
import type { PasswordHasher } from './password-hasher.js';
import { countKept, findSmartlinksMax, insertSmartlink, lockUser } from './queries.js';
import { requireSafeUrls } from '../url-safety/url-safety.js';
import type { UrlSafety } from '../url-safety/url-safety.js';

export type CreateDeps = {
  readonly pg: Pool;
  readonly outbox: Outbox;
  readonly validator: SmartlinkValidator;
  readonly hasher: PasswordHasher;
  readonly urlSafety: UrlSafety;
  readonly publicBaseUrl: string;
};

/**
 * Returns the use case of POST: checks a body, stores the smartlink within the plan's limit and publishes it before
 * it answers. Rejects with ApiError.
 */
export function createSmartlinkCreator(deps: CreateDeps) {
  return async (principal: Principal, body: unknown, idempotencyKey: string | null): Promise<Answer> => {
    if (!isObject(body)) throw fault('', 'Must be an object');
    const checked = deps.validator.validate(body, { hasStoredPassword: false });
    if (!checked.ok) throw faults(checked.faults);
    const parts = toParts(checked.value);
    const request: IdempotentRequest | null =
      idempotencyKey === null
        ? null
        : {
            userId: principal.userId,
            key: idempotencyKey,
            document: checked.value,
            holdsPassword: parts.password !== undefined,
          };
    if (request !== null) {
      const first = await findFirstAnswer(deps.pg, deps.hasher, request);
      if (first !== null) return first;
    }
    const refusal = await findRefusal(deps, principal, parts);
    if (refusal !== null && request === null) throw refusal;

    const passwordHash = parts.password === undefined ? null : await deps.hasher.hash(parts.password);
    const fingerprint = request === null ? '' : await fingerprintOf(deps.hasher, request);
    let entries: readonly OutboxEntry[] = [];
    const answer = await withTransaction(deps.pg, async (client) => {
      const work = async (): Promise<Answer> => {
        if (refusal !== null) throw refusal;
        const stored = await store(client, principal, parts, passwordHash);
        entries = stored.entries;
        return createdAnswer(stored.row, deps.publicBaseUrl);
      };
      return request === null ? work() : answerOnce(client, deps.hasher, { ...request, fingerprint }, work);
    });
    if (entries.length > 0) await deps.outbox.publish(entries);
    return answer;
  };
}

/** Returns why the plan or the URLs forbid it, or null. Outside of a transaction: the provider may take its time. */
async function findRefusal(
  deps: CreateDeps,
  principal: Principal,
  parts: DocumentParts,
): Promise<ApiError | null> {
  try {
    await requireRoom(deps.pg, principal.userId, principal.plan.smartlinksMax);
    await requireSafeUrls(deps.urlSafety, urlsOf(parts));
    return null;
  } catch (err) {
    if (err instanceof ApiError) return err;
    throw err;
  }
}

async function store(
  client: PoolClient,
  principal: Principal,
  parts: DocumentParts,
  passwordHash: string | null,
): ReturnType<typeof insertAll> {
  const { userId } = principal;
  const smartlinksMax = await findSmartlinksMax(client, userId);
  if (smartlinksMax !== null) {
    // Of many creates at once each waits for the one before it and counts its row.
    await lockUser(client, userId);
    await requireRoom(client, userId, smartlinksMax);
  }
  return insertAll(client, principal, parts, passwordHash);
}

async function insertAll(
  client: PoolClient,
  principal: Principal,
  parts: DocumentParts,
  passwordHash: string | null,
) {
  const { userId, keyId } = principal;
  const id = newId(Date.now());
  const claimant = { userId, smartlinkId: id };
  if (parts.slug !== undefined) await claimWantedSlug(client, claimant, parts.slug);
  const slug = parts.slug ?? (await claimAssignedSlug(client, claimant));
  const row = await insertSmartlink(client, {
    id,
    userId,
    type: parts.type,
    name: parts.name,
    slug,
    openGraph: parts.openGraph,
    content: { [parts.type]: parts.content },
    passwordHash,
  });
  const entries = await addToOutbox(client, id, row.version);
  await addAuditEntry(client, { keyId, userId, smartlinkId: id, action: 'smartlink.create' });
  return { row, entries };
}

async function requireRoom(
  db: Pool | PoolClient,
  userId: string,
  smartlinksMax: number | null,
): Promise<void> {
  if (smartlinksMax !== null && (await countKept(db, userId)) >= smartlinksMax) {
    throw new ApiError('SUBSCRIPTION_LIMIT_REACHED');
  }
}
