import type { Page } from './answers.js';

/** Which page of a list: `cursor` is `nextCursor` of the one before, `limit`, 1 to 100, how long it is. */
export type PageQuery = { readonly limit?: number | undefined; readonly cursor?: string | undefined };

/** How many come with one request of a list that is iterated over, 1 to 100; 100 by default. */
export type PageSize = { readonly pageSize?: number | undefined };

const PAGE_SIZE = 100;

/** Iterates over the pages of a list; each is asked for when it is wanted. */
export async function* eachPage<Item>(
  readPage: (query: PageQuery) => Promise<Page<Item>>,
  { pageSize = PAGE_SIZE }: PageSize = {},
): AsyncGenerator<Page<Item>, void> {
  let cursor: string | undefined;
  do {
    const page = await readPage({ cursor, limit: pageSize });
    yield page;
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
}

/** Iterates over what is on the pages. */
export async function* eachItem<Item>(pages: AsyncIterable<Page<Item>>): AsyncGenerator<Item, void> {
  for await (const { data } of pages) yield* data;
}
