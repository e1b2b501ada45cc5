import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { countCodePoints, SMARTLINK_TYPES } from '@smartlink/smartlink/model';
import { NO_TOTALS } from '@smartlink/visits/analytics';
import { type Principal, principalOf } from '../../accounts/accounts.js';
import { TOTALS_IDS_MAX } from '../../analytics/analytics.js';
import { envelopeAroundList, success } from '../../envelope.js';
import { ApiError } from '../../errors.js';
import { TooHeavy } from '../../fairness/heavy-requests.js';
import type { Operation } from '../../operation.js';
import {
  cursorField,
  decodeCursor,
  encodeCursor,
  isSmartlinkId,
  nextPageHeaders,
  type PageCursor,
  parseQuery,
  smartlinkIdSchema,
  textField,
  wholeNumberField,
} from '../../requests.js';
import type { SmartlinkContext } from '../context.js';
import { findByExternalId, findByOwner, findListed, findOne, type FoundSmartlink } from './queries.js';
import type { Reference } from './reference.js';
import { etagOf, toSmartlink, unsafeUrlReason } from './smartlink-view.js';

const LIST_LIMIT_MAX = 100;
/** Page size with a cursor and no limit. */
const PAGE_LIMIT = 100;
/** Page size in which a whole list is read: the totals of a page are one query. */
const WHOLE_PAGE_LIMIT = TOTALS_IDS_MAX;
// In code points, as every limit.
const SEARCH_LENGTH_MAX = 128;

/** Repeated and empty parameters are faults. */
const listQuerySchema = z.object({
  id: smartlinkIdSchema.optional().meta({ description: 'Fetch this smartlink instead of a list.' }),
  externalId: textField()
    .refine((text) => text !== '', 'Must not be empty')
    .refine((text) => !text.includes('\0'), 'Must not contain NUL')
    .optional()
    .meta({ description: 'Fetch the smartlink that has this external id instead of a list.', minLength: 1 }),
  limit: wholeNumberField(1, LIST_LIMIT_MAX).optional().meta({
    description: 'Smartlinks per page: 100 by default with a cursor. Without either, the list is complete.',
  }),
  cursor: cursorField(),
  status: z
    .enum(['Active', 'Paused', 'Deleted', 'all'], 'Must be one of Active, Paused, Deleted, all')
    .optional()
    .meta({ description: 'Smartlinks in this status; Active by default.' }),
  type: z
    .enum(SMARTLINK_TYPES, `Must be one of ${SMARTLINK_TYPES.join(', ')}`)
    .optional()
    .meta({ description: 'Smartlinks of this type.' }),
  q: textField()
    .refine((text) => text !== '', 'Must not be empty')
    // Postgres cannot hold a NUL in text, so no name contains one.
    .refine((text) => !text.includes('\0'), 'Must not contain NUL')
    .refine(
      (text) => countCodePoints(text) <= SEARCH_LENGTH_MAX,
      `Must be at most ${SEARCH_LENGTH_MAX} characters`,
    )
    .optional()
    .meta({
      description: 'Smartlinks whose name or address contains this text, ignoring case.',
      minLength: 1,
      maxLength: SEARCH_LENGTH_MAX,
    }),
});

type ListQuery = z.output<typeof listQuerySchema>;

/** GET /smartlink: a list, or with `id` one smartlink. */
export function readRoute(app: FastifyInstance, context: SmartlinkContext): void {
  const operation = () => readOperation(context.reference);

  app.get(
    '/smartlink',
    { config: { operation, access: { scope: 'links:read', role: 'Viewer' } } },
    async (request, reply) => {
      const query = parseQuery(listQuerySchema, request);
      const principal = principalOf(request);
      const { id, externalId } = query;
      if (id === undefined && externalId === undefined) {
        const { data, chunks, nextCursor } = await listSmartlinks(context, principal, query);
        if (nextCursor !== null) reply.headers(nextPageHeaders('/smartlink', query, nextCursor));
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

// A list that is short and light is answered at once, any other by the thread of heavy requests, in chunks.
const LIGHT_LIST_BYTES_MAX = 64 * 1024;
const CHUNK_BYTES_MAX = 256 * 1024;

type Chunks = AsyncGenerator<readonly object[]>;

/** An owner's smartlinks, newest first, as a whole or in chunks, and the cursor of the next page. Throws TooHeavy. */
async function listSmartlinks(
  context: SmartlinkContext,
  { userId }: Principal,
  query: ListQuery,
): Promise<{ data: readonly object[]; chunks: Chunks | null; nextCursor: string | null }> {
  const isWhole = query.limit === undefined && query.cursor === undefined;
  const limit = query.limit ?? (isWhole ? WHOLE_PAGE_LIMIT : PAGE_LIMIT);
  const findPage = (after: PageCursor | null) =>
    findByOwner(context.pg, {
      userId,
      status: query.status === 'all' ? null : (query.status ?? 'Active'),
      type: query.type ?? null,
      search: query.q ?? null,
      after,
      // One more than the page shows whether there is a next page.
      limit: limit + 1,
    });
  const first = await findPage(query.cursor === undefined ? null : decodeCursor(query.cursor));
  const page = first.slice(0, limit);
  const hasMore = first.length > limit;
  const last = page.at(-1);
  const nextCursor = hasMore && !isWhole && last !== undefined ? encodeCursor(last) : null;
  const bytes = page.reduce((sum, each) => sum + each.bytes, 0);
  if (bytes <= LIGHT_LIST_BYTES_MAX && !(hasMore && isWhole)) {
    return { data: await readListed(context, userId, page), chunks: null, nextCursor };
  }
  if (context.contentBytesMax !== null) throw new TooHeavy();
  const pages = isWhole ? eachPage(first, limit, findPage) : [page];
  return { data: [], chunks: readInChunks(context, userId, pages), nextCursor };
}

async function* eachPage(
  first: readonly FoundSmartlink[],
  limit: number,
  findPage: (after: PageCursor) => Promise<readonly FoundSmartlink[]>,
): AsyncGenerator<readonly FoundSmartlink[]> {
  let found = first;
  for (;;) {
    const page = found.slice(0, limit);
    yield page;
    const last = page.at(-1);
    if (found.length <= limit || last === undefined) return;
    found = await findPage(last);
  }
}

/** Reads the content of each page in chunks of bounded size, as the client takes them. */
async function* readInChunks(
  context: SmartlinkContext,
  userId: string,
  pages: AsyncIterable<readonly FoundSmartlink[]> | Iterable<readonly FoundSmartlink[]>,
): Chunks {
  for await (const page of pages) {
    let chunk: FoundSmartlink[] = [];
    let bytes = 0;
    for (const each of page) {
      if (bytes + each.bytes > CHUNK_BYTES_MAX && chunk.length > 0) {
        yield await readListed(context, userId, chunk);
        chunk = [];
        bytes = 0;
      }
      chunk.push(each);
      bytes += each.bytes;
    }
    yield await readListed(context, userId, chunk);
  }
}

async function readListed(
  { pg, totals, publicBaseUrl }: SmartlinkContext,
  userId: string,
  found: readonly FoundSmartlink[],
): Promise<readonly object[]> {
  const rows =
    found.length === 0
      ? []
      : await findListed(
          pg,
          found.map(({ id }) => id),
        );
  const totalsById = await totals.read(userId, rows);
  return rows.map((row) => toSmartlink(row, totalsById.get(row.id) ?? NO_TOTALS, publicBaseUrl));
}

/** The success envelope around a list that is read while it is sent. */
async function* asJson(chunks: Chunks, ignored: readonly string[]): AsyncGenerator<string> {
  const [head, tail] = envelopeAroundList('Smartlinks retrieved', ignored);
  let before = head;
  for await (const chunk of chunks) {
    if (chunk.length === 0) continue;
    yield before + chunk.map((each) => JSON.stringify(each)).join(',');
    before = ',';
  }
  yield before === head ? head + tail : tail;
}

/** One of an owner's smartlinks: by id in any status, by external id unless it is deleted. Rejects with NOT_FOUND. */
async function fetchSmartlink(
  { pg, totals, publicBaseUrl, contentBytesMax }: SmartlinkContext,
  { userId }: Principal,
  wanted: Pick<ListQuery, 'id' | 'externalId'>,
): Promise<{ data: object; etag: string }> {
  const id = wanted.id ?? (await findByExternalId(pg, userId, wanted.externalId ?? ''));
  const row = id !== null && isSmartlinkId(id) ? await findOne(pg, { id, userId, contentBytesMax }) : null;
  if (row === null) throw new ApiError('NOT_FOUND');
  const found = await totals.read(userId, [row]);
  return { data: toSmartlink(row, found.get(row.id) ?? NO_TOTALS, publicBaseUrl), etag: etagOf(row) };
}

function readOperation({ smartlink, examples }: Reference): Operation {
  const one = examples('Smartlink retrieved').Url;
  const listed = examples('Smartlinks retrieved');
  const pauseReason = unsafeUrlReason([{ path: 'shortener.url', url: '' }]);
  return {
    operationId: 'readSmartlinks',
    summary: 'List smartlinks, or fetch one',
    description:
      'With `id` the answer is that smartlink, in any status, with its `ETag`; all other parameters are ignored. ' +
      '`externalId` does the same for one that is not deleted.\n\n' +
      'Without `id` it is a list, newest first: Active smartlinks unless `status` says otherwise. Without `limit` and ' +
      '`cursor` the list is complete; with them it is paged: follow `Link: rel="next"`, or send `X-Next-Cursor` as ' +
      '`cursor`, until both are absent.\n\nWhile analytics are unavailable, `analytics` holds the last known totals.',
    tag: 'Smartlinks',
    query: listQuerySchema,
    success: {
      status: 200,
      description: 'A list, or with `id` one smartlink.',
      headers: ['ETagOfOne', 'Link', 'X-Next-Cursor'],
      data: {
        schema: z.union([z.array(smartlink()), smartlink()]),
        examples: {
          list: {
            summary: 'Without id: a list',
            message: 'Smartlinks retrieved',
            data: [listed.Landing.data, listed.TxtBin.data],
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
