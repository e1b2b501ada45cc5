import { expect, test } from 'vitest';
import { describeActor, describeChange } from './audit-text.js';

test.each([
  ['admin', null, null, 'admin'],
  ['key 0198', null, null, 'key 0198'],
  ['key 0198', 'laptop', 'slk_live_Ab12Cd34', 'key slk_live_Ab12Cd34… laptop'],
])('actor %s with the key %s reads as somebody', (actor, name, displayPrefix, text) => {
  expect(describeActor({ actor, key_name: name, key_display_prefix: displayPrefix })).toBe(text);
});

test.each([
  ['0198', { changed: ['shortener.url', 'openGraph'] }, 'smartlink 0198, shortener.url, openGraph'],
  [
    '0198',
    { details: [{ path: 'shortener.url', message: 'URL was judged unsafe' }] },
    'smartlink 0198, shortener.url: URL was judged unsafe',
  ],
  ['0198', null, 'smartlink 0198'],
  [null, null, '-'],
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
  expect(describeChange({ smartlink_id: smartlinkId, details })).toBe(text);
});
