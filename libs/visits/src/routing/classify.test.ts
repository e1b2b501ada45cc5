import { expect, test } from 'vitest';
import {
  applyPlatformHint,
  classifyAgent,
  isPrefetch,
  readCampaign,
  readLanguage,
  readReferrerHost,
  refusesRecognition,
  type VisitHeaders,
} from './classify.js';

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Mobile/15E148 Safari/604.1';
const headers = (given: Partial<VisitHeaders>): VisitHeaders => ({
  userAgent: '',
  secChUaPlatform: '',
  acceptLanguage: '',
  referer: '',
  secPurpose: '',
  purpose: '',
  xMoz: '',
  secGpc: '',
  dnt: '',
  ...given,
});

const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';
const DESKTOP_MODE = `Mozilla/5.0 (X11; Linux x86_64) ${CHROME}`;
const MAC_SAFARI =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15';

test.each([
  ['an Android phone in desktop mode', DESKTOP_MODE, '"Android"', 'android', false],
  ['a Linux desktop', DESKTOP_MODE, '"Linux"', 'other', false],
  ['a Chromebook', DESKTOP_MODE, '"Chrome OS"', 'other', false],
  ['a Fire tablet', `Mozilla/5.0 (Linux; Android 11; KFTRWI) ${CHROME}`, '"Android"', 'fire', false],
  [
    'a Huawei',
    `Mozilla/5.0 (Linux; Android 12; NOH-NX9; HMSCore 6.13) ${CHROME}`,
    '"Android"',
    'huawei',
    false,
  ],
  ['a Mac with a hint', MAC_SAFARI, '"macOS"', 'mac', false],
  ['Safari', MAC_SAFARI, '', 'mac', true],
  ['Safari with a forged hint', MAC_SAFARI, '"Android"', 'mac', true],
  ['an iPhone with a forged hint', IPHONE, '"Windows"', 'iphone', false],
  ['a hint without quotes', DESKTOP_MODE, 'Android', 'other', false],
  ['a hint of markup', DESKTOP_MODE, '"<script>"', 'other', false],
  ['a hint of 8 KiB', DESKTOP_MODE, `"${'Android'.repeat(1_000)}"`, 'other', false],
])('%s', (_who, userAgent, hint, platform, isUncertain) => {
  const agent = applyPlatformHint(classifyAgent(userAgent), hint);
  expect(agent).toMatchObject({ isBot: false, platform, mayBeIpad: isUncertain });
});

test('a hint allocates no object and does not change bots', () => {
  const agent = classifyAgent(DESKTOP_MODE);
  expect(applyPlatformHint(agent, '')).toBe(agent);
  expect(applyPlatformHint(agent, '"Linux"')).toBe(agent);
  expect(applyPlatformHint(agent, '"Android"')).toBe(applyPlatformHint(agent, '"Android"'));
  const bot = classifyAgent('curl/8.5.0');
  expect(applyPlatformHint(bot, '"Android"')).toBe(bot);
});

test.each([
  [{ secPurpose: 'prefetch' }, true],
  [{ secPurpose: 'prefetch;prerender' }, true],
  [{ secPurpose: 'prefetch;anonymous-client-ip' }, true],
  [{ purpose: 'prefetch' }, true],
  [{ xMoz: 'prefetch' }, true],
  [{ purpose: 'Preview' }, true],
  [{ secPurpose: 'navigate' }, false],
  [{}, false],
])('%j is a prefetch: %s', (given, expected) => {
  expect(isPrefetch(headers(given))).toBe(expected);
});

test('Sec-GPC and DNT refuse recognition', () => {
  expect(refusesRecognition(headers({ secGpc: '1' }))).toBe(true);
  expect(refusesRecognition(headers({ dnt: '1' }))).toBe(true);
  expect(refusesRecognition(headers({ dnt: '0' }))).toBe(false);
});

test.each([
  ['az-AZ,az;q=0.9,en;q=0.8', 'az-AZ'],
  ['EN-us', 'en-US'],
  ['ru', 'ru'],
  ['zh-Hant-TW,zh', 'zh-TW'],
  ['es-419;q=1', 'es-419'],
  ['*', ''],
  ['', ''],
  ['<script>', ''],
  ["en'; drop table", ''],
  ['english', ''],
])('Accept-Language %j is read as %j', (header, language) => {
  expect(readLanguage(header)).toBe(language);
});

test.each([
  ['https://News.Example.com:8443/a?b#c', 'news.example.com'],
  ['http://user:pass@example.com/', 'example.com'],
  ['https://xn--e1afmkfd.xn--p1ai', 'xn--e1afmkfd.xn--p1ai'],
  ['https://example.com./a', 'example.com'],
  ['https://example.com.:8443/', 'example.com'],
  ['https://local.example.org/', 'local.example.org'],
  ['https://1.lan.example/', '1.lan.example'],
  ['https://9gag.com', '9gag.com'],
  ['https://in-addr.example.arpa/', 'in-addr.example.arpa'],
])('Referer %j is read as %j', (referer, host) => {
  expect(readReferrerHost(referer)).toBe(host);
});

test.each([
  ...'https://example.com../ http://direct/ http://localhost:3000/ http://192.168.1.1/admin http://8.8.8.8'.split(
    ' ',
  ),
  ...'http://127.0.0.1.:8080/ http://127.1/ http://10.0.0.0x1/ http://[::1]/ http://[2001:db8::1]/x'.split(
    ' ',
  ),
  ...'http://app.localhost/ http://Printer.LOCAL/ http://printer.local./ http://nas.lan http://nas.home'.split(
    ' ',
  ),
  ...'http://metadata.google.internal/ http://nas.home.arpa/ http://home.arpa/ http://wiki.corp/'.split(' '),
  ...'http://wiki.intranet/ http://wiki.private/ http://localhost.localdomain/ http://shop.test/'.split(' '),
  ...'http://shop.invalid/ android-app://com.slack/ javascript:alert(1) https://exämple.com/'.split(' '),
  ...['https://<script>alert(1)</script>/', `https://${'a'.repeat(300)}.com/`, ''],
])('Referer %j has no public host', (referer) => {
  expect(readReferrerHost(referer)).toBe('');
});

test('utm parameters are decoded, cut and without control characters', () => {
  const long = 'x'.repeat(500);
  expect(
    readCampaign(`utm_source=news%20letter&utm_medium=e%0d%0amail&utm_term=${long}&utm_content=%ff`),
  ).toEqual({
    utmSource: 'news letter',
    utmMedium: 'email',
    utmCampaign: '',
    utmTerm: 'x'.repeat(128),
    utmContent: '\ufffd',
  });
  expect(readCampaign(`utm_source=${'a'.repeat(127)}%F0%9F%98%80`).utmSource).toBe(
    `${'a'.repeat(127)}\ufffd`,
  );
  expect(readCampaign('a=1')).toEqual(readCampaign(''));
});
