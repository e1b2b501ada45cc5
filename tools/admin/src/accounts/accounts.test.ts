import { randomInt, randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { generateApiKey } from '@smartlink/smartlink/credentials';
import { describeActor, describeChange } from './audit.js';
import { hideKey, hideKeys } from './find-user.js';
import { readLimits } from './plans.js';

test.each([
  ['admin', null, 'admin'],
  ['key 0198', null, 'key 0198'],
  ['key 0198', { name: 'laptop', displayPrefix: 'slk_live_Ab12Cd34' }, 'key slk_live_Ab12Cd34… laptop'],
])('actor %s with the key %j is shown by the best name', (actor, key, text) => {
  expect(describeActor({ actor, key })).toBe(text);
});

test.each([
  ['0198', { changed: ['shortener.url', 'openGraph'] }, 'smartlink 0198, shortener.url, openGraph'],
  [
    '0198',
    { details: [{ path: 'shortener.url', message: 'URL was judged unsafe' }] },
    'smartlink 0198, shortener.url: URL was judged unsafe',
  ],
  ['0198', {}, 'smartlink 0198'],
  [null, {}, '-'],
  [null, { plan: 'Starter' }, 'plan Starter'],
  [null, { from: 'Starter', to: 'Enterprise' }, 'Starter → Enterprise'],
  [
    null,
    { plan: 'A', from: { smartlinks: 3 }, to: { smartlinks: 'unlimited' } },
    'plan A, smartlinks 3 → unlimited',
  ],
  [null, { name: 'x', limits: { smartlinks: 3, advanced: true } }, 'name x, smartlinks 3, advanced true'],
  [
    null,
    { keyId: '0198', displayPrefix: 'slk_live_Ab12Cd34', name: 'ci' },
    'key slk_live_Ab12Cd34…, name ci',
  ],
  [
    '0198',
    { days: 'all days up to 2026-01-31', events: 3 },
    'smartlink 0198, all days up to 2026-01-31, events 3',
  ],
  [null, { reason: { list: 'local' } }, 'reason list local'],
])('what changed on %s as %j reads as a line', (smartlinkId, details, text) => {
  expect(describeChange({ smartlinkId, details })).toBe(text);
});

test.each([
  [{ smartlinks: '1e3' }, '--smartlinks "1e3": expected a whole number from 0 to 1000000000, or unlimited.'],
  [{ smartlinks: '9999999999' }, '--smartlinks "9999999999": expected a whole number from 0 to '],
  [{ requestsPerMinute: '0' }, '--requests-per-minute "0": expected a whole number from 1 to 1000000.'],
  [{ requestsPerMinute: 'unlimited' }, '--requests-per-minute "unlimited": expected a whole number'],
])('the limits %j of a plan are refused', (options, message) => {
  expect(() => readLimits(options)).toThrow(message);
});

const KEY = generateApiKey(randomInt);
const SHOWN = KEY.slice(0, 17);

test('a key with any one character mistyped, left out or doubled is hidden but for 8 characters of it', () => {
  for (let i = 0; i < KEY.length; i += 1) {
    for (const typed of ['', '-', ' ', 'x', `${KEY[i]}${KEY[i]}`]) {
      const shown = hideKey(KEY.slice(0, i) + typed + KEY.slice(i + 1));
      expect(shown).toMatch(/^.{1,17}…$/);
      expect(KEY.slice(17)).not.toContain(shown.slice(-5, -1));
    }
  }
});

test.each([
  ['a whole key', KEY, `${SHOWN}…`],
  ['half a key', KEY.slice(0, 30), `${SHOWN}…`],
  ['a key without its beginning', KEY.slice(9), `${KEY.slice(9, 17)}…`],
  ['a key behind a word', `Bearer ${KEY}`, 'Bearer s…'],
  ['a display prefix', SHOWN, SHOWN],
  ['a word', 'laptop', 'laptop'],
])('%s is repeated as far as lists show it', (_, name, shown) => {
  expect(hideKey(name)).toBe(shown);
});

test('an id is repeated unchanged', () => {
  const id = randomUUID();
  expect(hideKey(id)).toBe(id);
});

test('keys are shortened anywhere in a line, and nothing else is', () => {
  expect(hideKeys(`error: unknown command '${KEY}', not "${KEY}x" or ${SHOWN}: see keys list.\n`)).toBe(
    `error: unknown command '${SHOWN}…', not "${SHOWN}…" or ${SHOWN}: see keys list.\n`,
  );
  expect(hideKeys(`without its beginning: ${KEY.slice(9)}`)).toBe(
    `without its beginning: ${KEY.slice(9, 17)}…`,
  );
});
