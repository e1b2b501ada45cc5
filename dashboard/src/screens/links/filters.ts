import type { ListFilter, SmartlinkStatus, SmartlinkType } from '@smartlink/client';
import { choiceParam, dateParam, textParam } from '../../app/search-params.js';
import { TYPES } from '../../parts/ink.js';

export const STATUSES = ['Active', 'Paused', 'Deleted', 'all'] as const satisfies readonly (
  | SmartlinkStatus
  | 'all'
)[];
export const SORTS = ['createdAt', 'updatedAt', 'name', 'visits', 'lastVisitAt'] as const;
export const ARCHIVED = ['false', 'true', 'all'] as const;

export type Status = (typeof STATUSES)[number];
export type Sort = (typeof SORTS)[number];

/** Search parameters of the list. Absent ones have the API's default. */
export type LinksSearch = {
  readonly q?: string | undefined;
  readonly type?: SmartlinkType | undefined;
  readonly status?: Status | undefined;
  /** Name of a tag. */
  readonly tag?: string | undefined;
  /** Id of a folder, or `none`. */
  readonly folder?: string | undefined;
  /** Host of a domain, or `default`. */
  readonly domain?: string | undefined;
  readonly sort?: Sort | undefined;
  readonly createdFrom?: string | undefined;
  readonly createdTo?: string | undefined;
  readonly unsafe?: 'true' | undefined;
  readonly archived?: (typeof ARCHIVED)[number] | undefined;
};

const QUERY_LENGTH_MAX = 128;
const HOST_LENGTH_MAX = 253;

export function readSearch(search: Readonly<Record<string, unknown>>): LinksSearch {
  const read: LinksSearch = {
    q: textParam(search.q, QUERY_LENGTH_MAX),
    type: choiceParam(search.type, TYPES),
    status: choiceParam(search.status, STATUSES),
    tag: textParam(search.tag),
    folder: textParam(search.folder),
    domain: textParam(search.domain, HOST_LENGTH_MAX),
    sort: choiceParam(search.sort, SORTS),
    createdFrom: dateParam(search.createdFrom),
    createdTo: dateParam(search.createdTo),
    unsafe: choiceParam(search.unsafe, ['true']),
    archived: choiceParam(search.archived, ARCHIVED),
  };
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined));
}

/** Query of the API. Unsafe links are paused, and the API's default is Active. */
export function toFilter(search: LinksSearch): ListFilter {
  const { q, type, status, tag, folder, domain, sort, createdFrom, createdTo, unsafe, archived } = search;
  return {
    q,
    type,
    status: status ?? (unsafe === undefined ? undefined : 'Paused'),
    // A comma would separate tags; tag names have none.
    tag: tag?.replaceAll(',', ' '),
    folderId: folder,
    // A comma would separate hosts; host names have none.
    domain: domain?.replaceAll(',', ' '),
    sort,
    createdFrom,
    createdTo,
    unsafe,
    archived,
  };
}

/** Whether any filter is set; the sort order is not a filter. */
export function isFiltered({ sort: _, ...filters }: LinksSearch): boolean {
  return Object.values(filters).some((value) => value !== undefined);
}

/** Number of filters under "More filters". */
export function countMore({ createdFrom, createdTo, unsafe, archived }: LinksSearch): number {
  return [createdFrom, createdTo, unsafe, archived].filter((value) => value !== undefined).length;
}
