import { expect, test } from 'vitest';
import { readForeign, SERVICES } from './services.js';
import { readShlinkRules } from './shlink-rules.js';

const rule = (longUrl: string, priority: number, ...conditions: object[]) => ({
  longUrl,
  priority,
  conditions,
});
const LOST = 'its redirect rules with a condition that has no equivalent are not kept';

test('rules are kept in the order of their priority, with conditions of every kind that rules here have', () => {
  const redirectRules = [
    rule(
      'https://b.example/',
      2,
      { type: 'device', matchKey: null, matchValue: 'ANDROID' },
      { type: 'language', matchKey: null, matchValue: 'pt_BR' },
      { type: 'geolocation-country-code', matchKey: null, matchValue: 'BR' },
      { type: 'after-date', matchKey: null, matchValue: '2026-01-01T00:00:00+02:00' },
      { type: 'before-date', matchKey: null, matchValue: '2026-02-01T00:00:00+00:00' },
      { type: 'query-param', matchKey: 'a', matchValue: 'b' },
    ),
    rule('https://a.example/', 1, { type: 'any-value-query-param', matchKey: 'a', matchValue: '' }),
    rule('https://c.example/', 3, { type: 'valueless-query-param', matchKey: 'a', matchValue: '' }),
  ];
  const record = { shortCode: 'a', longUrl: 'https://example.com/', hasRedirectRules: true, redirectRules };
  expect(readForeign(SERVICES.shlink, record, {})).toMatchObject({
    faults: [],
    losses: [],
    body: {
      routing: {
        rules: [
          { url: 'https://a.example/', when: { query: [{ name: 'a' }] } },
          {
            url: 'https://b.example/',
            when: {
              systems: ['Android', 'Fire OS', 'HarmonyOS'],
              languages: ['pt-BR'],
              countries: ['BR'],
              from: '2025-12-31T22:00:00.000Z',
              until: '2026-02-01T00:00:00.000Z',
              query: [{ name: 'a', value: 'b' }],
            },
          },
          { url: 'https://c.example/', when: { query: [{ name: 'a', value: '' }] } },
        ],
      },
    },
  });
});

test.each([
  [[{ type: 'ip-address', matchKey: null, matchValue: '1.2.3.4' }]],
  [
    [
      { type: 'language', matchValue: 'de' },
      { type: 'geolocation-city-name', matchValue: 'Berlin' },
    ],
  ],
  // Both must be there; of a list one is enough.
  [
    [
      { type: 'any-value-query-param', matchKey: 'a' },
      { type: 'any-value-query-param', matchKey: 'b' },
    ],
  ],
  [[{ type: 'before-date', matchValue: 'soon' }]],
  [[]],
])('a rule with the conditions %j is left out, and the report says so', (conditions) => {
  const kept = rule('https://a.example/', 1, { type: 'device', matchValue: 'ios' });
  const redirectRules = [kept, rule('https://b.example/', 2, ...conditions)];
  expect(readShlinkRules({ redirectRules })).toEqual({
    routing: { rules: [{ url: 'https://a.example/', when: { systems: ['iOS'] } }] },
    losses: [LOST],
  });
});

test('addresses by device of earlier versions are rules, and rules that are not in the file are named', () => {
  const deviceLongUrls = { android: null, ios: 'https://ios.example/', desktop: 'https://desktop.example/' };
  expect(readShlinkRules({ deviceLongUrls, hasRedirectRules: true })).toEqual({
    routing: {
      rules: [
        { url: 'https://ios.example/', when: { systems: ['iOS'] } },
        { url: 'https://desktop.example/', when: { devices: ['desktop'] } },
      ],
    },
    losses: ['its redirect rules are not in the file, and not kept'],
  });
  expect(readShlinkRules({})).toEqual({ routing: undefined, losses: [] });
});
