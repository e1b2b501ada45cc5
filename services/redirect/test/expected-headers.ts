/** The header names of a redirect, in order. */
export const REDIRECT_HEADERS = [
  'location',
  'cache-control',
  'referrer-policy',
  'x-robots-tag',
  'date',
  'uwebsockets',
  'content-length',
];

/** The header names of a page of ours, in order. */
export const PAGE_HEADERS = [
  'cache-control',
  'referrer-policy',
  'x-robots-tag',
  'x-content-type-options',
  'content-type',
  'content-language',
  'cross-origin-opener-policy',
  'content-security-policy',
  'date',
  'uwebsockets',
  'content-length',
];

/** The header names of a link's own page, in order. */
export const HOSTED_PAGE_HEADERS = ['cache-control', 'etag', ...PAGE_HEADERS.slice(1)];
