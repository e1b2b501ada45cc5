import type { Page } from './answers.js';
import { smartlinkError } from './errors.js';
import type { OperationId } from './operation-types.js';

/** Which page of a list: `cursor` is `nextCursor` of the one before, `limit`, 1 to 100, how long it is. */
export type PageQuery = { readonly limit?: number | undefined; readonly cursor?: string | undefined };

/** How many come with one request of a list that is iterated over, 1 to 100; 100 by default. */
export type PageSize = { readonly pageSize?: number | undefined };

const PAGE_SIZE = 100;

/**
 * Iterates over the pages of a list; each is asked for when it is wanted. Throws a SmartlinkError of kind `answer` when
 * the cursors lead in a circle, which would never end.
 */
export async function* eachPage<Item>(
  operation: OperationId,
  readPage: (query: PageQuery) => Promise<Page<Item>>,
  { pageSize = PAGE_SIZE }: PageSize = {},
): AsyncGenerator<Page<Item>, void> {
  let cursor: string | undefined;
  // A circle of any length meets a cursor that was noted at every power of two (Brent): so one is kept, not all of them.
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

/** Iterates over what is on the pages. */
export async function* eachItem<Item>(pages: AsyncIterable<Page<Item>>): AsyncGenerator<Item, void> {
  for await (const { data } of pages) yield* data;
}

function repeatedCursor(operation: OperationId, requestId: string | null) {
  return smartlinkError(`${operation}: the cursor of the next page was there before`, {
    kind: 'answer',
    fault: 'repeatedCursor',
    operation,
    attempts: 1,
    status: 200,
    requestId,
    retryAfterMs: null,
  });
}
