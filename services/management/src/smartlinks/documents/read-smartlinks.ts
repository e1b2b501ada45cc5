import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { NO_TOTALS } from '@smartlink/visits/analytics';
import { type Principal, principalOf } from '../../accounts/accounts.js';
import { success } from '../../envelope.js';
import { ApiError } from '../../errors.js';
import { EXAMPLE_TIME, type Operation } from '../../operation.js';
import { isSmartlinkId, parseQuery, smartlinkIdSchema, textField } from '../../requests.js';
import type { SmartlinkContext } from '../context.js';
import { asJson, createListReader, listShape } from './list-smartlinks.js';
import { findByExternalId, findOne } from './queries.js';
import type { Reference } from './reference.js';
import { etagOf, toSmartlink, unsafeUrlReason } from './smartlink-view.js';

const readQuerySchema = z.object({
  id: smartlinkIdSchema.optional().meta({ description: 'Fetch this smartlink instead of a list.' }),
  externalId: textField()
    .refine((text) => text !== '', 'Must not be empty')
    .refine((text) => !text.includes('\0'), 'Must not contain NUL')
    .optional()
    .meta({ description: 'Fetch the smartlink that has this external id instead of a list.', minLength: 1 }),
  ...listShape,
});

/** GET /smartlink: a list, or with `id` one smartlink. */
export function readRoute(app: FastifyInstance, context: SmartlinkContext): void {
  const operation = () => readOperation(context.reference);
  const readList = createListReader(context);

  app.get(
    '/smartlink',
    { config: { operation, access: { scope: 'links:read', role: 'Viewer' } } },
    async (request, reply) => {
      const query = parseQuery(readQuerySchema, request);
      const principal = principalOf(request);
      const { id, externalId } = query;
      if (id === undefined && externalId === undefined) {
        const { data, chunks, headers } = await readList(principal.userId, query);
        reply.headers(headers);
        if (chunks === null) return success('Smartlinks retrieved', data);
        return reply
          .type('application/json; charset=utf-8')
          .send(Readable.from(asJson(chunks, request.ignored ?? [])));
      }
      const { data, etag } = await fetchSmartlink(context, principal, { id, externalId });
      reply.header('etag', etag);
      return success('Smartlink retrieved', data);
    },
  );
}

/** One of an owner's smartlinks: by id in any status, by external id unless it is deleted. Rejects with NOT_FOUND. */
async function fetchSmartlink(
  { pg, totals, publicBaseUrl, contentBytesMax }: SmartlinkContext,
  { userId }: Principal,
  wanted: { readonly id: string | undefined; readonly externalId: string | undefined },
): Promise<{ data: object; etag: string }> {
  const id = wanted.id ?? (await findByExternalId(pg, userId, wanted.externalId ?? ''));
  const row = id !== null && isSmartlinkId(id) ? await findOne(pg, { id, userId, contentBytesMax }) : null;
  if (row === null) throw new ApiError('NOT_FOUND');
  const found = await totals.read(userId, [row]);
  return { data: toSmartlink(row, found.get(row.id) ?? NO_TOTALS, publicBaseUrl), etag: etagOf(row) };
}

function readOperation({ smartlink, summary, examples }: Reference): Operation {
  const one = examples('Smartlink retrieved').Url;
  const listed = examples('Smartlinks retrieved');
  const { shortener: _content, ...shared } = listed.Url.data as { shortener: object };
  const pauseReason = unsafeUrlReason([{ path: 'shortener.url', url: '' }]);
  return {
    operationId: 'readSmartlinks',
    summary: 'List smartlinks, or fetch one',
    description:
      'With `id` the answer is that smartlink, in any status, with its `ETag`; all other parameters are ignored. ' +
      '`externalId` does the same for one that is not deleted.\n\n' +
      'Without `id` it is a list, newest first: Active smartlinks that are not archived, unless `status` and `archived` say ' +
      'otherwise. Without `limit` and `cursor` the list is complete; with them it is paged: follow `Link: rel="next"`, or ' +
      'send `X-Next-Cursor` as `cursor`, with the same `sort` and `order`, until both are absent.\n\nWhile analytics are ' +
      'unavailable, `analytics` holds the last known totals.',
    tag: 'Smartlinks',
    query: readQuerySchema,
    success: {
      status: 200,
      description: 'A list, or with `id` one smartlink.',
      headers: ['ETagOfOne', 'Link', 'X-Next-Cursor', 'X-Total-Count', 'X-Search'],
      data: {
        schema: z.union([z.array(smartlink()), z.array(summary()), smartlink()]),
        examples: {
          list: {
            summary: 'Without id: a list',
            message: 'Smartlinks retrieved',
            data: [listed.Landing.data, listed.TxtBin.data],
          },
          summaries: {
            summary: 'With view=summary: a list without content',
            message: 'Smartlinks retrieved',
            data: [{ ...shared, destinationHost: 'www.example.com', lastVisitAt: EXAMPLE_TIME }],
          },
          emptyList: { summary: 'Without id: an empty list', message: 'Smartlinks retrieved', data: [] },
          fetch: { ...one, summary: 'With id: one smartlink' },
          pausedAsUnsafe: {
            ...one,
            summary: 'With id: a smartlink that the service paused because of an unsafe URL',
            data: { ...(one.data as object), status: 'Paused', pauseReason },
          },
        },
      },
    },
    errors: {
      VALIDATION_FAILED: {
        parameters: {
          summary: 'Invalid parameters',
          details: [
            { path: 'limit', message: 'Must be a whole number from 1 to 100' },
            { path: 'status', message: 'Must be one of Active, Paused, Deleted, all' },
          ],
        },
        emptyId: { summary: 'An empty id', details: [{ path: 'id', message: 'Must not be empty' }] },
      },
      NOT_FOUND: {},
    },
  };
}
