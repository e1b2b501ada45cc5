import { smartlinkError } from './errors.js';
import type { OperationId } from './operation-types.js';
import type { Received } from './read-answer.js';

/** The answer of an operation: `data`, the paths of ignored input, and what its headers say. */
export type Answer<Data> = Pick<Received<Data>, 'data' | 'requestId' | 'rateLimit' | 'ignored'>;

/** The answer of an operation on one smartlink; `etag` is its version, for `ifMatch` of an update. */
export type VersionedAnswer<Data> = Answer<Data> & Pick<Received<Data>, 'etag'>;

/**
 * A page of a list; `nextCursor` is the cursor of the next page, null on the last. `totalCount` is the number of items of all
 * pages, or `10000+`, of a list with `count: 'true'`; else null.
 */
export type Page<Item> = Answer<readonly Item[]> & Pick<Received<unknown>, 'nextCursor' | 'totalCount'>;

/** Selects a page of a list: `cursor` is `nextCursor` of the previous page, `limit` its length, 1 to 100. */
export type PageQuery = { readonly limit?: number | undefined; readonly cursor?: string | undefined };

/** Items per request of an iteration, 1 to 100; 100 by default. */
export type PageSize = { readonly pageSize?: number | undefined };

const PAGE_SIZE = 100;

/**
 * Iterates over the pages of a list, and requests each when it is needed. Throws a SmartlinkError of kind `answer` when
 * the cursors form a cycle, which would never end.
 */
export async function* eachPage<Item>(
  operation: OperationId,
  readPage: (query: PageQuery) => Promise<Page<Item>>,
  { pageSize = PAGE_SIZE }: PageSize = {},
): AsyncGenerator<Page<Item>, void> {
  let cursor: string | undefined;
  // Brent's algorithm: comparing with the cursor noted at every power of two finds a cycle of any length.
  let notedCursor: string | undefined;
  for (let pages = 1, noteAt = 1; ; pages += 1) {
    const page = await readPage({ cursor, limit: pageSize });
    const next = page.nextCursor ?? undefined;
    if (next !== undefined && (next === cursor || next === notedCursor)) {
      throw repeatedCursor(operation, page.requestId);
    }
    yield page;
    if (next === undefined) return;
    cursor = next;
    if (pages === noteAt) {
      notedCursor = next;
      noteAt *= 2;
    }
  }
}

/** Iterates over the items of pages. */
export async function* eachItem<Item>(pages: AsyncIterable<Page<Item>>): AsyncGenerator<Item, void> {
  for await (const { data } of pages) yield* data;
}

function repeatedCursor(operation: OperationId, requestId: string | null) {
  return smartlinkError(`${operation}: the cursors of the pages repeat`, {
    kind: 'answer',
    fault: 'repeatedCursor',
    operation,
    attempts: 1,
    status: 200,
    requestId,
    retryAfterMs: null,
  });
}
