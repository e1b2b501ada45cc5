import type { Section } from './statement.js';
import * as t from './test-files.js';

const ITEM = 'qrMenu.categories.0.items.0';

/** management-api.md: authentication, errors, limits and versioning. */
export const ERRORS: readonly Section[] = [
  {
    title: 'Authentication',
    statements: {
      'auth-header': [
        'Every request carries Authorization: Bearer and the key',
        t.authentication('a key that is good is taken after Bearer'),
        t.authentication('authentication comes before routing …'),
        t.authentication('a key that is missing or malformed a key in the query is no key'),
      ],
      'auth-key-form': [
        'A key is a fixed prefix of the service and a random part',
        t.apiKey('recognises the keys it generates, by form alone'),
      ],
      'auth-key-once': [
        'A key is shown once, when it is made',
        t.admin('keys are made, listed, rotated and revoked; a key is shown once'),
      ],
      'auth-plans': [
        'Professional and Enterprise have the whole API, Starter a restricted part of it',
        t.analyticsRecord(
          'one smartlink’s analytics Professional and Enterprise may have everything that Starter may not',
        ),
        t.analytics(
          'Starter may not look farther back than 120 days, by the hour, or as CSV; its totals stay whole',
        ),
      ],
      'auth-unauthorized': [
        'A missing or malformed key is UNAUTHORIZED',
        t.authentication('a key that is missing or malformed …'),
      ],
      'auth-scope': [
        'All data is that of the key’s user',
        t.tenants('an id that is not one of the caller’s own says nothing, wherever it is given'),
        t.read('the list is empty for who has none, and shows nobody else anything'),
        t.read('a fetch of a foreign id answers what an unknown id answers, byte for byte'),
      ],
    },
  },
  {
    title: 'Errors',
    statements: {
      'errors-envelope': [
        'Every error is in the failure envelope',
        t.envelope('a failure of …'),
        t.routing('what Node itself would answer is in the envelope too …'),
      ],
      'errors-details': [
        'details of a validation error are objects of path (dotted) and message',
        t.envelope('a failure of 400 VALIDATION_FAILED says "Request validation failed" and nothing more'),
        t.fields('is a fault at its path: each of many, in one answer, with array indexes in their paths'),
      ],
      'error-validation': [
        'VALIDATION_FAILED says Request validation failed and has details',
        t.refused('no configuration'),
        t.limit('landing.title'),
      ],
      'error-sample-url': [
        'A URL that is none is Invalid URL format, for one at openGraph.imageUrl',
        t.refused('a bad image'),
      ],
      'error-sample-slug': [
        'A slug of other characters is Smartlink URL can only contain latin characters and numbers, at configuration.smartlinkUrl',
        t.refused('slug "a-b"'),
      ],
      'error-not-found': [
        'NOT_FOUND says Smartlink not found and has nothing more',
        t.envelope('a failure of 404 NOT_FOUND says "Smartlink not found" and nothing more'),
      ],
      'error-limit': [
        'SUBSCRIPTION_LIMIT_REACHED says Subscription limit reached and has nothing more',
        t.envelope(
          'a failure of 403 SUBSCRIPTION_LIMIT_REACHED says "Subscription limit reached" and nothing more',
        ),
      ],
      'error-unauthorized': [
        'UNAUTHORIZED says Invalid API key format and has nothing more',
        t.envelope('a failure of 401 UNAUTHORIZED says "Invalid API key format" and nothing more'),
      ],
    },
  },
  {
    title: 'Limits',
    statements: {
      'limit-name': ['configuration.smartlinkName: 64', t.refused('a name of 65')],
      'limit-slug': [
        'configuration.smartlinkUrl: 64, letters and digits, unique, not reserved',
        t.refused('a slug of 65'),
        t.refused('slug …'),
        t.refused('reserved …'),
        t.conflicts('a slug that is taken, in any case and by anybody, is 409 and stores nothing'),
      ],
      'limit-open-graph': [
        'openGraph.title: 128; openGraph.description: 256',
        t.refused('an openGraph title of 129'),
        t.refused('a description of 257'),
      ],
      'limit-landing': [
        'landing.title: 128; landing.description: 256',
        t.limit('landing.title'),
        t.limit('landing.description'),
      ],
      'limit-qr-tag': [
        'qrTag.title: 256; qrTag.description: 256',
        t.limit('qrTag.title'),
        t.limit('qrTag.description'),
      ],
      'limit-digi-card': [
        'digiCard.title: 256; jobTitle and company: 128; ctaText: 32',
        t.limit('digiCard.title'),
        t.limit('digiCard.jobTitle'),
        t.limit('digiCard.company'),
        t.limit('digiCard.ctaText'),
      ],
      'limit-button-title': [
        'title of a button of any kind: 256',
        t.faultAt('landingButtons.0.title'),
        t.faultAt('qrTagButtons.0.title'),
        t.faultAt('digiCardButtons.0.title'),
      ],
      'limit-menu': [
        'qrMenu.title: 128; qrMenu.description: 256; qrMenu.currency: 8',
        t.limit('qrMenu.title'),
        t.limit('qrMenu.description'),
        t.limit('qrMenu.currency'),
      ],
      'limit-menu-inside': [
        'name of a category: 64; of an item: 128; description of an item: 512; label of a variant: 64',
        t.limit('qrMenu.categories.0.name'),
        t.limit(`${ITEM}.name`),
        t.limit(`${ITEM}.description`),
        t.limit(`${ITEM}.variants.0.label`),
      ],
      'limit-password': ['shortener.password: 6 or more', t.refused('a password of 5')],
      'limit-price': [
        'price of an item or a variant: 0 or more',
        t.limit(`${ITEM}.price`),
        t.faultAt(`${ITEM}.variants.0.price`),
      ],
      'limit-position': [
        'position of a button of qrTagButtons: 0 or more',
        t.limit('qrTagButtons.0.position'),
      ],
    },
  },
  {
    title: 'Versioning',
    statements: {
      'version-path': [
        'Another version in the path is another route, which is not there',
        t.routing('a path nothing answers /api/v2/smartlink is 404 in the envelope'),
      ],
    },
  },
];
