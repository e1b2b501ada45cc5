import { infiniteQueryOptions, type InfiniteData } from '@tanstack/react-query';
import type { Page, PageQuery } from '@smartlink/client';

const PAGE_SIZE = 50;

/** Options of `useInfiniteQuery` for a list of the API; `data` holds the items of the pages read so far. */
export function pagesQuery<Item>(
  queryKey: readonly unknown[],
  readPage: (page: PageQuery, signal: AbortSignal) => Promise<Page<Item>>,
) {
  return infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal }) =>
      readPage({ limit: PAGE_SIZE, ...(pageParam === null ? {} : { cursor: pageParam }) }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    select: ({ pages }: InfiniteData<Page<Item>>) => pages.flatMap(({ data }) => data),
  });
}
