import { expect, test } from 'vitest';
import type { LinkSnapshot, Routing, RoutingConditions } from '@smartlink/smartlink/document';
import { BROWSERS, DEVICES, SYSTEMS, WEEKDAYS } from '@smartlink/smartlink/model';
import { createRandom } from '@smartlink/test-support/random';
import { trialSize } from '@smartlink/test-support/trial-size';
import { compileLink, type CompiledLink, decide } from './decide.js';
import { chooseRoute, explainRoute, NO_FORMS, type RoutedVisitor } from './rules.js';

const OWN = 'https://example.org/own';

function linkWith(routing: Routing, more: object = {}): CompiledLink {
  const snapshot = {
    ...{
      version: 1,
      smartlinkId: 'one',
      ownerId: 'owner',
      slug: 'docs',
      status: 'Active',
      type: 'Url',
      url: OWN,
    },
    ...{ routing },
    ...more,
  };
  return compileLink(snapshot as LinkSnapshot);
}

function visitorWith(more: Partial<RoutedVisitor> = {}): RoutedVisitor {
  return {
    ...{ country: 'XX', language: '', device: 'mobile', os: 'iOS', browser: 'Safari', source: 'click' },
    ...{ referrerHost: '', query: '', forms: NO_FORMS, timeMs: 0, isBot: false, id: 0n, draw: () => 0 },
    ...more,
  };
}

function routingOf(link: CompiledLink) {
  if (link.routing === null) throw new Error('The link has no rules');
  return link.routing;
}

/** Where a visitor of an unlocked link is led. */
function locationFor(link: CompiledLink, visitor: RoutedVisitor, more: object = {}): string {
  const decision = decide(link, {
    ...{ query: visitor.query, isUnlocked: true, forwardsQuery: false, platform: 'other', mayBeIpad: false },
    ...{ isPreview: false, route: chooseRoute(routingOf(link), visitor), closed: null, reader: 'person' },
    ...more,
  });
  return decision.kind === 'redirect' ? decision.location : decision.kind;
}

// The rules as docs/api.md describes them, read from the document at each visit.

function fitsReference(when: RoutingConditions, visitor: RoutedVisitor): boolean {
  const parameters = visitor.query.split('&').map((part) => {
    const [name = '', ...value] = part.split('=');
    const decode = (text: string) => decodeURIComponent(text.replaceAll('+', ' '));
    return { name: decode(name), value: decode(value.join('=')) };
  });
  const isOf = (list: readonly string[] | undefined, value: string) =>
    list === undefined || list.includes(value);
  return (
    isOf(when.countries, visitor.country) &&
    isOf(when.devices, visitor.device) &&
    isOf(when.systems, visitor.os) &&
    isOf(when.browsers, visitor.browser) &&
    isOf(when.sources, visitor.source) &&
    (when.languages === undefined ||
      when.languages.some((one) => visitor.language === one || visitor.language.startsWith(`${one}-`))) &&
    (when.referrers === undefined ||
      when.referrers.some((host) =>
        host === 'direct'
          ? visitor.referrerHost === ''
          : visitor.referrerHost === host || visitor.referrerHost.endsWith(`.${host}`),
      )) &&
    (when.query === undefined ||
      (visitor.query !== '' &&
        when.query.some((wanted) =>
          parameters.some(
            ({ name, value }) =>
              name === wanted.name && (wanted.value === undefined || wanted.value === value),
          ),
        ))) &&
    (when.from === undefined || new Date(visitor.timeMs) >= new Date(when.from)) &&
    (when.until === undefined || new Date(visitor.timeMs) < new Date(when.until)) &&
    (when.weekly === undefined || isWithinReference(when.weekly, visitor.timeMs))
  );
}

function isWithinReference(weekly: NonNullable<RoutingConditions['weekly']>, timeMs: number): boolean {
  const { day, clock } = localTime(timeMs, weekly.timeZone);
  const before = WEEKDAYS[(WEEKDAYS.findIndex((name) => name === day) + 6) % 7] ?? 'Mon';
  const isOn = (name: string) => (weekly.days as readonly string[]).includes(name);
  if (weekly.to > weekly.from) return isOn(day) && clock >= weekly.from && clock < weekly.to;
  return (isOn(day) && clock >= weekly.from) || (isOn(before) && clock < weekly.to);
}

function localTime(timeMs: number, timeZone: string): { day: string; clock: string } {
  const text = new Date(timeMs).toLocaleString('en-GB', {
    ...{ timeZone, weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  });
  const [, day = '', clock = ''] = /^(\w{3})\D+(\d\d:\d\d)$/.exec(text) ?? [];
  return { day, clock };
}

const ZONES = [
  'UTC',
  'Asia/Baku',
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
];
const LANGUAGES = ['', 'de', 'de-AT', 'pt-BR', 'pt', 'en'];
const HOSTS = ['', 'example.org', 'news.example.org', 'xexample.org', 'org.example'];
const QUERIES = ['', 'a=1', 'a=2&b', 'a=b+c', 'a=b%20c', '%61=1&A=2', 'b=&a'];
const START_MS = Date.UTC(2026, 2, 28);

function createTrials(seed: number) {
  const random = createRandom(seed);
  const one = <Value>(values: readonly Value[]): Value => values[random(values.length)] as Value;
  const some = <Value>(values: readonly Value[]): Value[] =>
    Array.from({ length: 1 + random(2) }, () => one(values));
  const clock = () => `${String(random(24)).padStart(2, '0')}:${one(['00', '30', '59'])}`;
  const time = () => START_MS + random(14 * 24 * 60) * 60_000 + random(2) * 30_000;
  const conditions: readonly (() => RoutingConditions)[] = [
    () => ({ countries: some(['AZ', 'DE', 'XX']) }),
    () => ({ languages: some(LANGUAGES.slice(1)) }),
    () => ({ devices: some(DEVICES.slice(0, 3)) }),
    () => ({ systems: some(SYSTEMS.slice(0, 3)) }),
    () => ({ browsers: some(BROWSERS.slice(0, 3)) }),
    () => ({ sources: [one(['click', 'scan'] as const)] }),
    () => ({ referrers: some(['direct', ...HOSTS.slice(1)]) }),
    () => ({
      query: some([
        { name: 'a' },
        { name: 'a', value: '1' },
        { name: 'a', value: 'b c' },
        { name: 'b', value: '' },
      ]),
    }),
    () => ({ from: new Date(time()).toISOString() }),
    () => ({ until: new Date(time()).toISOString() }),
    () => ({ weekly: { timeZone: one(ZONES), days: some(WEEKDAYS), from: clock(), to: clock() } }),
  ];
  return {
    when: (): RoutingConditions =>
      Object.assign({}, ...some(conditions).map((make) => make())) as RoutingConditions,
    rulesMax: () => 1 + random(5),
    visitor: (): RoutedVisitor =>
      visitorWith({
        ...{
          country: one(['AZ', 'DE', 'XX', 'TR']),
          language: one(LANGUAGES),
          device: one(DEVICES.slice(0, 4)),
        },
        ...{
          os: one(SYSTEMS.slice(0, 4)),
          browser: one(BROWSERS.slice(0, 4)),
          source: one(['click', 'scan']),
        },
        ...{ referrerHost: one(HOSTS), query: one(QUERIES), timeMs: time() },
      }),
  };
}

test('the first rule that fits decides, for random rules and visitors', () => {
  const trials = createTrials(20);
  const led = new Map<string, number>();
  for (let round = 0; round < trialSize(1_000, 50_000); round += 1) {
    const rules = Array.from({ length: trials.rulesMax() }, (_, i) => ({
      ...{ id: `r${i}`, url: `https://example.org/${i}`, when: trials.when() },
    }));
    const link = linkWith({ rules });
    for (let i = 0; i < 4; i += 1) {
      const visitor = trials.visitor();
      const expected = rules.find(({ when }) => fitsReference(when, visitor));
      const found = locationFor(link, { ...visitor });
      expect([found, rules, visitor]).toEqual([expected?.url ?? OWN, rules, visitor]);
      const { rule, passed } = explainRoute(routingOf(link), { ...visitor });
      expect(rule).toBe(expected?.id ?? null);
      const before = rules.slice(0, expected === undefined ? rules.length : rules.indexOf(expected));
      expect(passed.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
      for (const [index, { unfit }] of passed.entries()) {
        const when = before[index]?.when ?? {};
        const names = (Object.keys(when) as (keyof RoutingConditions)[]).filter(
          (name) => !fitsReference({ [name]: when[name] }, visitor),
        );
        expect([...unfit].sort()).toEqual(names.sort());
      }
      led.set(found, (led.get(found) ?? 0) + 1);
    }
  }
  // The trials reach each of the first rules, and the link's own answer.
  expect([...led.values()].filter((count) => count > 20).length).toBeGreaterThan(3);
});

const BERLIN = 'Europe/Berlin';
const nights = { timeZone: BERLIN, days: ['Sat' as const], from: '22:00', to: '03:30' };

test('hours past midnight belong to the day on which they began, by the clocks of the zone', () => {
  const link = linkWith({
    rules: [{ id: 'night', url: 'https://example.org/night', when: { weekly: nights } }],
  });
  const isNight = (time: string) =>
    locationFor(link, visitorWith({ timeMs: Date.parse(time) })) === 'https://example.org/night';
  // The night in which clocks go from 02:00 to 03:00.
  expect(isNight('2026-03-28T20:59:59Z')).toBe(false);
  expect(isNight('2026-03-28T21:00:00Z')).toBe(true);
  expect(isNight('2026-03-29T01:29:59Z')).toBe(true);
  expect(isNight('2026-03-29T01:30:00Z')).toBe(false);
  // The night in which they go back, from 03:00 to 02:00.
  expect(isNight('2026-10-24T19:59:59Z')).toBe(false);
  expect(isNight('2026-10-24T20:00:00Z')).toBe(true);
  expect(isNight('2026-10-25T02:29:59Z')).toBe(true);
  expect(isNight('2026-10-25T02:30:00Z')).toBe(false);
  // The early hours of Saturday are Friday's.
  expect(isNight('2026-03-28T01:00:00Z')).toBe(false);
});

test('hours from a time to itself are a whole day', () => {
  const weekly = { timeZone: 'UTC', days: ['Mon' as const], from: '06:00', to: '06:00' };
  const link = linkWith({ rules: [{ id: 'day', url: 'https://example.org/day', when: { weekly } }] });
  const led = [
    '2026-11-23T05:59:59Z',
    '2026-11-23T06:00:00Z',
    '2026-11-24T05:59:59Z',
    '2026-11-24T06:00:00Z',
  ].map((time) => locationFor(link, visitorWith({ timeMs: Date.parse(time) })) === 'https://example.org/day');
  expect(led).toEqual([false, true, true, false]);
});

const A = 'https://example.org/a';
const B = 'https://example.org/b';
const SPLIT = [
  { id: 'a', weight: 80, url: A },
  { id: 'b', weight: 20, url: B },
];

// Ids of visitors are cuts of hashes.
function visitorIds(count: number): bigint[] {
  const random = createRandom(7);
  const part = () => BigInt(random(2 ** 31));
  return Array.from({ length: count }, () => (part() << 33n) ^ (part() << 15n) ^ part() || 1n);
}

test('a visitor gets the same variant, visitors are split by weight, and independently by each link', () => {
  const [one, other] = [
    linkWith({ variants: SPLIT }),
    linkWith({ variants: SPLIT }, { smartlinkId: 'other' }),
  ];
  const counts = { a: 0, both: 0 };
  const ids = visitorIds(10_000);
  for (const id of ids) {
    const found = locationFor(one, visitorWith({ id, draw: () => 0.99 }));
    expect(locationFor(one, visitorWith({ id, draw: () => 0 }))).toBe(found);
    const there = locationFor(other, visitorWith({ id }));
    if (found === A) counts.a += 1;
    if (found === A && there === A) counts.both += 1;
  }
  // Four standard deviations of 10,000 draws are 160.
  expect(Math.abs(counts.a - 8_000)).toBeLessThan(160);
  expect(Math.abs(counts.both - 6_400)).toBeLessThan(200);
});

test('each visit draws if the visitor is not recognised, or the owner wants it', () => {
  for (const [sticky, id] of [
    ['visitor', 0n],
    ['none', 5n],
  ] as const) {
    const link = linkWith({ variants: SPLIT, sticky });
    const drawn = [0, 0.79, 0.8, 0.999].map((number) =>
      locationFor(link, visitorWith({ id, draw: () => number })),
    );
    expect(drawn).toEqual([A, A, B, B]);
  }
});

test('a bot gets the first variant, and is led by the same rules', () => {
  const link = linkWith({
    rules: [
      {
        id: 'az',
        when: { countries: ['AZ'] },
        variants: [
          { id: 'c', weight: 1 },
          { id: 'd', weight: 999, url: B },
        ],
      },
    ],
    variants: SPLIT,
  });
  const bot = visitorWith({ isBot: true, id: 9n, draw: () => 0.999 });
  expect(locationFor(link, bot)).toBe(A);
  expect(locationFor(link, { ...bot, country: 'AZ' })).toBe(OWN);
  expect(chooseRoute(routingOf(link), { ...bot, country: 'AZ' })).toEqual({
    rule: 'az',
    variant: 'c',
    redirect: null,
  });
});

test('rules come behind the tags for previews and the password, and before stores and pages', () => {
  const routing = { rules: [{ id: 'all', url: A, when: { sources: ['click' as const] } }] };
  const locked = linkWith(routing, { password: { hash: 'x', version: 1 } });
  expect(locationFor(locked, visitorWith(), { isUnlocked: false })).toBe('locked');
  expect(locationFor(locked, visitorWith())).toBe(A);
  const shared = linkWith(routing, { openGraph: { title: 'One' } });
  expect(locationFor(shared, visitorWith(), { isPreview: true })).toBe('share');
  expect(locationFor(shared, visitorWith())).toBe(A);
  const app = linkWith(routing, { type: 'App', storeLinks: { macOsAppLink: B } });
  expect(locationFor(app, visitorWith(), { platform: 'mac', mayBeIpad: true })).toBe(A);
  expect(locationFor(app, visitorWith({ source: 'scan' }), { platform: 'mac' })).toBe(B);
  const page = linkWith(routing, { type: 'TxtBin', page: { txtBin: { text: 'x' } } });
  expect(locationFor(page, visitorWith())).toBe(A);
  expect(locationFor(page, visitorWith({ source: 'scan' }))).toBe('page');
  for (const status of ['Paused', 'Deleted']) expect(linkWith(routing, { status }).routing).toBeNull();
});

const fitting = (query: object[], count = 1): ((visitorQuery: string) => boolean) => {
  const rules = Array.from({ length: count }, (_, i) => ({ id: `r${i}`, url: A, when: { query } }));
  const routing = routingOf(linkWith({ rules } as Routing));
  return (visitorQuery) => chooseRoute(routing, visitorWith({ query: visitorQuery })) !== null;
};

test('a repeated parameter fits by each of its values', () => {
  const fits = fitting(['2', ''].map((value) => ({ name: value === '' ? 'e' : 'a', value })));
  expect(['a=1&a=2&a=3', 'e', 'e=1&e', 'a=1', 'a', 'E', ''].map(fits)).toEqual([
    ...[true, true, true],
    ...[false, false, false, false],
  ]);
});

test('a thousand conditions on parameters cost a long query little more than one', () => {
  const conditions = Array.from({ length: 50 }, (_, i) => ({ name: `b${i}` }));
  // The shortest of several times: other programs only make it longer.
  const [one = 0, thousand] = [fitting(conditions.slice(0, 1)), fitting(conditions, 20)].map((fits) =>
    Math.min(
      ...Array.from({ length: 8 }, () => {
        const began = performance.now();
        fits('a&'.repeat(5_500));
        return performance.now() - began;
      }),
    ),
  );
  // Compared one by one, 25 times as much.
  expect(thousand).toBeLessThan(6 * one);
});

test('targets of rules and variants get the campaign parameters of a Url link, and the visitor’s own', () => {
  const utm = { source: 'mail', campaign: 'spring' };
  const link = linkWith(
    {
      rules: [{ id: 'az', url: `${A}?utm_source=x&k=1#part`, when: { countries: ['AZ'] } }],
      variants: [
        { id: 'v', weight: 1, url: B },
        { id: 'own', weight: 1 },
      ],
    },
    { utm },
  );
  const visitor = visitorWith({ country: 'AZ', query: 'utm_campaign=mine&qr=1' });
  expect(locationFor(link, visitor, { forwardsQuery: true })).toBe(
    `${A}?k=1&utm_source=mail&utm_campaign=mine#part`,
  );
  expect(locationFor(link, visitor)).toBe(`${A}?k=1&utm_source=mail&utm_campaign=spring#part`);
  expect(locationFor(link, visitorWith())).toBe(`${B}?utm_source=mail&utm_campaign=spring`);
  expect(locationFor(link, visitorWith({ draw: () => 0.5 }))).toBe(
    `${OWN}?utm_source=mail&utm_campaign=spring`,
  );
});

test('an address or a time zone that this build cannot serve makes the link unsupported', () => {
  const weekly = { timeZone: 'Mars/Olympus', days: ['Mon' as const], from: '00:00', to: '00:00' };
  expect(linkWith({ rules: [{ id: 'x', url: A, when: { weekly } }] }).plain.kind).toBe('unsupported');
  expect(linkWith({ variants: [{ id: 'x', weight: 1, url: 'ftp://a.b/' }] }).plain.kind).toBe('unsupported');
});

test('a link without rules is compiled as before', () => {
  expect(
    compileLink({
      ...{ version: 1, smartlinkId: 'one', ownerId: 'o', slug: 's' },
      status: 'Active',
      type: 'Url',
      url: OWN,
    }),
  ).toMatchObject({
    ...{ routing: null, isConditional: false },
  });
});
