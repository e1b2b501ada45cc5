import type { RawResponse } from '@smartlink/test-support/raw-request';

const WRITTEN_BY_THE_SERVER = ['date', 'content-length'];

/** The header names of a redirect, in order. */
export const REDIRECT_HEADERS = [
  'cache-control',
  'referrer-policy',
  'x-robots-tag',
  'location',
  ...WRITTEN_BY_THE_SERVER,
];

const EVERY_PAGE = [
  'vary',
  'referrer-policy',
  'x-content-type-options',
  'content-type',
  'cross-origin-opener-policy',
  'permissions-policy',
];
const ABOUT_PAGE = ['content-language', 'content-security-policy', ...WRITTEN_BY_THE_SERVER];

/** The header names of a page of ours that nobody keeps, in order, for a visitor who takes no encoding. */
export const PAGE_HEADERS = [...EVERY_PAGE, 'cache-control', 'x-robots-tag', ...ABOUT_PAGE];

/** The header names of a link's own page that no search engine lists, in order. */
export const HOSTED_PAGE_HEADERS = [...EVERY_PAGE, 'cache-control', 'etag', 'x-robots-tag', ...ABOUT_PAGE];

/** The header names of a link's own page that search engines may list, in order. */
export const LISTED_PAGE_HEADERS = [...EVERY_PAGE, 'cache-control', 'etag', ...ABOUT_PAGE];

/** Returns whether an answer has these headers in this order and no others but what is said of every answer over https. */
export function hasExactly({ headerNames }: RawResponse, names: readonly string[]): boolean {
  const own = headerNames.filter((name) => name !== 'strict-transport-security');
  return JSON.stringify(own) === JSON.stringify(names);
}
