import type { Pool, PoolClient } from 'pg';
import { isObject } from '@smartlink/smartlink/is-object';
import type { SmartlinkValidator } from '@smartlink/smartlink/validation';
import { toParts, urlsOf } from '@smartlink/smartlink-store/document-parts';
import type { DocumentParts } from '@smartlink/smartlink-store/document-parts';
import { findRoom, lockRoom } from '@smartlink/smartlink-store/plan-limit';
import { addToOutbox } from '@smartlink/smartlink-store/publish-outbox';
import type { OutboxEntry } from '@smartlink/smartlink-store/publish-outbox';
import { recordChanges } from '@smartlink/smartlink-store/record-changes';
import { storeSmartlinks } from '@smartlink/smartlink-store/store-smartlinks';
import type { Principal } from '../accounts/accounts.js';
import { ApiError, fault, faults } from '../errors.js';
import { newId } from '../new-id.js';
import { withTransaction } from '../transaction.js';
import { createdAnswer } from './answer.js';
import type { Answer } from './answer.js';
import { answerOnce, findFirstAnswer, fingerprintOf } from './idempotency.js';
import type { IdempotentRequest } from './idempotency.js';
import type { Outbox } from './outbox.js';
import type { PasswordHasher } from './password-hasher.js';
import { slugTaken } from './slug-taken.js';
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
    const { refusal, urlsChecked } = await judge(deps, principal, parts);
    if (refusal !== null && request === null) throw refusal;

    const passwordHash = parts.password === undefined ? null : await deps.hasher.hash(parts.password);
    const fingerprint = request === null ? '' : await fingerprintOf(deps.hasher, request);
    let entries: readonly OutboxEntry[] = [];
    const answer = await withTransaction(deps.pg, async (client) => {
      const work = async (): Promise<Answer> => {
        if (refusal !== null) throw refusal;
        const stored = await store(client, principal, parts, { passwordHash, urlsChecked });
        entries = stored.entries;
        return createdAnswer(stored.row, deps.publicBaseUrl);
      };
      return request === null ? work() : answerOnce(client, deps.hasher, { ...request, fingerprint }, work);
    });
    if (entries.length > 0) await deps.outbox.publish(entries);
    return answer;
  };
}

/** What the provider said of the URLs, or why the plan or the URLs forbid it. */
type Judgement = { readonly urlsChecked: boolean; readonly refusal: ApiError | null };

/** Outside of a transaction: the provider may take its time. */
async function judge(deps: CreateDeps, principal: Principal, parts: DocumentParts): Promise<Judgement> {
  const { smartlinksMax } = principal.plan;
  try {
    if (smartlinksMax !== null) requireRoom(await findRoom(deps.pg, principal.userId, smartlinksMax));
    return { urlsChecked: await requireSafeUrls(deps.urlSafety, urlsOf(parts)), refusal: null };
  } catch (err) {
    if (err instanceof ApiError) return { urlsChecked: false, refusal: err };
    throw err;
  }
}

async function store(
  client: PoolClient,
  { userId, keyId }: Principal,
  { slug, type, name, openGraph, content }: DocumentParts,
  kept: { readonly passwordHash: string | null; readonly urlsChecked: boolean },
) {
  // Of many creates at once each waits for the one before it and counts its row.
  requireRoom(await lockRoom(client, userId));
  const smartlink = {
    id: newId(Date.now()),
    slug,
    type,
    name,
    openGraph,
    content: { [type]: content },
    ...kept,
  };
  const [row] = await storeSmartlinks(client, userId, [smartlink]);
  if (!row) throw slugTaken();
  const entries = await addToOutbox(client, [row]);
  await recordChanges(client, [{ actor: `key ${keyId}`, action: 'smartlink.create', smartlink: row }]);
  return { row, entries };
}

function requireRoom(room: number | null): void {
  if (room === 0) throw new ApiError('SUBSCRIPTION_LIMIT_REACHED');
}
