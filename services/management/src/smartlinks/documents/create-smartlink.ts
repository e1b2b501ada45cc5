import type { FastifyInstance } from 'fastify';
import type { PoolClient } from 'pg';
import { z } from 'zod';
import type { Queryable } from '@smartlink/process/database';
import type { SmartlinkDocument, SmartlinkValidator } from '@smartlink/smartlink/document';
import { inDomain, isObject, relink, slugKey } from '@smartlink/smartlink/model';
import {
  addToOutbox,
  type DocumentParts,
  remainingQuota,
  findTaken,
  checkMetadata,
  type LinkDomain,
  lockMetadata,
  lockQuota,
  newId,
  type OutboxEntry,
  placeInDomains,
  recordChanges,
  type SmartlinkRow,
  storeSmartlinks,
  toParts,
  urlsOf,
} from '@smartlink/smartlink/store';
import { NO_TOTALS } from '@smartlink/visits/analytics';
import { type Principal, principalOf } from '../../accounts/accounts.js';
import { applyUtmTemplate, findUtmTemplates, type UtmTemplates } from '../../collections/utm-templates.js';
import { success, withIgnored } from '../../envelope.js';
import { ApiError, fault, faults, slugTaken } from '../../errors.js';
import { findIgnored } from '../../ignored-input.js';
import type { Operation } from '../../operation.js';
import { requireSafeUrls } from '../../url-safety/url-safety.js';
import type { SmartlinkContext } from '../context.js';
import { refusalByFormat } from '../publishing/format-gate.js';
import {
  type Answer,
  idempotencyKeySchema,
  idempotent,
  readKeyedRequest,
  type KeyedRequest,
  sendAnswer,
} from './idempotency.js';
import {
  CREATE_EXAMPLES,
  EXTERNAL_ID_TAKEN_EXAMPLE,
  type Reference,
  SLUG_TAKEN_EXAMPLE,
  unsafeUrlExample,
} from './reference.js';
import { etagOf, toSmartlink } from './smartlink-view.js';
import { domainRefusal, metadataRefusal } from './write-patches.js';

/** POST /smartlink. */
export function createRoute(app: FastifyInstance, context: SmartlinkContext): void {
  const operation = () => createOperation(context.reference);

  app.post(
    '/smartlink',
    { config: { operation, access: { scope: 'links:create', role: 'Editor' } } },
    async (request, reply) => {
      const keyed = readKeyedRequest(request, findIgnored(context.createMembers, request.body));
      return sendAnswer(reply, await createSmartlink(context, principalOf(request), keyed));
    },
  );
}

/** Stores a smartlink within the plan's limit and publishes it before the answer. Rejects with ApiError. */
async function createSmartlink(
  context: SmartlinkContext,
  principal: Principal,
  { body, ignored, key }: KeyedRequest,
): Promise<Answer> {
  const { hasher, outbox, validator, publicBaseUrl } = context;
  const templates = await findUtmTemplates(context.pg, principal.userId, [body]);
  const document = checkDocument(validator, body, templates);
  const parts = toParts(document);
  const { password } = parts;
  const holdsPassword = password !== undefined;
  const once = idempotent(
    context,
    key === null ? null : { userId: principal.userId, key, document, holdsPassword, ignored },
  );
  const first = await once.findFirstAnswer();
  if (first !== null) return first;
  const formatRefusal = refusalByFormat(context.formatGate, null, parts);
  if (formatRefusal !== null) throw formatRefusal;
  const { refusal, urlsChecked } = await judge(context, principal, parts);
  if (refusal !== null && key === null) throw refusal;

  const passwordHash = password === undefined ? null : await hasher.hash(password);
  let entries: readonly OutboxEntry[] = [];
  const answer = await once.answer(async (client) => {
    if (refusal !== null) throw refusal;
    const stored = await store(client, principal, { parts, passwordHash, urlsChecked, refusal: null });
    entries = stored.entries;
    return createdAnswer(stored.row, publicBaseUrl, ignored);
  });
  if (entries.length > 0) await outbox.publish(entries);
  return answer;
}

function createdAnswer(row: SmartlinkRow, publicBaseUrl: string, ignored: readonly string[]): Answer {
  const envelope = success('Smartlink created', toSmartlink(row, NO_TOTALS, publicBaseUrl));
  return {
    status: 201,
    headers: { location: relink(publicBaseUrl, row.slug, row.domain), etag: etagOf(row) },
    body: JSON.stringify(withIgnored(envelope, ignored)),
  };
}

/** Throws VALIDATION_FAILED with every fault. */
export function checkDocument(
  validator: SmartlinkValidator,
  body: unknown,
  templates: UtmTemplates,
): SmartlinkDocument {
  if (!isObject(body)) throw fault('', 'Must be an object');
  const applied = applyUtmTemplate(body, templates);
  const checked = validator.validate(applied.body, { hasStoredPassword: false });
  if (!checked.ok) throw faults([...applied.faults, ...checked.faults]);
  if (applied.faults.length > 0) throw faults(applied.faults);
  return checked.value;
}

/** Checks the plan's limit and the URLs, outside of a transaction: the provider may be slow. */
async function judge(
  { pg, urlSafety }: SmartlinkContext,
  { userId, plan: { smartlinksMax } }: Principal,
  parts: DocumentParts,
): Promise<{ readonly urlsChecked: boolean; readonly refusal: ApiError | null }> {
  try {
    if (smartlinksMax !== null && (await remainingQuota(pg, userId, smartlinksMax)) === 0) {
      return { urlsChecked: false, refusal: new ApiError('SUBSCRIPTION_LIMIT_REACHED') };
    }
    return { urlsChecked: await requireSafeUrls(urlSafety, urlsOf(parts)), refusal: null };
  } catch (err) {
    if (err instanceof ApiError) return { urlsChecked: false, refusal: err };
    throw err;
  }
}

async function store(client: PoolClient, principal: Principal, document: DocumentToStore) {
  const { userId, actor } = principal;
  // Concurrent creates of a user wait for each other here, so that each counts the rows of those before it.
  const room = await lockQuota(client, userId);
  const { tags, externalId, folderId } = document.parts.metadata;
  const locksAccount = tags.length > 0 || externalId !== null;
  await lockMetadata(client, userId, { locksAccount, folderIds: [folderId] });
  const [row] = await storeDocuments(client, principal, [document], room);
  if (row === undefined || row instanceof ApiError) throw row ?? new Error('BUG: no outcome');
  const entries = await addToOutbox(client, [row]);
  await recordChanges(client, [{ actor, action: 'smartlink.create', smartlink: row }]);
  return { row, entries };
}

/** A checked document that is to be a new smartlink. */
export type DocumentToStore = {
  readonly parts: DocumentParts;
  readonly passwordHash: string | null;
  /** A safety provider has judged its URLs. */
  readonly urlsChecked: boolean;
  /** Why it is refused if the plan has room for it. */
  readonly refusal: ApiError | null;
};

/**
 * Stores a user's documents as new smartlinks in a few statements, however many there are; each as if those before it
 * had been stored by earlier calls. `room` is the number the plan has room for, held by a lock; null: unlimited. The
 * outcomes are in the order of the documents. No two may have the same external id. Needs a transaction with the locks of
 * lockMetadata.
 */
export async function storeDocuments(
  db: Queryable,
  { userId, credential }: Pick<Principal, 'userId' | 'credential'>,
  documents: readonly DocumentToStore[],
  room: number | null,
): Promise<readonly (SmartlinkRow | ApiError)[]> {
  const outcomes = new Map<PlacedDocument, SmartlinkRow | ApiError>();
  const createdBy = credential.kind === 'session' ? credential.personId : credential.createdBy;
  const found = await checkMetadata(
    db,
    userId,
    documents.map(({ parts }) => parts.metadata),
  );
  const domains = await placeInDomains(
    db,
    userId,
    documents.map(({ parts }) => parts.domain),
  );
  const checked = documents.map((document, i): PlacedDocument => {
    const domain = domains[i] ?? null;
    const metadataFault = found[i] ?? null;
    const refusal = metadataFault === null ? null : metadataRefusal(metadataFault);
    return typeof domain === 'string'
      ? { ...document, domain: null, refusal: document.refusal ?? domainRefusal(domain) }
      : { ...document, domain, refusal: document.refusal ?? refusal };
  });
  let left: readonly PlacedDocument[] = checked;
  let roomLeft = room ?? Infinity;
  while (left.length > 0 && roomLeft > 0) {
    // If there is room for all, it does not matter yet which addresses are taken.
    const taken =
      left.length > roomLeft ? await findTaken(db, userId, left.flatMap(keyOf)) : new Set<string>();
    const chosen = choose(left, roomLeft, taken, outcomes);
    const rows =
      chosen.length === 0 ? [] : await storeSmartlinks(db, userId, toSmartlinks(chosen, createdBy));
    for (const [index, document] of chosen.entries()) outcomes.set(document, rows[index] ?? slugTaken());
    roomLeft -= rows.filter((row) => row !== null).length;
    left = left.filter((document) => !outcomes.has(document));
  }
  return checked.map((document) => outcomes.get(document) ?? new ApiError('SUBSCRIPTION_LIMIT_REACHED'));
}

type PlacedDocument = DocumentToStore & { readonly domain: LinkDomain | null };

/** The first documents there is room for. Puts the refusals of those between them into `outcomes`. */
function choose(
  documents: readonly PlacedDocument[],
  room: number,
  taken: ReadonlySet<string>,
  outcomes: Map<PlacedDocument, SmartlinkRow | ApiError>,
): readonly PlacedDocument[] {
  const chosen: PlacedDocument[] = [];
  const claimed = new Set(taken);
  for (const document of documents) {
    if (chosen.length === room) break;
    const [key] = keyOf(document);
    if (document.refusal !== null) outcomes.set(document, document.refusal);
    else if (key !== undefined && claimed.has(key)) outcomes.set(document, slugTaken());
    else {
      if (key !== undefined) claimed.add(key);
      chosen.push(document);
    }
  }
  return chosen;
}

function keyOf({ parts: { slug }, domain }: PlacedDocument): string[] {
  return slug === undefined ? [] : [inDomain(slugKey(slug), domain?.number ?? null)];
}

function toSmartlinks(documents: readonly PlacedDocument[], createdBy: string | null) {
  const now = Date.now();
  // Documents stored at one time are listed by their ids: newest first, as if they had been sent one by one.
  const ids = documents.map(() => newId(now)).sort();
  return documents.map(({ parts, domain, passwordHash, urlsChecked }, index) => {
    const { password: _, content, ...columns } = parts;
    return {
      ...columns,
      domain,
      id: ids[index] ?? newId(now),
      content: { [parts.type]: content },
      passwordHash,
      createdBy,
      urlsChecked,
    };
  });
}

function createOperation({ createBody, smartlink, examples }: Reference): Operation {
  return {
    operationId: 'createSmartlink',
    summary: 'Create a smartlink',
    description:
      '`configuration.smartlinkType` decides which objects the body needs. Objects of other types are ignored. Without ' +
      '`smartlinkUrl` the service assigns one.\n\nWith an `Idempotency-Key` the first answer is kept for 24 hours and ' +
      'sent again for the same request, so it is safe to retry a request whose answer was lost.',
    tag: 'Smartlinks',
    headers: z.object({ 'Idempotency-Key': idempotencyKeySchema }),
    body: { schema: createBody(), examples: CREATE_EXAMPLES },
    success: {
      status: 201,
      description: 'Created and already live at its `relink`.',
      headers: ['Location', 'ETag'],
      data: { schema: smartlink(), examples: examples('Smartlink created') },
    },
    errors: {
      VALIDATION_FAILED: {
        faults: {
          summary: 'Several faults at once',
          details: [
            {
              path: 'configuration.smartlinkUrl',
              message: 'Smartlink URL can only contain latin characters and numbers',
            },
            { path: 'openGraph.imageUrl', message: 'Invalid URL format' },
          ],
        },
        notJson: {
          summary: 'A body that is not JSON',
          details: [{ path: '', message: 'Must be valid JSON' }],
        },
        folder: {
          summary: 'An unknown folder',
          details: [{ path: 'folderId', message: 'No such folder' }],
        },
        domain: {
          summary: 'An unknown domain',
          details: [{ path: 'configuration.domain', message: 'No such domain' }],
        },
        reserved: {
          summary: 'A reserved smartlinkUrl',
          details: [{ path: 'configuration.smartlinkUrl', message: 'This smartlink URL is reserved' }],
        },
      },
      SUBSCRIPTION_LIMIT_REACHED: {},
      SMARTLINK_URL_TAKEN: SLUG_TAKEN_EXAMPLE,
      NAME_TAKEN: EXTERNAL_ID_TAKEN_EXAMPLE,
      IDEMPOTENCY_KEY_REUSED: {},
      UNSAFE_URL: unsafeUrlExample('shortener.url'),
    },
  };
}
