import { z } from 'zod';
import type { Queryable } from '@smartlink/process/database';
import { NO_TOTALS } from '@smartlink/visits/analytics';
import { TOTALS_IDS_MAX } from '../../analytics/analytics.js';
import { envelopeAroundList } from '../../envelope.js';
import { fault } from '../../errors.js';
import { TooHeavy } from '../../fairness/heavy-requests.js';
import {
  cursorField,
  dateField,
  decodeCursor,
  encodeCursor,
  filledTextField,
  isSmartlinkId,
  nextPageHeaders,
  unknownCursor,
  wholeNumberField,
} from '../../requests.js';
import type { SmartlinkContext } from '../context.js';
import { linkFilterShape } from '../link-filter.js';
import {
  countListed,
  findListed,
  findPage,
  findSummaries,
  type FoundSmartlink,
  hasTextIndex,
  type Listing,
  type Order,
  type Place,
  type Sort,
  SORTS,
} from './list-queries.js';
import { toSmartlink, toSummary } from './smartlink-view.js';

const LIST_LIMIT_MAX = 100;
/** Page size with a cursor and no limit. */
const PAGE_LIMIT = 100;
/** Page size in which a whole list is read: the totals of a page are one query. */
const WHOLE_PAGE_LIMIT = TOTALS_IDS_MAX;
// In code points, as every limit.
const SEARCH_LENGTH_MAX = 128;
/** Larger numbers of smartlinks are not counted. */
const COUNT_MAX = 10_000;

const flag = () => z.enum(['true', 'false'], 'Must be true or false').optional();

/** Repeated and empty parameters are faults. */
export const listShape = {
  limit: wholeNumberField(1, LIST_LIMIT_MAX).optional().meta({
    description: 'Smartlinks per page: 100 by default with a cursor. Without either, the list is complete.',
  }),
  cursor: cursorField(),
  ...linkFilterShape,
  status: linkFilterShape.status.meta({ description: 'Smartlinks in this status; Active by default.' }),
  archived: linkFilterShape.archived.meta({
    description: 'Archived smartlinks: left out by default; only those (`true`), or those too (`all`).',
  }),
  createdFrom: dateField().meta({ description: 'Created on this day or later, UTC.' }),
  createdTo: dateField().meta({ description: 'Created on this day or earlier, UTC.' }),
  unsafe: flag().meta({ description: '`true`: smartlinks that the service paused for an unsafe URL.' }),
  q: filledTextField(SEARCH_LENGTH_MAX).meta({
    description:
      'Smartlinks whose name, an address (former and imported ones too), destination or notes contain this text, ' +
      'ignoring case. Where the database cannot search like that, `X-Search` is `prefix`: names and addresses that begin ' +
      'with it, at most 1,000 of each.',
  }),
  slug: filledTextField(SEARCH_LENGTH_MAX).meta({
    description:
      'The smartlink of this address, a former or imported one too, if it is not deleted; archived ones too.',
  }),
  sort: z
    .enum(SORTS, `Must be one of ${SORTS.join(', ')}`)
    .optional()
    .meta({
      description:
        'Order of the list; `createdAt` by default. `visits` and `lastVisitAt` may be 30 seconds behind the figures.',
    }),
  order: z
    .enum(['asc', 'desc'], 'Must be asc or desc')
    .optional()
    .meta({ description: '`desc` by default, of names `asc`. Equal ones are in the order of their ids.' }),
  count: flag().meta({
    description: '`true`: `X-Total-Count` has the number of smartlinks of all pages, or `10000+`.',
  }),
  view: z.literal('summary', 'Must be summary').optional().meta({
    description:
      'Without the content of the smartlinks, with `destinationHost`, `themeColor` and `lastVisitAt`.',
  }),
};

const listQuerySchema = z.object(listShape);
type ListQuery = z.output<typeof listQuerySchema>;

export type Listed = {
  readonly data: readonly object[];
  /** The list in parts, instead of `data`, that are read when they are sent. */
  readonly chunks: AsyncGenerator<readonly object[]> | null;
  readonly headers: Readonly<Record<string, string>>;
};

// A list that is short and light is answered at once, any other by the thread of heavy requests, in chunks.
const LIGHT_LIST_BYTES_MAX = 64 * 1024;
const CHUNK_BYTES_MAX = 256 * 1024;

type ListContext = Pick<SmartlinkContext, 'pg' | 'totals' | 'publicBaseUrl' | 'contentBytesMax'>;

/** A reader of lists of an owner's smartlinks. It throws TooHeavy. */
export function createListReader(context: ListContext) {
  const { pg, contentBytesMax } = context;
  const searchesText = createTextSearch(pg);

  return async (userId: string, query: ListQuery): Promise<Listed> => {
    const { sort, order } = orderOf(query);
    const after = query.cursor === undefined ? null : decodeListCursor(query.cursor, sort, order);
    requireOrder(query);
    const isWhole = query.limit === undefined && query.cursor === undefined;
    const limit = query.limit ?? (isWhole ? WHOLE_PAGE_LIMIT : PAGE_LIMIT);
    const isTextSearch = query.q === undefined || (await searchesText());
    const listing: Listing = { userId, filter: query, sort, order, searchesText: isTextSearch };
    // One more than the page shows whether there is a next page.
    const readPage = (place: Place | null) => findPage(pg, listing, { after: place, limit: limit + 1 });
    const [first, count] = await Promise.all([
      readPage(after),
      query.count === 'true' ? countListed(pg, listing, COUNT_MAX) : null,
    ]);
    const page = first.slice(0, limit);
    const hasMore = first.length > limit;
    const last = page.at(-1);
    const headers: Record<string, string> = {
      ...(isTextSearch ? {} : { 'x-search': 'prefix' }),
      ...(count === null ? {} : { 'x-total-count': count > COUNT_MAX ? `${COUNT_MAX}+` : String(count) }),
      ...(hasMore && !isWhole && last !== undefined
        ? nextPageHeaders('/smartlink', query, encodeListCursor(last, sort, order))
        : {}),
    };
    const read = query.view === 'summary' ? readSummaries : readWhole;
    const bytes = query.view === 'summary' ? 0 : page.reduce((sum, each) => sum + each.bytes, 0);
    if (bytes <= LIGHT_LIST_BYTES_MAX && !(hasMore && isWhole)) {
      return { data: await read(context, userId, page), chunks: null, headers };
    }
    if (contentBytesMax !== null) throw new TooHeavy();
    const pages = isWhole ? eachPage(first, limit, readPage) : [page];
    return { data: [], chunks: inChunks(pages, (chunk) => read(context, userId, chunk)), headers };
  };
}

/** Whether the database searches text; known from the first answer on. */
function createTextSearch(db: Queryable): () => Promise<boolean> {
  let known: Promise<boolean> | null = null;
  return () => {
    known ??= hasTextIndex(db).catch((err: unknown) => {
      known = null;
      throw err;
    });
    return known;
  };
}

export function orderOf({
  sort = 'createdAt',
  order,
}: {
  sort?: Sort | undefined;
  order?: Order | undefined;
}) {
  return { sort, order: order ?? (sort === 'name' ? 'asc' : 'desc') } as const;
}

function requireOrder({ createdFrom, createdTo }: ListQuery): void {
  if (createdFrom !== undefined && createdTo !== undefined && createdFrom > createdTo) {
    throw fault('createdFrom', 'Must not be after createdTo');
  }
}

/** The cursor of the next page, which belongs to the order. That of the default order is of the form of other lists. */
export function encodeListCursor({ key, id }: Place, sort: Sort, order: Order): string {
  if (sort === 'createdAt' && order === 'desc') return encodeCursor({ time: new Date(Number(key)), id });
  return Buffer.from([sort, order, id, key ?? ''].join('.')).toString('base64url');
}

/** Throws VALIDATION_FAILED at `cursor`. */
export function decodeListCursor(cursor: string, sort: Sort, order: Order): Place {
  if (sort === 'createdAt' && order === 'desc') {
    const { time, id } = decodeCursor(cursor);
    return { key: String(time.getTime()), id };
  }
  const text = Buffer.from(cursor, 'base64url').toString();
  const [, cursorSort, cursorOrder, id = '', key = ''] =
    /^(\w+)\.(\w+)\.([^.]+)\.([^\0]*)$/s.exec(text) ?? [];
  const isKey = sort === 'name' ? key !== '' : /^\d{0,15}$/.test(key);
  const mayLackKey = sort === 'visits' || sort === 'lastVisitAt';
  if (cursorSort !== sort || cursorOrder !== order || !isSmartlinkId(id) || !isKey) throw unknownCursor();
  if (key === '' && !mayLackKey) throw unknownCursor();
  return { key: key === '' ? null : key, id };
}

async function* eachPage(
  first: readonly FoundSmartlink[],
  limit: number,
  readPage: (after: Place) => Promise<readonly FoundSmartlink[]>,
): AsyncGenerator<readonly FoundSmartlink[]> {
  let found = first;
  for (;;) {
    const page = found.slice(0, limit);
    yield page;
    const last = page.at(-1);
    if (found.length <= limit || last === undefined) return;
    found = await readPage(last);
  }
}

/** Reads the content of each page in chunks of bounded size, as the client takes them. */
async function* inChunks(
  pages: AsyncIterable<readonly FoundSmartlink[]> | Iterable<readonly FoundSmartlink[]>,
  read: (chunk: readonly FoundSmartlink[]) => Promise<readonly object[]>,
): AsyncGenerator<readonly object[]> {
  for await (const page of pages) {
    let chunk: FoundSmartlink[] = [];
    let bytes = 0;
    for (const each of page) {
      if (bytes + each.bytes > CHUNK_BYTES_MAX && chunk.length > 0) {
        yield await read(chunk);
        chunk = [];
        bytes = 0;
      }
      chunk.push(each);
      bytes += each.bytes;
    }
    yield await read(chunk);
  }
}

const idsOf = (found: readonly FoundSmartlink[]) => found.map(({ id }) => id);

async function readWhole(
  { pg, totals, publicBaseUrl }: ListContext,
  userId: string,
  found: readonly FoundSmartlink[],
): Promise<readonly object[]> {
  const rows = found.length === 0 ? [] : await findListed(pg, idsOf(found));
  const totalsById = await totals.read(userId, rows);
  return rows.map((row) => toSmartlink(row, totalsById.get(row.id) ?? NO_TOTALS, publicBaseUrl));
}

async function readSummaries(
  { pg, totals, publicBaseUrl }: ListContext,
  userId: string,
  found: readonly FoundSmartlink[],
): Promise<readonly object[]> {
  const rows = found.length === 0 ? [] : await findSummaries(pg, idsOf(found));
  const totalsById = await totals.read(userId, rows);
  return rows.map((row) => toSummary(row, totalsById.get(row.id) ?? NO_TOTALS, publicBaseUrl));
}

/** The success envelope around a list that is read while it is sent. */
export async function* asJson(
  chunks: AsyncGenerator<readonly object[]>,
  ignored: readonly string[],
): AsyncGenerator<string> {
  const [head, tail] = envelopeAroundList('Smartlinks retrieved', ignored);
  let before = head;
  for await (const chunk of chunks) {
    if (chunk.length === 0) continue;
    yield before + chunk.map((each) => JSON.stringify(each)).join(',');
    before = ',';
  }
  yield before === head ? head + tail : tail;
}
