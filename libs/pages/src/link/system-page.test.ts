import { expect, test } from 'vitest';
import { compressPage } from '../site.js';
import { TEST_SITE } from '../test-site.js';
import { WORDS } from '../words/translations.js';
import { LANGUAGES } from '../words/words.js';
import { SYSTEM_PAGES, systemPage } from './system-page.js';

const SITE = { ...TEST_SITE, abuseContactUrl: 'mailto:abuse@sl.example.com' };

const everyPage = SYSTEM_PAGES.flatMap((name) => LANGUAGES.map((language) => [name, language] as const));

test.each(everyPage)(
  '%s in %s is one sentence of at most 3 KB, without script and pictures',
  (name, language) => {
    const { html, policy, isIndexed } = systemPage(name, language, SITE, 37);
    const { brotli, gzip } = compressPage(html);
    expect(brotli.length).toBeLessThanOrEqual(3072);
    expect(gzip.length).toBeLessThanOrEqual(3072);
    expect(html).toContain(`<html lang="${language}">`);
    expect(html).toContain(`<h1>${WORDS[language][name].title}</h1>`);
    expect(html.match(/<p>/g)).toHaveLength(2);
    expect(html).not.toMatch(/<script|<img/);
    const text = html.slice(html.indexOf('<main')).replaceAll(/<[^>]*>/g, '');
    // No codes, and nothing left to fill in.
    expect(text).not.toMatch(/\d{3}|[{}]/);
    expect(policy).not.toMatch(/script-src|https:/);
    expect(isIndexed).toBe(false);
  },
);

test('a rate-limited visitor sees how long to wait', () => {
  expect(systemPage('tooManyRequests', 'en', SITE, 37).html).toContain('Try again in 37\u00a0s.');
  expect(systemPage('tooManyRequests', 'ru', SITE, 5).html).toContain('Повторите через 5\u00a0с.');
});

test('the one thing to do is to try the same address again, where that may help', () => {
  for (const [name, language] of everyPage) {
    const { html } = systemPage(name, language, { ...SITE, abuseContactUrl: null });
    const actions = [...html.matchAll(/<a [^>]*>(.*?)<\/a>/g)].map((match) => match[0]);
    const retry = `<a class="btn" href="">${WORDS[language].unavailable.retry}</a>`;
    expect(actions).toEqual(name === 'unavailable' ? [retry] : []);
  }
});
