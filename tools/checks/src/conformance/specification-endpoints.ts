import type { Section } from './statement.js';
import * as t from './test-files.js';

const FIRST_CREATE = t.create('a valid create answers 201 with the whole Smartlink, Location and ETag');
const SUMMARY = t.analyticsRecord(
  'the summary has the documented members and no others, and a paused link too',
);
const DAYS = t.analytics(
  'counts clicks, scans, fallbacks, maps and visitors by UTC day, and a row that came twice once',
);

/** management-api.md: rules of URLs, the analytics record, states and endpoints. */
export const ENDPOINTS: readonly Section[] = [
  {
    title: 'URL rules',
    statements: {
      'url-form': [
        'Every field that is a URL must be well-formed and begin with a protocol',
        t.urlMembers(
          'the members that hold a URL are those that the schemas say are one, and no member is a URL in one type only',
        ),
        t.destination('refuses "example.org"'),
        t.destination('refuses "//evil.com"'),
        t.refused('"example.org" as a destination and as an image'),
      ],
      'url-safety': [
        'URLs are shown to a safety check, and one judged malicious is refused with a message',
        t.urlSafety('a create with an unsafe …'),
        t.urlSafety('every unsafe URL has its detail'),
        t.urlMembers('finds the URLs of the web at every depth, with their paths'),
      ],
    },
  },
  {
    title: 'Analytics record',
    statements: {
      'analytics-members': [
        'The record has smartlinkId, smartlinkName, totalClicks, totalQrCodeScans, totalFallBack and the array analyticsData',
        t.analytics('a new link has no days and only zeros'),
        DAYS,
      ],
      'analytics-entry': [
        'An entry has date (YYYY-MM-DD), clicks, qrScans, fallbacks, and the maps countries, devices and browsers from name to count',
        DAYS,
      ],
    },
  },
  {
    title: 'States and transitions',
    statements: {
      'state-created': [
        'A valid create within the limit of the plan makes an Active smartlink, live at its relink, with all counters 0',
        FIRST_CREATE,
        t.races('the limit of …'),
      ],
      'state-deleted': [
        'DELETE of an Active smartlink makes it Deleted: marked and not erased',
        t.deletion(
          'marks the link and erases nothing: it leaves the list and can still be fetched, with its analytics',
        ),
      ],
      'list-active': [
        'The list holds Active smartlinks only',
        t.read('the list without parameters is every Active link, newest first, in one array'),
        t.status('a paused link leaves the list, counts against the limit and can be changed and deleted'),
      ],
    },
  },
  {
    title: 'GET /validate',
    statements: {
      'validate-success': [
        'A good key is answered with data null and a message that says so; there is no body to send',
        t.authentication('a key that is good is taken after Bearer'),
      ],
      'validate-failure': [
        'What is no key is UNAUTHORIZED, Invalid API key format',
        t.authentication('a key that is missing or malformed no header is 401 without a database query'),
      ],
    },
  },
  {
    title: 'GET /smartlink',
    statements: {
      'list-all': [
        'Without parameters data is an array of all Active smartlinks of the key’s user',
        t.read('the list without parameters is every Active link, newest first, in one array'),
        t.read('the list is empty for who has none, and shows nobody else anything'),
      ],
      'fetch-one': [
        'With id data is that one Smartlink, with its configuration and what belongs to it',
        t.read('a fetch shows a link in any status, with its ETag and its own address'),
        t.read('the list holds the same object as a fetch does'),
      ],
      'fetch-unknown': ['An unknown id is NOT_FOUND', t.read('a fetch of the unknown id x is 404')],
    },
  },
  {
    title: 'POST /smartlink',
    statements: {
      'create-body': [
        'The body is configuration and the objects of its type: shortener; landing, landingButtons; qrTag, qrTagButtons; digiCard, digiCardButtons; txtBin; qrMenu; and openGraph for all',
        t.whole('Landing, full'),
        t.whole('QRTag, full'),
        t.whole('DigiCard, full'),
        t.whole('TxtBin, full and hostile'),
        t.whole('QrMenu, full'),
        t.object('App'),
        t.object('Url'),
      ],
      'create-answer': [
        'data is the new Smartlink, Active, with its id, type, relink, configuration and analytics; the message says that it was created',
        FIRST_CREATE,
      ],
      'create-errors': [
        'It fails as VALIDATION_FAILED, SUBSCRIPTION_LIMIT_REACHED or UNAUTHORIZED',
        t.envelope('a failure of 400 VALIDATION_FAILED says "Request validation failed" and nothing more'),
        t.envelope(
          'a failure of 403 SUBSCRIPTION_LIMIT_REACHED says "Subscription limit reached" and nothing more',
        ),
        t.authentication('authentication comes before routing POST /api/v1/smartlink without a key is 401'),
      ],
    },
  },
  {
    title: 'PATCH /smartlink',
    statements: {
      'patch-id': [
        'The body must have id, a text',
        t.patch('{} is 400 at ["id"]'),
        t.patch('{"id":5} is 400 at ["id"]'),
      ],
      'patch-subset': [
        'Beside id it may have any part of configuration, openGraph and the objects and arrays of the type',
        t.patch('merging changes the members it names and no others'),
        t.patchTypes(
          'objects merge field by field, arrays replace whole a field of an object changes alone, at every depth',
        ),
        t.patchTypes(
          "objects merge field by field, arrays replace whole an App's stores change one by one in configuration",
        ),
      ],
      'patch-only': [
        'What is not supplied stays',
        t.patch('merging changes the members it names and no others'),
        t.patch(
          'what moves only the id, or the same values again, change nothing: no version, no time, no outbox row',
        ),
      ],
      'patch-unknown-fields': [
        'What the schema does not name changes nothing',
        t.patch(
          'merging fields outside the schema are ignored: status, userId, analytics, version, ids inside',
        ),
      ],
      'patch-answer': [
        'data is the changed smartlink',
        t.patch('merging changes the members it names and no others'),
      ],
      'patch-unknown': ['PATCH of an unknown id is NOT_FOUND', t.patch('an unknown id is 404: "x"')],
      'patch-invalid': [
        'Invalid values are VALIDATION_FAILED',
        t.patch('merging lists every fault of the merged document at once'),
      ],
    },
  },
  {
    title: 'DELETE /smartlink',
    statements: {
      'delete-id': [
        'The body must have smartlinkId, and not id',
        t.deletion('takes smartlinkId and not id; every fault is 400 at smartlinkId'),
      ],
      'delete-answer': [
        'data is null, the message says that it is deleted, and the status is Deleted from then on',
        t.deletion(
          'marks the link and erases nothing: it leaves the list and can still be fetched, with its analytics',
        ),
      ],
      'delete-unknown': [
        'DELETE of an unknown id is NOT_FOUND',
        t.deletion('twice, and of any unknown id, is 404 without details'),
      ],
    },
  },
  {
    title: 'GET /smartlink/analytics',
    statements: {
      'analytics-id': [
        'The parameter id names the smartlink, and data is its record',
        t.analytics('a new link has no days and only zeros'),
        t.analytics('bad queries are VALIDATION_FAILED with every fault'),
      ],
    },
  },
  {
    title: 'GET /analytics/summary',
    statements: {
      'summary-members': ['data has user, summary, smartlinks and recentActivity', SUMMARY],
      'summary-user': ['user has id, email and subscription, the name of the plan', SUMMARY],
      'summary-summary': [
        'summary has the numbers totalSmartlinks, totalClicks, totalQrCodeScans and totalFallbacks, for all that the user has',
        SUMMARY,
        t.analytics('summary, list, fetch and analytics agree, and the summary names the newest visits'),
      ],
      'summary-smartlinks': [
        'Each of smartlinks has id, name, type, clicks and qrScans, and no more',
        SUMMARY,
      ],
      'summary-recent': [
        'Each of recentActivity has smartlinkId, action, timestamp (ISO 8601), country (a code) and device',
        SUMMARY,
      ],
    },
  },
];
