import { type InfiniteData, infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import type { Page, SmartlinkSummary } from '@smartlink/client';
import { api, queryClient } from '../../app/api.js';
import { isFiltered, type LinksSearch, toFilter } from './filters.js';

const PAGE_SIZE = 50;
const LIST_KEY = ['links', 'list'] as const;
// A list that is read again is read page by page.
const REREAD_PAGES_MAX = 8;

export type Link = SmartlinkSummary;
/** A page knows its filters: it is shown until the one of other filters is there. */
type ListPage = Page<Link> & { readonly isFiltered: boolean };
type Pages = InfiniteData<ListPage, string | null>;

export type LinkList = {
  readonly links: readonly Link[];
  /** Of all pages; null above 10,000. */
  readonly total: number | null;
  /** Whether filters may have left out links. */
  readonly isFiltered: boolean;
};

/** Options of `useInfiniteQuery`. The rows of the filters before stay until those of the new ones are there. */
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

/** Forgets the far pages of lists, so that a later visit of the screen does not read hundreds of them again. */
export function trimLists(): void {
  updateLists(({ pages, pageParams }) => ({
    pages: pages.slice(0, REREAD_PAGES_MAX),
    pageParams: pageParams.slice(0, REREAD_PAGES_MAX),
  }));
}

/** Shows the new status of links where a person has just seen them, though another filter may fit them now. */
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

/** Takes deleted links out of the lists, and out of their counts. */
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

/** Visits of all links in the last seven days, UTC. It fails while figures cannot be read, which lists survive. */
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

/** The ids of at most `max` links that match, from the first page on. */
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
