import type { Section } from './statement.js';
import * as t from './test-files.js';

const ITEM = 'qrMenu.categories.0.items.0';
const TYPES = ['App', 'Url', 'Landing', 'QRTag', 'DigiCard', 'TxtBin', 'QrMenu'];

/** decisions.md: the Smartlink object, texts and numbers, sizes. */
export const VALUES: readonly Section[] = [
  {
    title: 'The Smartlink object',
    statements: {
      'object-same': [
        'The same members are in the answers of create, list, fetch, PATCH and status',
        ...TYPES.map(t.object),
        t.status(
          'pauses and activates: the answer is the smartlink with its new ETag, and so is the next fetch',
        ),
      ],
      'object-own': [
        'What only the type has stands directly in data, named as in the request',
        ...TYPES.map(t.object),
      ],
      'object-defaults': [
        'Defaults are filled in',
        t.whole('Landing, empty'),
        t.whole('QrMenu, empty'),
        t.whole('QrMenu, defaults inside'),
      ],
      'object-unset': [
        'Optional members that are not set are left out',
        t.create('a valid create takes null for absent, and leaves unset members out'),
        t.whole('QRTag, empty'),
        t.nullIn('a QrMenu’s category and item'),
      ],
      'object-order': [
        'Arrays keep the order in which they were sent',
        t.whole('QRTag, full'),
        t.object('QrMenu'),
        t.patchTypes(
          'objects merge field by field, arrays replace whole buttons are replaced, [] clears them, and the order is kept',
        ),
      ],
      'object-password': [
        'A password is never among them',
        t.object('Url'),
        t.create('a password of 6 characters is stored as a hash and shown nowhere'),
        t.apiReference('the document never holds a password in an answer'),
      ],
      'object-foreign': [
        'What belongs to another type is neither checked nor stored, by create and PATCH alike',
        t.create('what no client may set is ignored at every depth'),
        t.patchTypes(
          "objects merge field by field, arrays replace whole another type's content is neither checked nor stored",
        ),
        t.patchTypes(
          'a change of type leaves the password alone: a shortener in a patch is ignored while the type is another one',
        ),
      ],
    },
  },
  {
    title: 'Texts and numbers',
    statements: {
      'text-code-points': [
        'A length is a number of code points, so that 64 emoji fit into 64',
        t.create('a valid create keeps a name of 64 emoji as it is'),
        t.text('counts code points, not UTF-16 units'),
        t.whole('DigiCard, full'),
      ],
      'text-visible': [
        'A required text holds something that can be seen',
        t.refused('a name of spaces'),
        t.refused('a name of zero widths'),
        t.faultAt('digiCardButtons.0.title'),
        t.faultAt('txtBin.text'),
        t.faultAt(`${ITEM}.variants.0.label`),
        t.text('wants something visible where a text is required'),
      ],
      'no-coercion': [
        'Nothing is coerced: "1" is no number, "true" no boolean, 1 no text',
        t.refused('a numeric name'),
        t.refused('protected as text'),
        t.limit('qrTagButtons.0.position'),
        t.limit(`${ITEM}.active`),
        t.faultAt('landing.title'),
      ],
      'number-finite': [
        'A number is finite',
        t.typeLimits('1e309 and −0 in a raw body: the one is no number, the other is 0'),
      ],
      'number-zero': [
        '−0 becomes 0',
        t.typeLimits('1e309 and −0 in a raw body: the one is no number, the other is 0'),
      ],
      'price-max': [
        'A price is at most a million millions',
        t.whole('QrMenu, full'),
        t.faultAt(`${ITEM}.price`),
        t.faultAt(`${ITEM}.variants.0.price`),
      ],
      'position-any': [
        'A position is any finite number, but 0 or more in qrTagButtons',
        t.taken('negative and broken positions'),
        t.whole('QRTag, full'),
        t.limit('qrTagButtons.0.position'),
      ],
      'slug-empty': [
        'An empty smartlinkUrl is a fault',
        t.refused('an empty slug'),
        t.faultAt('configuration.smartlinkUrl'),
      ],
      'null-absent': [
        'On create null is as if it were absent',
        t.smartlink('null on create equals absent: …'),
        t.create('a valid create takes null for absent, and leaves unset members out'),
      ],
      'categories-default': [
        'categories and items may be left out and are [] then',
        t.whole('QrMenu, empty'),
        t.whole('QrMenu, defaults inside'),
      ],
      'control-characters': [
        'A field of one line takes no control character, NUL least of all',
        t.refused('a name with NUL'),
        t.refused('a name with a newline'),
        t.faultAt('openGraph.title'),
        t.faultAt('qrTag.title'),
        t.text('keeps line breaks out of one line and lets them into many'),
      ],
    },
  },
  {
    title: 'Sizes',
    statements: {
      'size-url': [
        'A URL: 2,048',
        t.destination('takes 2,048 characters and refuses 2,049'),
        t.contactLink('2,048 characters are taken, one more is not'),
        t.createRules('what a create refuses "https://example.org/aaaa …'),
      ],
      'size-text': [
        'txtBin.text: 1 to 100,000',
        t.taken('text of 100,000'),
        t.whole('TxtBin'),
        t.typeLimits('what is refused, at its path [["txtBin.text","Must be at most 100000 characters"]]'),
        t.typeLimits('what is refused, at its path [["txtBin.text","Must not be empty"]]'),
      ],
      'size-buttons': [
        'Buttons of any kind: 100',
        t.taken('Landing: 100 buttons'),
        t.taken('QRTag: 100 buttons'),
        t.taken('DigiCard: 100 buttons'),
        t.faultAt('landingButtons'),
        t.faultAt('qrTagButtons'),
        t.faultAt('digiCardButtons'),
      ],
      'size-categories': ['Categories: 100', t.taken('100 categories'), t.limit('qrMenu.categories')],
      'size-items': ['Items of a category: 500', t.taken('500 items'), t.limit('qrMenu.categories.0.items')],
      'size-variants': ['Variants of an item: 20', t.taken('20 variants'), t.limit(`${ITEM}.variants`)],
      'size-badges': [
        'Badges of an item: 20, each of 32',
        t.whole('QrMenu, full'),
        t.limit(`${ITEM}.badges`),
        t.limit(`${ITEM}.badges.0`),
      ],
      'size-password': [
        'A password: 6 to 128',
        t.create('a password of 128 characters is stored as a hash and shown nowhere'),
        t.refused('a password of 5'),
        t.refused('a password of 129'),
      ],
      'size-body': [
        'A body: 1 MiB',
        t.sizes('a body of exactly a mebibyte is read, and one of a byte more is not'),
        t.requestBodies('POST of a MiB and a byte is 413, with its length or in chunks'),
      ],
      'size-nesting': [
        'Nesting: 16 levels',
        t.requestBodies('POST of 17 levels is bad JSON'),
        t.requestBodies('PATCH of 10,000 levels is bad JSON'),
        t.sizes('16 levels are read, and 17 are not'),
        t.jsonBody('takes 16 levels and refuses 17, and 100,000, in time'),
      ],
      'hex-digits': [
        'A hex colour has 3, 4, 6 or 8 digits',
        t.taken('Landing: #abc'),
        t.taken('Landing: #ABCD'),
        t.taken('QRTag: #12ab34'),
        t.taken('DigiCard: #12ab34cd'),
        t.limit('landing.themeColor'),
      ],
      'variant-required': [
        'label (1 to 64) and price (0 or more) of a variant must both be there',
        t.limit(`${ITEM}.variants.0.label`),
        t.faultAt(`${ITEM}.variants.0.label`),
        t.faultAt(`${ITEM}.variants.0.price`),
        t.fields('is a fault at its path: each of many, in one answer, with array indexes in their paths'),
      ],
      'digi-card-presets': [
        'preset of digiCardButtons is phone, email, website, location, calendar, social, whatsapp or link, and nothing else',
        t.whole('DigiCard, full'),
        t.limit('digiCardButtons.0.preset'),
      ],
    },
  },
];
