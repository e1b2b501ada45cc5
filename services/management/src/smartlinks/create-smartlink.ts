import type { Pool, PoolClient } from 'pg';
import type { SmartlinkDocument } from '@smartlink/smartlink/document';
import { isObject } from '@smartlink/smartlink/is-object';
import type { SmartlinkValidator } from '@smartlink/smartlink/validation';
import { toParts, urlsOf } from '@smartlink/smartlink-store/document-parts';
import type { DocumentParts } from '@smartlink/smartlink-store/document-parts';
import { findRoom, lockRoom } from '@smartlink/smartlink-store/plan-limit';
import { addToOutbox } from '@smartlink/smartlink-store/publish-outbox';
import type { OutboxEntry } from '@smartlink/smartlink-store/publish-outbox';
import { recordChanges } from '@smartlink/smartlink-store/record-changes';
import type { Principal } from '../accounts/accounts.js';
import { ApiError, fault, faults } from '../errors.js';
import { withTransaction } from '../transaction.js';
import { createdAnswer } from './answer.js';
import type { Answer } from './answer.js';
import { answerOnce, findFirstAnswer, fingerprintOf } from './idempotency.js';
import type { IdempotentRequest } from './idempotency.js';
import type { Outbox } from './outbox.js';
import type { PasswordHasher } from './password-hasher.js';
import { storeDocuments } from './store-documents.js';
import type { DocumentToStore } from './store-documents.js';
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
    const document = checkDocument(deps.validator, body);
    const parts = toParts(document);
    const request: IdempotentRequest | null =
      idempotencyKey === null
        ? null
        : {
            userId: principal.userId,
            key: idempotencyKey,
            document,
            holdsPassword: parts.password !== undefined,
          };
    if (request !== null) {
      const first = await findFirstAnswer(deps.pg, deps.hasher, request);
      if (first !== null) return first;
    }
    const { refusal, urlsChecked } = await judge(deps, principal, parts);
    if (refusal !== null && request === null) throw refusal;

    const passwordHash = parts.password === undefined ? null : await deps.hasher.hash(parts.password);
    const fingerprint = request === null ? '' : await fingerprintOf(deps.hasher, request);
    let entries: readonly OutboxEntry[] = [];
    const work = async (client: PoolClient): Promise<Answer> => {
      if (refusal !== null) throw refusal;
      const wanted = { parts, passwordHash, urlsChecked, refusal: null };
      const stored = await store(client, principal, wanted);
      entries = stored.entries;
      return createdAnswer(stored.row, deps.publicBaseUrl);
    };
    const answer = await (request === null
      ? withTransaction(deps.pg, work)
      : answerOnce(deps.pg, deps.hasher, { ...request, fingerprint }, work));
    if (entries.length > 0) await deps.outbox.publish(entries);
    return answer;
  };
}

/** Returns the document that a body is. Throws VALIDATION_FAILED with every fault. */
export function checkDocument(validator: SmartlinkValidator, body: unknown): SmartlinkDocument {
  if (!isObject(body)) throw fault('', 'Must be an object');
  const checked = validator.validate(body, { hasStoredPassword: false });
  if (!checked.ok) throw faults(checked.faults);
  return checked.value;
}

/** What the provider said of the URLs, or why the plan or the URLs forbid it. */
type Judgement = { readonly urlsChecked: boolean; readonly refusal: ApiError | null };

/** Outside of a transaction: the provider may take its time. */
async function judge(deps: CreateDeps, principal: Principal, parts: DocumentParts): Promise<Judgement> {
  const { smartlinksMax } = principal.plan;
  try {
    if (smartlinksMax !== null && (await findRoom(deps.pg, principal.userId, smartlinksMax)) === 0) {
      return { urlsChecked: false, refusal: new ApiError('SUBSCRIPTION_LIMIT_REACHED') };
    }
    return { urlsChecked: await requireSafeUrls(deps.urlSafety, urlsOf(parts)), refusal: null };
  } catch (err) {
    if (err instanceof ApiError) return { urlsChecked: false, refusal: err };
    throw err;
  }
}

async function store(client: PoolClient, { userId, keyId }: Principal, document: DocumentToStore) {
  // Of many creates at once each waits for the one before it and counts its row.
  const room = await lockRoom(client, userId);
  const [row] = await storeDocuments(client, userId, [document], room);
  if (row === undefined || row instanceof ApiError) throw row ?? new Error('Not stored');
  const entries = await addToOutbox(client, [row]);
  await recordChanges(client, [{ actor: `key ${keyId}`, action: 'smartlink.create', smartlink: row }]);
  return { row, entries };
}
