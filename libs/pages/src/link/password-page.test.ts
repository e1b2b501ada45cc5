import { expect, test } from 'vitest';
import { renderTestPage, TEST_SITE } from '../test-site.js';
import { LANGUAGES } from '../words/words.js';
import { type PasswordError, passwordErrorPage } from './system-page.js';

// The target must never be in a page, although it is in this source.
const PROTECTED = { slug: 'Board', type: 'Url', isProtected: true, url: 'https://secret.example/' };

function form(source: object = {}) {
  return renderTestPage({ ...PROTECTED, ...source }, 'password');
}

const refused = (error: PasswordError, waitSeconds = 0) =>
  passwordErrorPage({ slug: 'Board', error, waitSeconds }, 'en', TEST_SITE);
const titleOf = (html: string) => /<title>(.*?)<\/title>/.exec(html)?.[1];
const inputOf = (html: string) => /<input id="password"[^>]*>/.exec(html)?.[0] ?? '';

test('the form is posted to its own address and may redirect to any site', () => {
  const { html, policy } = form();
  expect(html).toContain('<form method="post">');
  expect(policy).toContain("form-action 'self' https: http:;");
  expect(policy).not.toContain('secret.example');
});

test('no page of a protected link contains its target', () => {
  for (const view of ['password', 'share', 'preview'] as const) {
    for (const language of LANGUAGES) {
      expect(renderTestPage(PROTECTED, view, language).html).not.toContain('secret.example');
    }
  }
});

test("the owner's words are in previews of the form, not in the form", () => {
  const html = form({ openGraph: { title: 'Board <papers>', imageUrl: 'https://a.example/og.jpg' } }).html;
  expect(html).toContain('<meta property="og:title" content="Board &lt;papers&gt;">');
  expect(html).toContain('<meta property="og:image" content="https://a.example/og.jpg">');
  expect(html).toContain('<h1>Enter the password</h1>');
  expect(html.slice(html.indexOf('<body>'))).not.toContain('papers');
  expect(form().html).toContain('<meta property="og:title" content="Enter the password">');
});

test('password managers get a user name per link, before the password', () => {
  const { html } = form();
  const name = html.indexOf(
    '<input type="text" name="username" autocomplete="username" value="Board" hidden>',
  );
  expect(name).toBeGreaterThan(0);
  expect(html.indexOf(inputOf(html))).toBeGreaterThan(name);
});

test('the field limits, capitalizes and corrects nothing', () => {
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

test('the eye button is hidden without script and has its labels', () => {
  const { html, policy } = form();
  expect(html).toMatch(/<button type="button"[^>]* data-eye="Show password"[^>]* hidden>/);
  expect(html).toContain('data-hide="Hide password"');
  expect(policy).toContain("script-src 'self'");
});

test('a wrong password is reported in the title and above the field, which is empty', () => {
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
  // The password may be right.
  expect(inputOf(html)).toContain('aria-describedby="error"');
  expect(inputOf(html)).not.toContain('aria-invalid');
});

test('the error has the language of the visitor', () => {
  const page = passwordErrorPage({ slug: 'Board', error: 'wrong', waitSeconds: 0 }, 'az', TEST_SITE);
  expect(page.language).toBe('az');
  expect(page.html).toContain('<html lang="az">');
  expect(titleOf(page.html)).toBe('Xəta: Parolu daxil edin');
});
