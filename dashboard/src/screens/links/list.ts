import { type InfiniteData, infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import type { Page, SmartlinkSummary } from '@smartlink/client';
import { api, queryClient } from '../../app/api.js';
import { isFiltered, type LinksSearch, toFilter } from './filters.js';

const PAGE_SIZE = 50;
const LIST_KEY = ['links', 'list'] as const;
// A refetched list is read page by page.
const REREAD_PAGES_MAX = 8;

export type Link = SmartlinkSummary;
/** Records whether filters applied, because a page stays until that of new filters arrives. */
type ListPage = Page<Link> & { readonly isFiltered: boolean };
type Pages = InfiniteData<ListPage, string | null>;

export type LinkList = {
  readonly links: readonly Link[];
  /** Total of all pages; null above 10,000. */
  readonly total: number | null;
  /** Whether filters applied. */
  readonly isFiltered: boolean;
};

/** Options of `useInfiniteQuery`. Rows stay until those of new filters arrive. */
export function listQuery(search: LinksSearch) {
  const filter = toFilter(search);
  return infiniteQueryOptions({
    queryKey: [...LIST_KEY, filter],
    queryFn: async ({ pageParam, signal }): Promise<ListPage> => {
      const place = pageParam === null ? { count: 'true' as const } : { cursor: pageParam };
      const page = await api.smartlinks.summaries({ ...filter, limit: PAGE_SIZE, ...place }, { signal });
      return { ...page, isFiltered: isFiltered(search) };
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    select: toList,
  });
}

function toList({ pages }: Pages): LinkList {
  const totalCount = pages[0]?.totalCount ?? null;
  const total = totalCount === null || totalCount.endsWith('+') ? null : Number(totalCount);
  return {
    links: pages.flatMap(({ data }) => data),
    total,
    isFiltered: pages[0]?.isFiltered === true,
  };
}

/** Drops far pages, so that reopening the screen does not refetch hundreds of them. */
export function trimLists(): void {
  updateLists(({ pages, pageParams }) => ({
    pages: pages.slice(0, REREAD_PAGES_MAX),
    pageParams: pageParams.slice(0, REREAD_PAGES_MAX),
  }));
}

/** Updates the status of links in place, even where they no longer match the filter. */
export function showChanged(ids: readonly string[], status: 'Active' | 'Paused'): void {
  const changed = new Set(ids);
  const change = (link: Link): Link => {
    if (!changed.has(link.id)) return link;
    if (status === 'Paused') return { ...link, status };
    const { pauseReason: _, ...rest } = link;
    return { ...rest, status };
  };
  updateLists((list) => ({
    ...list,
    pages: list.pages.map((page) => ({ ...page, data: page.data.map(change) })),
  }));
}

/** Removes deleted links from lists and counts. */
export function hideDeleted(ids: ReadonlySet<string>): void {
  updateLists(({ pages, pageParams }) => {
    const left = pages.map((page) => ({ ...page, data: page.data.filter(({ id }) => !ids.has(id)) }));
    const count = (of: readonly ListPage[]) => of.reduce((sum, { data }) => sum + data.length, 0);
    const [first, ...others] = left;
    if (first === undefined) return { pages, pageParams };
    const { totalCount } = first;
    const isExact = totalCount !== null && !totalCount.endsWith('+');
    const total = isExact ? String(Number(totalCount) - (count(pages) - count(left))) : totalCount;
    return { pages: [{ ...first, totalCount: total }, ...others], pageParams };
  });
}

function updateLists(update: (list: Pages) => Pages): void {
  queryClient.setQueriesData<Pages>({ queryKey: LIST_KEY }, (list) =>
    list === undefined ? undefined : update(list),
  );
}

const RECENT_DAYS = 7;
const DAY_MS = 86_400_000;
const RECENT_FRESH_MS = 60_000;

/** Visits of all links in the last seven days (UTC). Fails without ClickHouse, which the list survives. */
export const recentVisitsQuery = {
  queryKey: ['visits', 'recent'],
  queryFn: async ({ signal }: { readonly signal: AbortSignal }): Promise<number> => {
    const day = (ago: number) => new Date(Date.now() - ago * DAY_MS).toISOString().slice(0, 10);
    const range = { from: day(RECENT_DAYS - 1), to: day(0) };
    const { data } = await api.analytics.countsOfAccount(range, { signal, retries: 0 });
    return data.totalClicks + data.totalQrCodeScans;
  },
  staleTime: RECENT_FRESH_MS,
} as const;

/** Ids of the first matching links, at most `max`. */
export async function findIds(
  search: LinksSearch,
  max: number,
  signal: AbortSignal,
  onFound: (count: number) => void,
): Promise<readonly string[]> {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await api.smartlinks.summaries({ ...toFilter(search), limit: 100, cursor }, { signal });
    ids.push(...page.data.map(({ id }) => id));
    cursor = page.nextCursor ?? undefined;
    onFound(Math.min(ids.length, max));
  } while (cursor !== undefined && ids.length < max);
  return ids.slice(0, max);
}
