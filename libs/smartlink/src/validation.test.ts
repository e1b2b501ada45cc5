import { expect, test } from 'vitest';
import { APPEARANCE_TYPES, PAGE_OBJECTS, REDIRECT_TYPES } from './model.js';
import { documentSchemas } from './type-schemas.js';
import { createSmartlinkValidator, sharingFaults } from './validation.js';

const validator = createSmartlinkValidator({ publicBaseUrl: 'https://sl.example.com' });
const validate = (document: unknown, hasStoredPassword = false) =>
  validator.validate(document, { hasStoredPassword });
const PROTECTED = { protected: true, password: 'correct horse' };
const url = (shortener: object = {}, configuration: object = {}) => ({
  configuration: { smartlinkName: 'Docs', smartlinkType: 'Url', ...configuration },
  shortener: { url: 'https://example.org/', ...shortener },
});
const faults = (document: unknown, hasStoredPassword = false) => {
  const result = validate(document, hasStoredPassword);
  return result.ok ? [] : result.faults.map((fault) => `${fault.path}: ${fault.message}`);
};

test('fills in defaults, drops unknown members at every depth and leaves unset ones out', () => {
  const result = validate({
    ...url({ x: 1 }),
    landing: { title: 5 },
    y: {},
    openGraph: { title: null, z: 1 },
  });
  expect(result.ok && JSON.parse(JSON.stringify(result.value))).toEqual({
    configuration: { smartlinkName: 'Docs', smartlinkType: 'Url' },
    openGraph: {},
    shortener: { url: 'https://example.org/', protected: false },
  });
});

test('lists every fault at once with dotted paths', () => {
  const document = {
    configuration: { smartlinkName: ' ', smartlinkUrl: 'a-b', smartlinkType: 'Url' },
    openGraph: { imageUrl: 'javascript:1' },
    shortener: { url: 'nope', protected: true },
  };
  expect(faults(document)).toEqual([
    'configuration.smartlinkName: Must not be empty',
    'configuration.smartlinkUrl: Smartlink URL can only contain latin characters and numbers',
    'openGraph.imageUrl: Invalid URL format',
    'shortener.url: Invalid URL format',
    'shortener.password: Required when protected is true',
  ]);
});

test('names a missing required object once, at its own path', () => {
  expect(faults({ configuration: { smartlinkName: 'a', smartlinkType: 'Url' } })).toEqual([
    'shortener: Required',
  ]);
  expect(faults({})).toEqual(['configuration: Required, with smartlinkName and smartlinkType']);
});

const TYPE = 'Must be one of App, Url, Landing, QRTag, DigiCard, TxtBin, QrMenu';

test.each(['url', undefined, 5, null])(
  'beside type %j names the faults of the objects that are there',
  (type) => {
    expect(faults(url({ url: 'example.org', protected: true }, { smartlinkType: type }))).toEqual([
      `configuration.smartlinkType: ${TYPE}`,
      'shortener.url: Invalid URL format',
      'shortener.password: Required when protected is true',
    ]);
  },
);

test('without a configuration names the faults of the objects that are there, and requires none', () => {
  expect(faults({ landing: { theme: 'x' }, qrTag: null, landingButtons: [{}], txtBin: {}, url: 5 })).toEqual([
    'configuration: Required, with smartlinkName and smartlinkType',
    'landing.theme: Must be one of Light, Dark, Auto',
    'landingButtons.0.title: Required',
    'landingButtons.0.link: Required',
    'txtBin.text: Required',
  ]);
  const stores = { smartlinkName: 'a', smartlinkType: 'app', appStoreLink: 'x' };
  expect(faults({ configuration: stores })).toEqual([
    `configuration.smartlinkType: ${TYPE}`,
    'configuration.appStoreLink: Invalid URL format',
  ]);
});

test.each([
  ['64 emoji are 64 characters', '😀'.repeat(64), true],
  ['65 characters', 'a'.repeat(65), false],
  ['a line break', 'a\nb', false],
  ['zero-width only', '\u200b\u200d', false],
  ['a lone surrogate', 'a\ud800', false],
  ['right-to-left override among letters', 'a\u202eb', true],
])('smartlinkName: %s', (_title, smartlinkName, accepted) => {
  expect(faults(url({}, { smartlinkName })).length === 0).toBe(accepted);
});

test.each([
  ['a'.repeat(64), true],
  ['a'.repeat(65), false],
  ['', false],
  ['ä', false],
  ['ſ', false],
  ['İ', false],
  ['%61', false],
  ['abc ', false],
  ['Dashboard', false],
  ['TOS', false],
])('smartlinkUrl %j accepted: %s', (smartlinkUrl, accepted) => {
  expect(faults(url({}, { smartlinkUrl }))).toHaveLength(accepted ? 0 : 1);
});

test('takes a protected link without password only when a hash is stored', () => {
  expect(faults(url({ protected: true }))).toEqual(['shortener.password: Required when protected is true']);
  expect(faults(url({ protected: true }), true)).toEqual([]);
  expect(faults(url({ protected: true, password: '12345' }))).toEqual([
    'shortener.password: Must be at least 6 characters',
  ]);
  expect(faults(url({ protected: true, password: 'x'.repeat(129) }))).toHaveLength(1);
  expect(faults(url({ protected: true, password: '123456' }))).toEqual([]);
});

test('an address that was stored under earlier rules stays, and only there', () => {
  const storedUrls = new Set(['http://intranet.lan/']);
  const stored = (address: string) =>
    validator.validate(url({ url: address }), { hasStoredPassword: false, storedUrls }).ok;
  expect(stored('http://intranet.lan/')).toBe(true);
  expect(stored('http://intranet.lan/other')).toBe(false);
  expect(faults(url({ url: 'http://intranet.lan/' }))).toEqual(['shortener.url: Invalid URL format']);
});

test('pages and previews may lead to this instance, redirects may not', () => {
  const own = 'https://sl.example.com/menu';
  const named = (smartlinkType: string, configuration: object = {}) => ({
    configuration: { smartlinkName: 'a', smartlinkType, ...configuration },
    openGraph: { imageUrl: own },
  });
  const items = [{ name: 'Tea', price: 1, imageLink: own }];
  const pages = [
    {
      ...named('Landing'),
      landing: { logoLink: own },
      landingButtons: [{ title: 'a', link: own, iconUrl: own }],
    },
    { ...named('QRTag'), qrTag: { logoLink: own }, qrTagButtons: [{ title: 'a', link: own }] },
    { ...named('DigiCard'), digiCard: { bgLink: own }, digiCardButtons: [{ title: 'a', link: own }] },
    { ...named('QrMenu'), qrMenu: { coverLink: own, categories: [{ name: 'a', items }] } },
  ];
  expect(pages.map((page) => faults(page))).toEqual([[], [], [], []]);
  expect(faults({ ...named('Url'), shortener: { url: own } })).toEqual(['shortener.url: Invalid URL format']);
  expect(faults(named('App', { appStoreLink: own, fallBackLink: own }))).toEqual([
    'configuration.appStoreLink: Invalid URL format',
    'configuration.fallBackLink: Invalid URL format',
  ]);
});

test('names a wrong `protected` once, and no password that it would ask for', () => {
  expect(faults(url({ protected: 'yes' }))).toEqual(['shortener.protected: Must be true or false']);
  expect(faults(url({ url: 'nope', protected: true, password: null }))).toEqual([
    'shortener.url: Invalid URL format',
    'shortener.password: Required when protected is true',
  ]);
});

const pageOf = (smartlinkType: keyof typeof PAGE_OBJECTS, more: object = {}, members: object = {}) => ({
  configuration: { smartlinkName: 'Page', smartlinkType },
  [PAGE_OBJECTS[smartlinkType]]: { text: 'x', ...members },
  ...more,
});

test('the types with an appearance are those whose schemas have one', () => {
  const schemas = documentSchemas({ publicBaseUrl: 'https://sl.example.com', passwordRequired: true });
  const types = Object.entries(schemas).filter(([, { shape }]) => 'appearance' in shape);
  expect(new Set(types.map(([type]) => type))).toEqual(APPEARANCE_TYPES);
});

test('the types with redirect options are those whose schemas have them', () => {
  const schemas = documentSchemas({ publicBaseUrl: 'https://sl.example.com', passwordRequired: true });
  const types = Object.entries(schemas).filter(([, { shape }]) => 'redirect' in shape);
  expect(new Set(types.map(([type]) => type))).toEqual(REDIRECT_TYPES);
});

const STATUS_FAULT = 'redirect.status: Must be 302 or 307 for this smartlink';
const CACHE_FAULT = 'redirect.cacheSeconds: Must be 0 for this smartlink';
const NO_STATUS = 'redirect.status: Must be one of 301, 302, 307, 308';
const NO_SECONDS = 'redirect.cacheSeconds: Must be a whole number from 0 to 31536000';

test.each<[redirect: unknown, shortener: object, faults: readonly string[]]>([
  [{ status: 301, cacheSeconds: 31_536_000, forwardQuery: false }, {}, []],
  [{ status: null, cacheSeconds: null, forwardQuery: null }, {}, []],
  [null, {}, []],
  [{ status: 302, cacheSeconds: 0 }, PROTECTED, []],
  [{ status: 307 }, PROTECTED, []],
  [{ status: 301, cacheSeconds: 1 }, PROTECTED, [STATUS_FAULT, CACHE_FAULT]],
  [{ status: 308 }, { ...PROTECTED, url: 'x' }, ['shortener.url: Invalid URL format', STATUS_FAULT]],
  [{ status: 303, cacheSeconds: 31_536_001 }, PROTECTED, [NO_STATUS, NO_SECONDS]],
  [{ status: '301', cacheSeconds: -1 }, {}, [NO_STATUS, NO_SECONDS]],
  [{ cacheSeconds: 0.5, forwardQuery: 1 }, {}, [NO_SECONDS, 'redirect.forwardQuery: Must be true or false']],
  [{ cacheSeconds: '1' }, {}, ['redirect.cacheSeconds: Must be a number']],
  [301, {}, ['redirect: Must be an object']],
])('redirect %j beside %j has the faults %j', (redirect, shortener, expected) => {
  expect(faults({ ...url(shortener), redirect })).toEqual(expected);
});

test('a smartlink with rules or variants has no lasting redirects', () => {
  const redirect = { status: 301, cacheSeconds: 1 };
  const rules = [{ when: { countries: ['DE'] }, url: 'https://example.org/de' }];
  const variants = [{ weight: 1 }, { weight: 1, url: 'https://example.org/b' }];
  for (const routing of [{ rules }, { variants }]) {
    expect(faults({ ...url(), redirect, routing })).toEqual([STATUS_FAULT, CACHE_FAULT]);
  }
  expect(faults({ ...url(), redirect, routing: { rules: [], variants: [] } })).toEqual([]);
});

test('a smartlink that is not always available has no lasting redirects', () => {
  const redirect = { status: 301, cacheSeconds: 1 };
  const members = [
    { startsAt: '2030-01-01T00:00:00Z' },
    { expiresAt: '2030-01-01T00:00:00Z' },
    { maxVisits: 1 },
  ];
  for (const availability of members) {
    expect(faults({ ...url(), redirect, availability })).toEqual([STATUS_FAULT, CACHE_FAULT]);
  }
  for (const availability of [null, {}, { maxVisits: null }]) {
    expect(faults({ ...url(), redirect, availability })).toEqual([]);
  }
});

const NOT_TIME = 'Must be an ISO 8601 time with a time zone';
const NOT_LIMIT = 'availability.maxVisits: Must be a whole number from 1 to 1000000000';
const [EARLY, LATE] = ['2030-01-01T00:00:00Z', '2030-01-01T04:00:00.001+04:00'];

test.each<[availability: unknown, faults: readonly string[]]>([
  [{ startsAt: EARLY, expiresAt: LATE, maxVisits: 1, expiredUrl: 'https://example.org/over' }, []],
  [{ expiresAt: '2000-01-01T00:00:00Z', maxVisits: 1_000_000_000 }, []],
  [{ startsAt: null, expiresAt: null, maxVisits: null, expiredUrl: null }, []],
  [{ startsAt: LATE, expiresAt: EARLY }, ['availability.expiresAt: Must be after startsAt']],
  [{ startsAt: EARLY, expiresAt: EARLY }, ['availability.expiresAt: Must be after startsAt']],
  [
    { startsAt: '2030-01-01', expiresAt: '1999-12-31T23:59:59Z' },
    [`availability.startsAt: ${NOT_TIME}`, `availability.expiresAt: ${NOT_TIME}`],
  ],
  [
    { startsAt: LATE, expiresAt: EARLY, maxVisits: 0 },
    [NOT_LIMIT, 'availability.expiresAt: Must be after startsAt'],
  ],
  [{ maxVisits: 1_000_000_001 }, [NOT_LIMIT]],
  [{ maxVisits: 1.5 }, [NOT_LIMIT]],
  [{ maxVisits: '1' }, ['availability.maxVisits: Must be a number']],
  [{ expiredUrl: 'http://127.0.0.1/' }, ['availability.expiredUrl: Invalid URL format']],
  [{ expiredUrl: 'https://sl.example.com/over' }, ['availability.expiredUrl: Invalid URL format']],
  [[], ['availability: Must be an object']],
])('availability %j has the faults %j', (availability, expected) => {
  expect(faults({ ...url(), availability })).toEqual(expected);
});

test('an App has no lasting redirects', () => {
  const configuration = { smartlinkName: 'App', smartlinkType: 'App' };
  expect(faults({ configuration, redirect: { status: 307, cacheSeconds: 0, forwardQuery: true } })).toEqual(
    [],
  );
  expect(faults({ configuration, redirect: { status: 308, cacheSeconds: 5 } })).toEqual([
    STATUS_FAULT,
    CACHE_FAULT,
  ]);
});

test.each(['Landing', 'QRTag', 'DigiCard', 'QrMenu'] as const)(
  '%s takes each appearance, and no other',
  (type) => {
    for (const [member, values] of Object.entries({
      buttonStyle: ['filled', 'outline', 'soft'],
      buttonShape: ['rounded', 'pill', 'square'],
      background: ['plain', 'tint', 'gradient'],
    })) {
      for (const value of [...values, null, undefined])
        expect(faults(pageOf(type, { appearance: { [member]: value } }))).toEqual([]);
      for (const value of ['Filled', '', 1, {}, 'constructor'])
        expect(faults(pageOf(type, { appearance: { [member]: value } }))).toEqual([
          `appearance.${member}: Must be one of ${values.join(', ')}`,
        ]);
    }
    for (const appearance of [undefined, null, {}, { color: 'red' }])
      expect(faults(pageOf(type, { appearance }))).toEqual([]);
    for (const appearance of ['soft', [], 1])
      expect(faults(pageOf(type, { appearance }))).toEqual(['appearance: Must be an object']);
  },
);

test('other types ignore an appearance', () => {
  expect(faults({ ...url(), appearance: 5 })).toEqual([]);
  expect(faults(pageOf('TxtBin', { appearance: 5 }))).toEqual([]);
});

test.each([
  ['', []],
  ['😀'.repeat(200), []],
  [null, []],
  ['😀'.repeat(201), ['qrMenu.footnote: Must be at most 200 characters']],
  ['a\nb', ['qrMenu.footnote: Must not contain line breaks or control characters']],
  ['a\ud800', ['qrMenu.footnote: Must be well-formed Unicode']],
  [5, ['qrMenu.footnote: Must be a string']],
])('a footnote of a menu: %j', (footnote, expected) => {
  expect(faults(pageOf('QrMenu', {}, { footnote }))).toEqual(expected);
});

test.each(['toString', 'constructor', '__proto__', 'app', 'Nonsense'])(
  '%s is no type that can be made',
  (type) => {
    expect(faults(url({}, { smartlinkType: type }))[0]).toMatch(/^configuration.smartlinkType: /);
  },
);

/** A menu of 50,000 wrong items, and how many of them were looked at. */
function wrongMenu(smartlinkType = 'QrMenu') {
  const looks = { count: 0 };
  const item = {
    get name() {
      looks.count += 1;
      return '';
    },
    price: 1,
  };
  const items = Array.from({ length: 500 }, () => item);
  const categories = Array.from({ length: 100 }, () => ({ name: 'All', items }));
  return { menu: { configuration: { smartlinkName: 'Menu', smartlinkType }, qrMenu: { categories } }, looks };
}

test.each(['QrMenu', 'menu'])('checking a %s of wrong items stops after 1,000 faults', (type) => {
  const { menu, looks } = wrongMenu(type);
  const found = faults(menu);
  expect(found).toHaveLength(1_000);
  expect(found.at(-1)).toMatch(/^qrMenu\.categories\.1\.items\.49[89]\.name: Must not be empty$/);
  expect(looks.count).toBeLessThan(5_000);
  // The next document is counted from the start.
  expect(faults(menu)).toEqual(found);
});

test('a hundred documents of one request share 1,000 faults, and each has one', () => {
  const { menu, looks } = wrongMenu();
  const shared = sharingFaults(validator);
  const counts = Array.from({ length: 100 }, () => {
    const checked = shared.validate(menu, { hasStoredPassword: false });
    return checked.ok ? 0 : checked.faults.length;
  });
  expect([counts[0], new Set(counts.slice(1))]).toEqual([1_000, new Set([1])]);
  expect(looks.count).toBeLessThan(5_000);
});
