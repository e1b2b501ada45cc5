import type { Section } from './statement.js';
import * as t from './test-files.js';

const DAYS = t.analytics(
  'counts clicks, scans, fallbacks, maps and visitors by UTC day, and a row that came twice once',
);
const RANGE = t.analytics(
  'a range leaves the totals whole; zones, intervals, zero filling and CSV are as asked',
);
const SUMS = t.analyticsRecord(
  'one smartlink’s analytics ascend by day, add up to the totals, and each map of a day to its clicks and scans',
);
const AGREE = t.totals('totals in list, fetch, PATCH, summary and analytics are the same figures');
const VISITORS = t.visitors(
  'an event says device, country and visitor, by proxies that are trusted; two services know the same visitor',
);
const OUTAGE = t.analyticsOutage(
  'with ClickHouse down analytics is 503, never zeros, and list and fetch show the last known totals',
);

/** decisions.md: analytics and QR codes, and what the API shows of visits. */
export const FIGURES: readonly Section[] = [
  {
    title: 'Visits, as the API shows them',
    statements: {
      'figure-totals': [
        'totalClicks counts clicks, totalQrCodeScans scans, totalFallBack visits that ended in a fallback',
        DAYS,
        SUMS,
      ],
      'figure-fallbacks': ['Fallbacks are among clicks and scans, never more', SUMS],
      'figure-qr-image': [
        'Drawing a QR code is no visit',
        t.qr('the image is there for a link that is paused or deleted, as a fetch is, and counts nothing'),
      ],
      'figure-unique': ['uniqueVisitors is a figure beside the visits, added up over days', DAYS],
      'figure-visitor-id': [
        'A visitor is 64 bits of an HMAC with the salt of the day over the shortened address and the User-Agent',
        t.visitorId(
          'an id is the first 64 bits of HMAC-SHA256 over the shortened address and the User-Agent',
        ),
        VISITORS,
      ],
      'figure-salt': [
        'The salt is random, set once a day if absent, the same for all processes, and kept for 48 hours at most',
        t.visitorSalts('a salt is 256 random bits and kept for 48 hours at most'),
        t.visitorSalts(
          'at midnight a visitor becomes another, the same one for every process, and nobody asks for anything',
        ),
        VISITORS,
      ],
      'figure-gpc': [
        'With Sec-GPC: 1 or DNT: 1 a visit counts and has no visitor id',
        t.visitEvent('who sends Sec-GPC: 1 has no visitor id'),
        t.visitEvent('who sends DNT: 1 has no visitor id'),
        VISITORS,
      ],
      'figure-country': [
        'The country is the address’s by an embedded database, or a trusted edge’s header; XX is unknown',
        t.visitEvent('the edge’s country …'),
        VISITORS,
      ],
      'figure-device': [
        'A device is mobile, tablet, desktop, tv, wearable, console or other',
        t.agentDetails('no User-Agent, however made, adds a name to the statistics'),
        VISITORS,
      ],
      'figure-proxies': [
        'X-Forwarded-For is walked from the right to the first hop that TRUSTED_PROXIES does not name',
        t.clientAddress('X-Forwarded-For: …'),
        t.clientAddress('without trusted proxies nobody is one'),
      ],
    },
  },
  {
    title: 'Analytics',
    statements: {
      'analytics-default': [
        'Unasked it is the whole history by UTC day, ascending',
        SUMS,
        t.analyticsQuery(
          'a plan of 120 days shows the last 120 days, today among them, unless asked otherwise',
        ),
      ],
      'analytics-days': ['Only days with events are there', RANGE],
      'analytics-new': ['A new link has []', t.analytics('a new link has no days and only zeros')],
      'analytics-range': [
        'from and to are dates as YYYY-MM-DD, both included',
        t.analyticsRecord('one smartlink’s analytics from and to are both included, alone and together'),
        t.calendar('knows the dates of the calendar'),
      ],
      'analytics-zone': [
        'tz is an IANA name',
        RANGE,
        t.calendar('takes IANA names and nothing else for a time zone'),
      ],
      'analytics-interval': ['interval is hour, day, week or month', RANGE],
      'analytics-fill': [
        'fill=zero adds the intervals without events',
        RANGE,
        t.calendar(
          'labels days, weeks by their Monday and months by their first day, without gaps and within the bound',
        ),
      ],
      'analytics-csv': [
        'format=csv answers CSV',
        RANGE,
        t.csv('is a heading and a line an entry, with CRLF, the largest of a map first'),
      ],
      'analytics-labels': [
        'An hour is named YYYY-MM-DDTHH:00, a week by its Monday, a month by its first day',
        RANGE,
        t.calendar(
          'labels days, weeks by their Monday and months by their first day, without gaps and within the bound',
        ),
      ],
      'analytics-maps': ['countries, devices and browsers count clicks and scans', SUMS, DAYS],
      'analytics-extras': [
        'Entries and totals also have uniqueVisitors, referrers, operatingSystems and excluded (by reason)',
        DAYS,
        t.analytics('a new link has no days and only zeros'),
      ],
      'analytics-retention': [
        'What needs raw rows (hours, other zones) ends with them, after 13 months; the rest never does',
        t.rollups(
          'months that are no longer kept are dropped once their cells are final, and their figures stay',
        ),
      ],
      'analytics-sum': ['All days together make the totals, which every other answer has too', SUMS, AGREE],
      'summary-covers': [
        'Paused smartlinks are in the summary, Deleted ones are not',
        t.analyticsRecord('the summary has the documented members and no others, and a paused link too'),
        t.analytics('summary, list, fetch and analytics agree, and the summary names the newest visits'),
      ],
      'summary-limit': [
        'Its smartlinks are newest first, 1,000 at most, its totals over all',
        t.analyticsRecord(
          'the summary lists the 1,000 newest smartlinks, and its totals are over all of them',
        ),
      ],
      'summary-activity': [
        'recentActivity has the 20 newest visits',
        t.analyticsRecord('the summary names the 20 newest visits, newest first'),
      ],
      'summary-action': [
        'action is click, qr_scan or fallback',
        t.analytics('summary, list, fetch and analytics agree, and the summary names the newest visits'),
      ],
      'analytics-down': ['With ClickHouse down analytics are 503, never zeros', OUTAGE],
      'totals-down': [
        'List and fetch answer even so, with the last known totals',
        OUTAGE,
        t.totals(
          'while ClickHouse is away PATCH too shows the last known totals, and afterwards lists show new ones again',
        ),
      ],
    },
  },
  {
    title: 'QR codes',
    statements: {
      'qr-endpoint': [
        'GET /smartlink/qr draws the code of an id as svg or png, with a size, a margin, one of four levels (ecc) and two colours',
        t.qr(
          'the image is an SVG of 512 pixels unless asked otherwise, in black on white, that leads to /q/ and the slug',
        ),
        t.qr('the image is a PNG of exactly the size asked for'),
        t.qr('the image follows margin, ecc and the colours'),
        t.qr('a bad parameter is told at its name: …'),
      ],
      'qr-owner': [
        'It is for the owner',
        t.qr('the image of an unknown or foreign id answers as a fetch does'),
      ],
      'qr-address': [
        'The image holds the public base, /q/ and the slug',
        t.qr(
          'the image is an SVG of 512 pixels unless asked otherwise, in black on white, that leads to /q/ and the slug',
        ),
        t.qr('the image of a long slug on a host that no code has upper case for keeps the letters as typed'),
      ],
      'qr-upper-case': [
        'The address may be in upper case, which makes the code smaller',
        t.qr(
          'the image is an SVG of 512 pixels unless asked otherwise, in black on white, that leads to /q/ and the slug',
        ),
        t.qrAddress('the address of a QR code …'),
      ],
    },
  },
];
