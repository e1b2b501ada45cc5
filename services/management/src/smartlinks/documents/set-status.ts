import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { withTransaction } from '@smartlink/process/database';
import { type SmartlinkRow, urlsOfRow, writeDeletion, writeStatus } from '@smartlink/smartlink/store';
import type { Access } from '../../accounts/access.js';
import { type Principal, principalOf } from '../../accounts/accounts.js';
import { success } from '../../envelope.js';
import { ApiError } from '../../errors.js';
import { EXAMPLE_ID, type Operation } from '../../operation.js';
import { isSmartlinkId, parseBody, smartlinkIdSchema } from '../../requests.js';
import {
  NO_URL_SAFETY,
  cannotBeChecked,
  requireSafeUrls,
  type UrlSafety,
} from '../../url-safety/url-safety.js';
import type { SmartlinkContext } from '../context.js';
import { changeSmartlink, sendChanged } from './change-smartlink.js';
import { lockMany } from './queries.js';
import { type Reference, unsafeUrlExample } from './reference.js';
import { hasUnsafeUrls } from './smartlink-view.js';

export const statusBodySchema = z.object(
  { id: smartlinkIdSchema, status: z.enum(['Active', 'Paused'], 'Must be Active or Paused') },
  'Must be an object',
);

export type StatusBody = z.output<typeof statusBodySchema>;

export const deleteBodySchema = z.object({ smartlinkId: smartlinkIdSchema }, 'Must be an object');

const access: Access = { scope: 'links:write', role: 'Editor' };

/** POST /smartlink/status. */
export function statusRoute(app: FastifyInstance, context: SmartlinkContext): void {
  const operation = () => setStatusOperation(context.reference);

  app.post('/smartlink/status', { config: { operation, access } }, async (request, reply) => {
    const wanted = parseBody(statusBodySchema, request);
    const { row } = await changeStatus(context, principalOf(request), wanted);
    const message = wanted.status === 'Paused' ? 'Smartlink paused' : 'Smartlink activated';
    return sendChanged(context, reply, row, message);
  });
}

/** DELETE /smartlink. */
export function deleteRoute(app: FastifyInstance, context: SmartlinkContext): void {
  app.delete('/smartlink', { config: { operation: deleteOperation, access } }, async (request) => {
    const { smartlinkId } = parseBody(deleteBodySchema, request);
    await deleteSmartlink(context, principalOf(request), smartlinkId);
    return success('Smartlink deleted', null);
  });
}

/**
 * Pauses or activates a smartlink; if it has that status already, nothing changes. Its URLs are checked before it is
 * activated. Rejects with NOT_FOUND, UNSAFE_URL, or SERVICE_UNAVAILABLE if the service paused it for unsafe URLs and they
 * cannot be checked now.
 */
export function changeStatus(
  context: SmartlinkContext,
  principal: Pick<Principal, 'userId' | 'actor'>,
  { id, status }: StatusBody,
): ReturnType<typeof changeSmartlink> {
  const isActivated = (row: SmartlinkRow): boolean => status === 'Active' && row.status === 'Paused';
  return changeSmartlink(context, principal, id, async (seen) => {
    const urlsChecked = isActivated(seen) && (await checkUrls(context, seen));
    return async (client, row) => {
      // The verdict was on the URLs of another version.
      if (isActivated(row) && row.version !== seen.version) return null;
      return writeStatus(client, row, { status, urlsChecked, actor: principal.actor });
    };
  });
}

async function checkUrls({ urlSafety }: SmartlinkContext, row: SmartlinkRow): Promise<boolean> {
  const urlsChecked = await requireSafeUrls(urlSafety, urlsOfRow(row));
  if (!mayBeActivated(urlSafety, row, urlsChecked)) throw cannotBeChecked();
  return urlsChecked;
}

/** Whether it was not paused for unsafe URLs, or these were checked. Without a provider they would never be. */
export function mayBeActivated(urlSafety: UrlSafety, row: SmartlinkRow, urlsChecked: boolean): boolean {
  return urlsChecked || urlSafety === NO_URL_SAFETY || !hasUnsafeUrls(row);
}

/** Marks a smartlink as deleted and publishes its tombstones. Rejects with NOT_FOUND. */
async function deleteSmartlink(
  { pg, outbox }: SmartlinkContext,
  { userId, actor }: Principal,
  id: string,
): Promise<void> {
  if (!isSmartlinkId(id)) throw new ApiError('NOT_FOUND');
  const entries = await withTransaction(pg, async (client) => {
    const [row] = await lockMany(client, [id], userId);
    if (row === undefined) throw new ApiError('NOT_FOUND');
    return writeDeletion(client, row, actor);
  });
  await outbox.publish(entries);
}

function setStatusOperation({ smartlink, examples }: Reference): Operation {
  const paused = examples('Smartlink paused').Landing;
  const active = examples('Smartlink activated').Landing;
  return {
    operationId: 'setSmartlinkStatus',
    summary: 'Pause or activate a smartlink',
    description:
      'Visitors of a paused smartlink see a page that says so. It still counts against the plan’s limit. Its URLs are ' +
      'checked again before it is activated. If it has the requested status already, nothing changes.\n\nThe service ' +
      'itself pauses a smartlink if one of its URLs is later found unsafe; `pauseReason` names the URL.',
    tag: 'Smartlinks',
    body: {
      schema: statusBodySchema,
      examples: {
        pause: { summary: 'Pause', value: { id: EXAMPLE_ID, status: 'Paused' } },
        activate: { summary: 'Activate', value: { id: EXAMPLE_ID, status: 'Active' } },
      },
    },
    success: {
      status: 200,
      description: 'The smartlink after the change.',
      headers: ['ETag'],
      data: {
        schema: smartlink(),
        examples: {
          pause: { ...paused, summary: 'Paused', data: { ...(paused.data as object), status: 'Paused' } },
          activate: { ...active, summary: 'Active again' },
        },
      },
    },
    errors: {
      VALIDATION_FAILED: {
        status: {
          summary: 'Another status',
          details: [{ path: 'status', message: 'Must be Active or Paused' }],
        },
      },
      NOT_FOUND: {},
      UNSAFE_URL: unsafeUrlExample('landingButtons.0.link'),
    },
  };
}

function deleteOperation(): Operation {
  return {
    operationId: 'deleteSmartlink',
    summary: 'Delete a smartlink',
    description:
      'Deletion is permanent: visitors get 410, changes 404, and it no longer counts against the plan’s limit. The owner ' +
      'can still fetch it and its analytics, and may use its `smartlinkUrl` again; no other user can.',
    tag: 'Smartlinks',
    body: {
      schema: deleteBodySchema,
      examples: { delete: { summary: 'Delete', value: { smartlinkId: EXAMPLE_ID } } },
    },
    success: {
      status: 200,
      description: 'Deleted.',
      data: {
        schema: z.null(),
        examples: { deleted: { summary: 'Deleted', message: 'Smartlink deleted', data: null } },
      },
    },
    errors: {
      VALIDATION_FAILED: {
        missingId: { summary: 'No smartlinkId', details: [{ path: 'smartlinkId', message: 'Required' }] },
      },
      NOT_FOUND: {},
    },
  };
}
