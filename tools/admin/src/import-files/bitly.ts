import { slugOf } from './foreign-link.js';
import type { Service } from './foreign-link.js';

/**
 * Bitly. JSON: GET /v4/groups/{group_guid}/bitlinks (dev.bitly.com, API reference; read as Shlink's importer reads it,
 * src/Sources/Bitly/BitlyApiImporter.php in shlinkio/shlink-importer). CSV: the export of Links in its web application.
 * Bitly documents no heading for it; URLR's guide for leaving Bitly (URLR/urlr-docs, migration/bitly.md) names "Link",
 * "Custom Link" and "Destination URL", so every spelling of the API's own words is taken as well. Its times carry an
 * offset, as in 2025-10-13T17:11:28+0000.
 */
export const bitly: Service = {
  columns: {
    link: 'link',
    bitlink: 'link',
    shortlink: 'link',
    shorturl: 'link',
    id: 'id',
    longurl: 'long_url',
    destination: 'long_url',
    destinationurl: 'long_url',
    originalurl: 'long_url',
    customlink: 'custom_bitlinks',
    customlinks: 'custom_bitlinks',
    custombitlink: 'custom_bitlinks',
    custombitlinks: 'custom_bitlinks',
    custombackhalf: 'custom_bitlinks',
    title: 'title',
    linktitle: 'title',
    created: 'created_at',
    createdat: 'created_at',
    createddate: 'created_at',
    datecreated: 'created_at',
    clicks: 'clicks',
    totalclicks: 'clicks',
    linkclicks: 'clicks',
    engagements: 'engagements',
    totalengagements: 'engagements',
    scans: 'scans',
    qrscans: 'scans',
    qrcodescans: 'scans',
    totalscans: 'scans',
  },
  isLink: (members) =>
    members.has('long_url') && (members.has('link') || members.has('id') || members.has('custom_bitlinks')),
  read: (record) => ({
    url: record['long_url'],
    // A back-half that somebody chose is the one they have printed.
    slug: slugOf(firstCustom(record['custom_bitlinks'])) ?? slugOf(record['link']) ?? slugOf(record['id']),
    title: record['title'],
    createdAt: record['created_at'],
    ...countsOf(record),
  }),
};

/** Members of an array in JSON; a table has one in a cell, several after commas, and a back-half alone without host. */
function firstCustom(value: unknown): unknown {
  if (Array.isArray(value)) return value[0];
  if (typeof value !== 'string') return null;
  const first = value.split(/[,;|\s]+/).find((part) => part !== '');
  return first === undefined || first.includes('/') ? first : `/${first}`;
}

/** Engagements are clicks and scans together, and stand alone in some exports. */
function countsOf(record: Readonly<Record<string, unknown>>): { clicks: unknown; scans: unknown } {
  const { clicks, scans, engagements } = record;
  if (clicks !== undefined && clicks !== '') return { clicks, scans };
  const clicksAndScans = Number(engagements) - Number(scans ?? 0);
  return { clicks: clicksAndScans >= 0 && engagements !== '' ? clicksAndScans : engagements, scans };
}
