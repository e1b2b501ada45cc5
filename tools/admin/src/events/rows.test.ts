import { expect, test } from 'vitest';
import { parseEventLine } from './rows.js';

const EVENT = {
  ts: '2026-03-10 12:00:00.000',
  event_id: '01960000-0000-7000-8000-000000000001',
  owner_id: '01960000-0000-7000-8000-000000000002',
  smartlink_id: '01960000-0000-7000-8000-000000000003',
  slug: 'Docs7',
  domain: 'go.example.com',
  source: 'click',
  outcome: 'target',
  exclusion: '',
  country: 'AZ',
  device: 'mobile',
  os: 'iOS',
  browser: 'Samsung Internet',
  language: 'en-US',
  referrer_host: 'news.example.org',
  utm_source: 'größe 😀',
  utm_medium: '',
  utm_campaign: '',
  utm_term: '',
  utm_content: '',
  rule: 'de-phones',
  variant: 'a',
  button: '',
  visitor_id: '18446744073709551615',
};

test('accepts exported rows', () => {
  expect(parseEventLine(JSON.stringify(EVENT))).toEqual(EVENT);
  const press = { outcome: 'excluded', exclusion: 'press', button: 'store:appStoreLink' };
  for (const change of [{ language: '', referrer_host: '' }, { referrer_host: '[2001:db8::1]' }, press]) {
    expect(parseEventLine(JSON.stringify({ ...EVENT, ...change }))).toEqual({ ...EVENT, ...change });
  }
  const { domain: _domain, rule: _rule, variant: _variant, button: _button, ...older } = EVENT;
  const empty = { domain: '', rule: '', variant: '', button: '' };
  expect(parseEventLine(JSON.stringify(older))).toEqual({ ...older, ...empty });
});

test.each([
  ['owner_id', 'nobody'],
  ['source', 'mail'],
  ['exclusion', 'bot'],
  ['utm_term', 'ü'.repeat(128)],
  ['utm_source', '\ud800'],
  ['utm_term', 'a\u0000b'],
  ['utm_term', '\u001b[31m'],
  ['ts', '2149-01-01 00:00:00.000'],
  ['ts', '2026-02-30 00:00:00.000'],
  ['country', ''],
  ['country', '=A'],
  ['country', 'az'],
  ['device', 'toaster'],
  ['browser', '\u001b[31mChrome'],
  ['os', '=cmd|calc'],
  ['language', 'en us'],
  ['referrer_host', 'other'],
  ['referrer_host', 'a,"b;\r\n=1'],
  ['domain', 'go'],
  ['rule', 'a b'],
  ['button', '=1'],
  ['button', 'button:1'],
  ['slug', ''],
  ['slug', 'x\u0000y'],
  ['visitor_id', '18446744073709551616'],
])('refuses %s %j, which no visit has', (name, value) => {
  const line = JSON.stringify({ ...EVENT, [name]: value });
  expect(parseEventLine(line)).toEqual({
    reason: expect.stringMatching(new RegExp(`^${name}: `)) as string,
  });
});
