import { infiniteQueryOptions, type InfiniteData } from '@tanstack/react-query';
import type { ComponentProps, ReactNode } from 'react';
import type { Page, PageQuery } from '@smartlink/client';
import { Button } from './button.js';
import { Loaded } from './loaded.js';
import { Table } from './table.js';
import { useWords } from './words.js';

const PAGE_SIZE = 50;

/** Options of `useInfiniteQuery` for a list of the API. `data` has the items of all pages read so far. */
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

type ListQuery<Row> = Omit<ComponentProps<typeof Loaded<readonly Row[]>>, 'children'> & {
  readonly query: {
    readonly hasNextPage?: boolean;
    readonly isFetchingNextPage?: boolean;
    readonly fetchNextPage?: () => Promise<unknown>;
  };
};

/** The table of a query, or `empty` without rows; "Show more" reads the next page. */
export function List<Row>({
  query,
  lines,
  empty,
  ...table
}: ListQuery<Row> & { readonly empty: ReactNode } & Omit<ComponentProps<typeof Table<Row>>, 'rows'>) {
  const words = useWords();
  return (
    <>
      <Loaded query={query} {...(lines === undefined ? {} : { lines })}>
        {(rows) => (rows.length === 0 ? empty : <Table {...table} rows={rows} />)}
      </Loaded>
      {query.hasNextPage === true ? (
        <Button isBusy={query.isFetchingNextPage === true} onClick={() => void query.fetchNextPage?.()}>
          {words.showMore}
        </Button>
      ) : null}
    </>
  );
}
