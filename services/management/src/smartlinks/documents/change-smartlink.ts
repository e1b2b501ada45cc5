import type { FastifyInstance, FastifyReply } from 'fastify';
import type { PoolClient } from 'pg';
import { z } from 'zod';
import { withTransaction } from '@smartlink/process/database';
import {
  addToOutbox,
  lockMetadata,
  lockSmartlink,
  recordChanges,
  type SmartlinkRow,
  type WrittenChange,
} from '@smartlink/smartlink/store';
import { NO_TOTALS } from '@smartlink/visits/analytics';
import { type Principal, principalOf } from '../../accounts/accounts.js';
import { success } from '../../envelope.js';
import { ApiError } from '../../errors.js';
import type { Operation } from '../../operation.js';
import { isSmartlinkId, parseBody } from '../../requests.js';
import { requireSafeUrls } from '../../url-safety/url-safety.js';
import type { SmartlinkContext } from '../context.js';
import { refusalByFormat } from '../publishing/format-gate.js';
import {
  metadataLocksOf,
  type Patch,
  patchBodySchema,
  type PlannedPatch,
  planPatch,
  toPatchWrite,
} from './patches.js';
import { findChangeable, type ListedRow } from './queries.js';
import {
  EXTERNAL_ID_TAKEN_EXAMPLE,
  PATCH_EXAMPLES,
  type Reference,
  SLUG_TAKEN_EXAMPLE,
  unsafeUrlExample,
} from './reference.js';
import { etagOf, requireMatch, toSmartlink } from './smartlink-view.js';
import { writePatches } from './write-patches.js';

/** PATCH /smartlink. */
export function patchRoute(app: FastifyInstance, context: SmartlinkContext): void {
  const operation = () => updateOperation(context.reference);

  app.patch(
    '/smartlink',
    { config: { operation, access: { scope: 'links:write', role: 'Editor' } } },
    async (request, reply) => {
      const patch = parseBody(patchBodySchema, request, context.patchMembers);
      const ifMatch = request.headers['if-match'];
      const { row, isChanged } = await updateSmartlink(context, principalOf(request), patch, ifMatch);
      return sendChanged(context, reply, row, isChanged ? 'Smartlink updated' : 'Smartlink unchanged');
    },
  );
}

export async function sendChanged(
  { totals, publicBaseUrl }: SmartlinkContext,
  reply: FastifyReply,
  row: ListedRow,
  message: string,
): Promise<object> {
  const found = await totals.read(row.user_id, [row]);
  reply.header('etag', etagOf(row));
  return success(message, toSmartlink(row, found.get(row.id) ?? NO_TOTALS, publicBaseUrl));
}

/**
 * Merges a patch into the stored smartlink, checks the result and writes it if it differs. `ifMatch` is the If-Match
 * header. Rejects with ApiError; then nothing is written.
 */
function updateSmartlink(
  context: SmartlinkContext,
  principal: Principal,
  patch: Patch,
  ifMatch: string | undefined,
): Promise<Changed> {
  const checks = createPatchChecks(context);
  const planOn = (row: SmartlinkRow): PlannedPatch => {
    requireMatch(row, ifMatch);
    const planned = planPatch(context.validator, row, patch);
    const refusal = refusalByFormat(context.formatGate, row, planned.parts);
    if (refusal !== null) throw refusal;
    return planned;
  };
  const { locksAccount, folderId } = metadataLocksOf(patch);
  const lockFirst: LockFirst = (client) =>
    lockMetadata(client, principal.userId, { locksAccount, folderIds: [folderId] });
  const prepare = async (seen: SmartlinkRow): Promise<Write> => {
    const plan = planOn(seen);
    await checks.check(plan);
    return async (client, row) => {
      const planned = row.version === seen.version ? plan : planOn(row);
      const results = checks.resultsOf(planned);
      if (results === null) return null;
      const wanted = toPatchWrite(row, patch, planned, results);
      const [written] = await writePatches(client, principal.userId, [{ row, wanted }]);
      if (written === undefined || written instanceof ApiError) throw written ?? new Error('BUG: no outcome');
      const { row: updated, changed } = written;
      if (changed.length === 0) return { row, entries: [] };
      const entries = await addToOutbox(client, [updated]);
      const { actor } = principal;
      await recordChanges(client, [{ actor, action: 'smartlink.update', smartlink: updated, changed }]);
      return { row: updated, entries };
    };
  };
  return changeSmartlink(context, principal, patch.id, prepare, lockFirst);
}

/** URL checks and the password hash of one PATCH; nothing is checked or hashed twice, however many attempts it takes. */
function createPatchChecks({ urlSafety, hasher }: SmartlinkContext) {
  // Whether a safety provider judged the URL, by URL.
  const judged = new Map<string, boolean>();
  let passwordHash: string | undefined;
  return {
    /** Throws UNSAFE_URL or SERVICE_UNAVAILABLE. */
    async check({ newUrls, parts: { password } }: PlannedPatch): Promise<void> {
      const unknown = newUrls.filter(({ url }) => !judged.has(url));
      const isChecked = unknown.length === 0 || (await requireSafeUrls(urlSafety, unknown));
      for (const { url } of unknown) judged.set(url, isChecked);
      if (password !== undefined) passwordHash ??= await hasher.hash(password);
    },
    /** null if `check` has not seen some of it. */
    resultsOf({ newUrls, parts: { password } }: PlannedPatch) {
      if (newUrls.some(({ url }) => !judged.has(url))) return null;
      if (password !== undefined && passwordHash === undefined) return null;
      const urlsChecked = newUrls.every(({ url }) => judged.get(url) === true);
      return { passwordHash: password === undefined ? undefined : passwordHash, urlsChecked };
    },
  };
}

/** Takes the locks that come before that of the row. */
type LockFirst = (client: PoolClient) => Promise<void>;

/** Writes to the locked row. null if the row has changed so that it has to be prepared again. */
type Write = (client: PoolClient, row: SmartlinkRow) => Promise<WrittenChange | null>;

/** The row after the change. */
type Changed = { readonly row: ListedRow; readonly isChanged: boolean };

/** Attempts of a request to change a smartlink that other requests keep changing. */
export const ATTEMPTS_MAX = 5;

export function changedTooOften(): ApiError {
  return new ApiError('SERVICE_UNAVAILABLE', {
    message: 'The smartlink keeps changing; try again',
    headers: { 'retry-after': '1' },
  });
}

/**
 * Changes and publishes one of the principal's smartlinks. `prepare` may be slow (safety provider, argon2): no lock and
 * no connection is held. Rejects with NOT_FOUND, with SERVICE_UNAVAILABLE after five attempts, and with whatever
 * `prepare` and its result throw; then nothing is written. Throws TooHeavy.
 */
export async function changeSmartlink(
  { pg, outbox, contentBytesMax }: SmartlinkContext,
  { userId }: Pick<Principal, 'userId'>,
  id: string,
  prepare: (seen: SmartlinkRow) => Promise<Write>,
  lockFirst?: LockFirst,
): Promise<Changed> {
  const found = isSmartlinkId(id) ? await findChangeable(pg, { id, userId, contentBytesMax }) : null;
  if (found === null) throw new ApiError('NOT_FOUND');
  let seen: SmartlinkRow = found;
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const write = await prepare(seen);
    const { row, change } = await withTransaction(pg, async (client) => {
      await lockFirst?.(client);
      const locked = await lockSmartlink(client, id, userId);
      if (locked === null) throw new ApiError('NOT_FOUND');
      return { row: locked, change: await write(client, locked) };
    });
    if (change !== null) {
      const isChanged = change.entries.length > 0;
      if (isChanged) await outbox.publish(change.entries);
      return { row: { ...change.row, known_totals: found.known_totals }, isChanged };
    }
    seen = row;
  }
  throw changedTooOften();
}

function updateOperation({ patchBody, smartlink, examples }: Reference): Operation {
  return {
    operationId: 'updateSmartlink',
    summary: 'Change parts of a smartlink',
    description:
      'Send `id` and the members to change. Objects merge field by field; an array replaces the stored one, `[]` clears ' +
      'it; `null` clears an optional field. The result is checked by the rules of a create; on any fault nothing is ' +
      'written, and a patch that changes nothing is answered with `Smartlink unchanged`.\n\nA new `smartlinkUrl` keeps the old one as an alias, at most 20. If `smartlinkType` changes, the ' +
      'content of the old type is kept and returns when the type does. `status` cannot be changed here.\n\nWith ' +
      '`If-Match` only the named version is changed.',
    tag: 'Smartlinks',
    headers: z.object({
      'If-Match': z
        .string()
        .optional()
        .meta({ description: 'The `ETag` of the version to change, a list of them, or `*`.' }),
    }),
    body: { schema: patchBody(), examples: PATCH_EXAMPLES },
    success: {
      status: 200,
      description: 'The smartlink after the change.',
      headers: ['ETag'],
      data: { schema: smartlink(), examples: { Landing: examples('Smartlink updated').Landing } },
    },
    errors: {
      VALIDATION_FAILED: {
        faults: {
          summary: 'A required field cannot be cleared',
          details: [{ path: 'configuration.smartlinkName', message: 'Must be a string' }],
        },
        missingId: { summary: 'No id', details: [{ path: 'id', message: 'Required' }] },
        tags: {
          summary: 'Two ways to change tags',
          details: [{ path: 'addTags', message: 'Must not be combined with tags' }],
        },
      },
      NOT_FOUND: {},
      SMARTLINK_URL_TAKEN: SLUG_TAKEN_EXAMPLE,
      NAME_TAKEN: EXTERNAL_ID_TAKEN_EXAMPLE,
      PRECONDITION_FAILED: {},
      UNSAFE_URL: unsafeUrlExample('landingButtons.0.link'),
    },
  };
}
