import { expect, test } from 'vitest';
import { mayBeIpad, PLATFORMS, readHintedPlatform, readPlatform } from './platform.js';

const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0';
const WEBKIT = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';

test('reads a bounded part of a User-Agent', () => {
  expect(readPlatform(`${'Macintosh '.repeat(800)} CriOS/1`)).toBe('mac');
});

const MACINTOSH = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)';

test.each([
  `${MACINTOSH} ${WEBKIT} Version/18.5 Safari/605.1.15`,
  `Mozilla/5.0 (Macintosh; Intel Mac OS X 31_0) ${WEBKIT} Version/31.0 Safari/605.1.15`,
  // DuckDuckGo, which uses Safari's engine, and a web view of an app.
  `${MACINTOSH} ${WEBKIT} Version/18.5 Safari/605.1.15 Ddg/18.5`,
  `${MACINTOSH} ${WEBKIT}`,
])('%s may be an iPad', (userAgent) => {
  expect(mayBeIpad(userAgent)).toBe(true);
});

test.each([
  ...['', ' Edg/142.0.0.0', ' OPR/120.0.0.0', ' Vivaldi/7.5'].map(
    (ending) => `${MACINTOSH} ${CHROME} Safari/537.36${ending}`,
  ),
  `${MACINTOSH} ${CHROME} Electron/37.0.0 Safari/537.36`,
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:140.0) Gecko/20100101 Firefox/140.0',
])('%s is not an iPad', (userAgent) => {
  expect(mayBeIpad(userAgent)).toBe(false);
});

test('a hint decides the platform only if the User-Agent names none', () => {
  expect(readHintedPlatform('other', '"Android"')).toBe('android');
  expect(readHintedPlatform('other', '"macOS"')).toBe('mac');
  expect(readHintedPlatform('other', '"Windows"')).toBe('windows');
  for (const platform of PLATFORMS.filter((name) => name !== 'other')) {
    for (const hint of ['"Android"', '"macOS"', '"Windows"', '"iOS"']) {
      expect(readHintedPlatform(platform, hint)).toBe(platform);
    }
  }
  const hints = ['', 'Android', '"android"', '"Linux"', '"Chrome OS"', '"__proto__"'];
  for (const hint of [...hints, '"Android", "Windows"']) {
    expect(readHintedPlatform('other', hint)).toBe('other');
  }
});
