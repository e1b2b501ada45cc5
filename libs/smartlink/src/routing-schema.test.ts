import { expect, test } from 'vitest';
import { createSmartlinkValidator, type SmartlinkDocument } from './document.js';
import { isObject } from './model.js';
import { toParts, urlsOf } from './store.js';

const validator = createSmartlinkValidator({ publicBaseUrl: 'https://sl.example.com' });

const URL = 'https://example.org/a';
const URL_B = 'https://example.org/b';

function documentWith(routing: unknown): object {
  return {
    configuration: { smartlinkName: 'One', smartlinkType: 'Url' },
    shortener: { url: 'https://example.org/' },
    routing,
  };
}

function faultsOf(routing: unknown): string[] {
  const checked = validator.validate(documentWith(routing), { hasStoredPassword: false });
  return checked.ok ? [] : checked.faults.map(({ path, message }) => `${path}: ${message}`);
}

function checked(routing: unknown): SmartlinkDocument {
  const result = validator.validate(documentWith(routing), { hasStoredPassword: false });
  if (!result.ok) throw new Error(JSON.stringify(result.faults));
  return result.value;
}

const storedOf = (routing: unknown) => toParts(checked(routing)).routing;
const faultsWhen = (when: unknown) =>
  faultsOf({ rules: [{ url: URL, when }] }).map((fault) => fault.replace('routing.rules.0.when', 'when'));
const ruleOf = (when: object) => storedOf({ rules: [{ id: 'one', url: URL, when }] })?.rules?.[0]?.when;

test.each<[when: unknown, faults: string[]]>([
  [undefined, ['when: Required']],
  [7, ['when: Must be an object']],
  [{}, ['when: Must have at least one condition']],
  [{ countries: [], from: null }, ['when: Must have at least one condition']],
  [{ cities: ['Baku'], countries: ['az'] }, ['when.cities: Unknown condition']],
  [{ userAgent: 'x' }, ['when.userAgent: Unknown condition']],
  [{ countries: 'DE' }, ['when.countries: Must be an array']],
  [
    { countries: ['DE', 'UK', 'ı', 7] },
    [
      'when.countries.1: Must be an ISO 3166-1 alpha-2 country code',
      'when.countries.2: Must be an ISO 3166-1 alpha-2 country code',
      'when.countries.3: Must be a string',
    ],
  ],
  [{ countries: Array.from({ length: 51 }, () => 'DE') }, ['when.countries: Must have at most 50 elements']],
  [{ languages: ['de-Latn'] }, ['when.languages.0: Must be a language such as de or pt-BR']],
  [
    { devices: ['phone'] },
    ['when.devices.0: Must be one of mobile, tablet, desktop, tv, wearable, console, other'],
  ],
  [{ sources: ['qr'] }, ['when.sources.0: Must be one of click, scan']],
  [
    { referrers: ['a b', '10.0.0.1', 'localhost'] },
    [0, 1, 2].map((i) => `when.referrers.${i}: Must be a host name or direct`),
  ],
  [{ query: [{ value: 'x' }] }, ['when.query.0.name: Required']],
  [{ query: [{ name: '' }] }, ['when.query.0.name: Must not be empty']],
  [{ query: [{ name: 'n'.repeat(65) }] }, ['when.query.0.name: Must be at most 64 characters']],
  [
    { query: [{ name: 'n', value: 'v'.repeat(129) }] },
    ['when.query.0.value: Must be at most 128 characters'],
  ],
  [{ query: [{ name: 'n', vlaue: 'x' }] }, ['when.query.0.vlaue: Unknown condition']],
  [{ from: '2026-01-01' }, ['when.from: Must be an ISO 8601 time with a time zone']],
  [{ from: '2026-01-01T00:00:00Z', until: '2026-01-01T01:00:00+01:00' }, ['when.until: Must be after from']],
  [{ weekly: { days: ['Mon'], from: '18:00', to: '02:00' } }, ['when.weekly.timeZone: Required']],
  [
    { weekly: { timeZone: 'Mars/Olympus', days: [], from: '24:00', to: '9:00' } },
    [
      'when.weekly.timeZone: Must be an IANA time zone',
      'when.weekly.days: Must not be empty',
      'when.weekly.from: Must be a time such as 18:00',
      'when.weekly.to: Must be a time such as 18:00',
    ],
  ],
  [
    { weekly: { timeZone: 'UTC', days: ['Monday'], from: '18:00', to: '02:00' } },
    ['when.weekly.days.0: Must be one of Mon, Tue, Wed, Thu, Fri, Sat, Sun'],
  ],
])('conditions %j have the faults %j', (when, faults) => {
  expect(faultsWhen(when)).toEqual(faults);
});

test('a system or browser that statistics do not name is a fault with the list', () => {
  const [systems = '', browsers = ''] = faultsWhen({ systems: ['ios'], browsers: ['Netscape'] });
  expect(systems).toMatch(/^when\.systems\.0: Must be one of Android, iOS, .*other$/);
  expect(browsers).toMatch(/^when\.browsers\.0: Must be one of Chrome, Safari, .*other$/);
});

const WHEN = { countries: ['AZ'] };

test.each<[routing: unknown, faults: string[]]>([
  [7, ['routing: Must be an object']],
  [{ sticky: 'cookie' }, ['routing.sticky: Must be one of visitor, none']],
  [
    { rules: Array.from({ length: 21 }, () => ({ url: URL, when: WHEN })) },
    ['routing.rules: Must have at most 20 elements'],
  ],
  [{ rules: [{ when: WHEN }] }, ['routing.rules.0: Must have exactly one of url and variants']],
  [{ rules: [{ when: WHEN, variants: [] }] }, ['routing.rules.0: Must have exactly one of url and variants']],
  [
    { rules: [{ url: URL, when: {}, variants: [{ weight: 1 }, { weight: 1, url: URL }] }] },
    [
      'routing.rules.0.when: Must have at least one condition',
      'routing.rules.0: Must have exactly one of url and variants',
    ],
  ],
  [{ rules: [{ url: 'http://10.0.0.1/', when: WHEN }] }, ['routing.rules.0.url: Invalid URL format']],
  [{ rules: [{ url: 'https://sl.example.com/x', when: WHEN }] }, ['routing.rules.0.url: Invalid URL format']],
  [
    { rules: [{ id: 'a b', name: ' ', url: URL, when: WHEN }] },
    [
      'routing.rules.0.id: Must be 1 to 32 latin letters, digits, hyphens and underscores',
      'routing.rules.0.name: Must not be empty',
    ],
  ],
  [{ variants: [{ weight: 1 }] }, ['routing.variants: Must have at least 2 elements']],
  [
    { variants: Array.from({ length: 11 }, () => ({ weight: 1, url: URL })) },
    ['routing.variants: Must have at most 10 elements'],
  ],
  [
    {
      variants: [
        { weight: 0, url: URL },
        { weight: 1.5, url: URL },
        { weight: 1001, url: URL },
        { url: URL },
      ],
    },
    [
      'routing.variants.0.weight: Must be a whole number from 1 to 1000',
      'routing.variants.1.weight: Must be a whole number',
      'routing.variants.2.weight: Must be a whole number from 1 to 1000',
      'routing.variants.3.weight: Required',
    ],
  ],
  [
    { variants: [{ weight: 1 }, { weight: 2 }] },
    ['routing.variants.1.url: Required in all variants but one'],
  ],
  [
    {
      rules: [
        {
          id: 'x',
          when: WHEN,
          variants: [
            { id: 'a', weight: 1 },
            { id: 'x', weight: 1, url: URL },
          ],
        },
      ],
      variants: [
        { id: 'a', weight: 1 },
        { id: 'b', weight: 1, url: URL },
      ],
    },
    [
      'routing.rules.0.variants.1.id: Must be unique in the smartlink',
      'routing.variants.0.id: Must be unique in the smartlink',
    ],
  ],
])('routing %j has the faults %j', (routing, faults) => {
  expect(faultsOf(routing).sort()).toEqual([...faults].sort());
});

test('rules and variants take 16 KiB at most', () => {
  const rulesOf = (length: number) =>
    Array.from({ length: 8 }, (_, i) => ({
      id: `r${i}`,
      url: `https://example.org/${'a'.repeat(length)}`,
      when: WHEN,
    }));
  expect(faultsOf({ rules: rulesOf(2_020) })).toEqual(['routing: Must be at most 16 KiB']);
  expect(faultsOf({ rules: rulesOf(1_900) })).toEqual([]);
});

test('conditions are stored in the form in which visits are compared', () => {
  expect(
    ruleOf({
      countries: ['de', 'xx'],
      languages: ['PT-br', 'De'],
      referrers: ['News.Example.org.', 'bücher.example', 'direct'],
      from: '2026-01-01T02:00:00+02:00',
      weekly: { timeZone: 'asia/baku', days: ['Sun', 'Mon', 'Sun'], from: '18:00', to: '02:00' },
      devices: [],
      until: null,
    }),
  ).toEqual({
    countries: ['DE', 'XX'],
    languages: ['pt-BR', 'de'],
    referrers: ['news.example.org', 'xn--bcher-kva.example', 'direct'],
    from: '2026-01-01T00:00:00.000Z',
    weekly: { timeZone: 'Asia/Baku', days: ['Mon', 'Sun'], from: '18:00', to: '02:00' },
  });
});

test('an id that is left out follows from the rule, and no two are the same', () => {
  const rules = [
    { url: URL, when: WHEN },
    { url: URL, when: WHEN },
    { when: WHEN, variants: [{ weight: 1 }, { weight: 1, url: URL }] },
  ];
  const idsOf = (routing: unknown): string[] => {
    const found: string[] = [];
    JSON.stringify(storedOf(routing), (_name, value: unknown) => {
      if (isObject(value) && typeof value['id'] === 'string') found.push(value['id']);
      return value;
    });
    return found;
  };
  const ids = idsOf({ rules, variants: [{ weight: 3 }, { weight: 1, url: URL }] });
  expect(new Set(ids).size).toBe(7);
  expect(ids.filter((id) => !/^[A-Za-z0-9_-]{8}$/.test(id))).toEqual([]);
  // The weight is no part of it.
  expect(idsOf({ rules, variants: [{ weight: 9 }, { weight: 1, url: URL }] })).toEqual(ids);
  expect(idsOf({ rules: [rules[1], rules[2]], variants: [] })).toEqual([ids[0], ids[2], ids[3], ids[4]]);
  expect(idsOf({ rules: [{ url: URL_B, when: WHEN }] })).not.toEqual([ids[0]]);
});

test('routing without rules and variants is left out, and stored routing that is sent again is unchanged', () => {
  for (const routing of [{}, { rules: [], variants: null, sticky: 'none' }, null, undefined]) {
    expect(storedOf(routing)).toBeNull();
  }
  const routing = storedOf({ rules: [{ url: URL, when: WHEN }], sticky: 'none' });
  expect(storedOf(routing)).toEqual(routing);
});

test('every address of rules and variants is found by its path', () => {
  const parts = toParts(
    checked({
      rules: [
        { url: URL, when: WHEN },
        { when: WHEN, variants: [{ weight: 1 }, { weight: 1, url: URL_B }] },
      ],
      variants: [{ weight: 1, url: URL }, { weight: 1 }],
    }),
  );
  expect(urlsOf(parts).map(({ path }) => path)).toEqual([
    'shortener.url',
    'routing.rules.0.url',
    'routing.rules.1.variants.1.url',
    'routing.variants.0.url',
  ]);
});

test('a mebibyte of unknown conditions is refused at once', () => {
  const when = Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`c${i}`, 0]));
  expect(faultsWhen(when)).toHaveLength(1_000);
});
