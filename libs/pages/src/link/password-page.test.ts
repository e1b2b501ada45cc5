import { expect, test } from 'vitest';
import { renderPage } from '../render-page.js';
import type { PageSource } from '../site.js';
import { TEST_SITE } from '../test-site.js';
import { LANGUAGES } from '../words/words.js';
import { type PasswordError, passwordErrorPage } from './system-page.js';

function form(source: object = {}) {
  // What a page of a protected link must never hold is put into its source here, as if somebody had forgotten it there.
  const target = { url: 'https://secret.example/' };
  const link = { slug: 'Board', type: 'Url', isProtected: true, ...target, ...source } as PageSource;
  const page = renderPage(link, 'password', 'en', TEST_SITE);
  if (page === null) throw new Error('no page');
  return page;
}

const refused = (error: PasswordError, waitSeconds = 0) =>
  passwordErrorPage({ slug: 'Board', error, waitSeconds }, 'en', TEST_SITE);
const titleOf = (html: string) => /<title>(.*?)<\/title>/.exec(html)?.[1];
const inputOf = (html: string) => /<input id="password"[^>]*>/.exec(html)?.[0] ?? '';

test('the form is sent to its own address, and its answer may lead anywhere on the web', () => {
  const { html, policy } = form();
  expect(html).toContain('<form method="post">');
  expect(policy).toContain("form-action 'self' https: http:;");
  expect(policy).not.toContain('secret.example');
});

test('no page of a protected link tells its target', () => {
  const source = { slug: 'Board', type: 'Url', isProtected: true, url: 'https://secret.example/' };
  for (const view of ['password', 'share', 'preview'] as const) {
    for (const language of LANGUAGES) {
      expect(renderPage(source as PageSource, view, language, TEST_SITE)?.html).not.toContain(
        'secret.example',
      );
    }
  }
});

test("previews of the form show the owner's words for them alone", () => {
  const html = form({ openGraph: { title: 'Board <papers>', imageUrl: 'https://a.example/og.jpg' } }).html;
  expect(html).toContain('<meta property="og:title" content="Board &lt;papers&gt;">');
  expect(html).toContain('<meta property="og:image" content="https://a.example/og.jpg">');
  expect(html).toContain('<h1>Enter the password</h1>');
  expect(html.slice(html.indexOf('<body>'))).not.toContain('papers');
  expect(form().html).toContain('<meta property="og:title" content="Enter the password">');
});

test('a password manager gets a name of its own for each link, before the password', () => {
  const { html } = form();
  const name = html.indexOf(
    '<input type="text" name="username" autocomplete="username" value="Board" hidden>',
  );
  expect(name).toBeGreaterThan(0);
  expect(html.indexOf(inputOf(html))).toBeGreaterThan(name);
});

test('the field takes a password as it is: no limit, no capitals, no corrections', () => {
  const input = inputOf(form().html);
  for (const attribute of [
    'type="password"',
    'autocomplete="current-password"',
    'autocapitalize="none"',
    'spellcheck="false"',
    'required',
  ]) {
    expect(input).toContain(` ${attribute}`);
  }
  expect(input).not.toMatch(/maxlength|pattern|value|aria-invalid|aria-describedby/);
});

test('the eye is there for script alone, and has its words', () => {
  const { html, policy } = form();
  expect(html).toMatch(/<button type="button"[^>]* data-eye="Show password"[^>]* hidden>/);
  expect(html).toContain('data-hide="Hide password"');
  expect(policy).toContain("script-src 'self'");
});

test('a wrong password is said in the title, above the field and of the field, which is empty', () => {
  const { html } = refused('wrong');
  expect(titleOf(html)).toBe('Error: Enter the password');
  expect(inputOf(html)).toContain('aria-invalid="true" aria-describedby="error"');
  expect(inputOf(html)).not.toContain('value');
  const text = html.indexOf('Wrong password. Try again.');
  expect(text).toBeGreaterThan(html.indexOf('id="error"'));
  expect(text).toBeLessThan(html.indexOf('<label'));
});

test.each([
  ['too-many', 0, 'Try again in 1\u00a0min.'],
  ['too-many', 60, 'Try again in 1\u00a0min.'],
  ['too-many', 61, 'Try again in 2\u00a0min.'],
  ['too-many', 3600, 'Try again in 60\u00a0min.'],
  ['busy', 2, 'Try again in a moment.'],
] as const)('%s with %i s to wait says: %s', (error, waitSeconds, text) => {
  const { html } = refused(error, waitSeconds);
  expect(html).toContain(text);
  expect(titleOf(html)).toBe('Error: Enter the password');
  // What was typed may well be right.
  expect(inputOf(html)).toContain('aria-describedby="error"');
  expect(inputOf(html)).not.toContain('aria-invalid');
});

test('the answer speaks the language it is asked in', () => {
  const page = passwordErrorPage({ slug: 'Board', error: 'wrong', waitSeconds: 0 }, 'az', TEST_SITE);
  expect(page.language).toBe('az');
  expect(page.html).toContain('<html lang="az">');
  expect(titleOf(page.html)).toBe('Xəta: Parolu daxil edin');
});
