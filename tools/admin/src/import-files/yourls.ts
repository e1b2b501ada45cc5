import { slugOf, toText, withoutNull } from './foreign-link.js';
import type { Service } from './foreign-link.js';

/**
 * YOURLS. CSV: its table `yourls_url` (includes/functions-install.php in YOURLS/YOURLS: keyword, url, title, timestamp, ip,
 * clicks), as database tools write it. JSON: the API's `stats` action, {links: {link_1: {shorturl, url, …}}} by
 * yourls_get_stats in includes/functions.php. Neither names a zone; the times are the server's, and taken as UTC.
 */
export const yourls: Service = {
  columns: {
    keyword: 'keyword',
    shorturl: 'shorturl',
    url: 'url',
    title: 'title',
    timestamp: 'timestamp',
    clicks: 'clicks',
  },
  isLink: (members) => members.has('url') && (members.has('keyword') || members.has('shorturl')),
  read: (record) => ({
    url: record['url'],
    slug: toText(record['keyword']) ?? slugOf(record['shorturl']),
    title: withoutNull(record['title']),
    createdAt: withoutNull(record['timestamp']),
    clicks: record['clicks'],
  }),
};
