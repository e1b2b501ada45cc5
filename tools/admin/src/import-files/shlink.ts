import { isObject } from '@smartlink/smartlink/is-object';
import type { JsonObject } from './import-row.js';
import { slugOf, toCount, toMoment, toText } from './foreign-link.js';
import type { Service } from './foreign-link.js';

/**
 * Shlink. CSV: the web client's export, whose columns are those of ExportShortUrlsBtn.tsx in shlinkio/shlink-web-component
 * (createdAt, domain, shortCode, shortUrl, longUrl, title, tags, visits), and the "Long URL", "Short code" tables of
 * shlinkio/shlink-importer. JSON: GET /rest/v3/short-urls, read as ShlinkMapper.php there reads it.
 */
export const shlink: Service = {
  columns: {
    createdat: 'dateCreated',
    datecreated: 'dateCreated',
    shortcode: 'shortCode',
    shorturl: 'shortUrl',
    longurl: 'longUrl',
    title: 'title',
    visits: 'visitsCount',
    visitscount: 'visitsCount',
  },
  isLink: (members) => members.has('longUrl') && (members.has('shortCode') || members.has('shortUrl')),
  read: (record, now) => ({
    url: record['longUrl'],
    // Codes of several segments are passed on whole.
    slug: toText(record['shortCode']) ?? slugOf(record['shortUrl']),
    title: record['title'],
    createdAt: record['dateCreated'],
    clicks: visitsOf(record),
    isOff: isOff(record, now),
  }),
};

/** Ours are visits of people, so those of bots stay out where Shlink tells them apart. */
function visitsOf(record: JsonObject): unknown {
  const summary = record['visitsSummary'];
  if (!isObject(summary)) return record['visitsCount'];
  return summary['nonBots'] ?? summary['total'] ?? record['visitsCount'];
}

/** Shlink answers 404 before `validSince`, after `validUntil` and beyond `maxVisits`, none of which ours can say. */
function isOff(record: JsonObject, now: Date): boolean {
  const meta = record['meta'];
  if (!isObject(meta)) return false;
  const [since, until] = [toMoment(meta['validSince']), toMoment(meta['validUntil'])];
  const visitsMax = toCount(meta['maxVisits']);
  const summary = record['visitsSummary'];
  const visits = toCount(isObject(summary) ? summary['total'] : record['visitsCount']);
  return (
    (since instanceof Date && since > now) ||
    (until instanceof Date && until <= now) ||
    (typeof visitsMax === 'number' && typeof visits === 'number' && visits >= visitsMax)
  );
}
