import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { drawFavicon } from './favicon.js';
import { markup } from './html.js';
import { passwordPage } from './password-page.js';
import { createSystemReplies } from './system-pages.js';

test('markup escapes every value and nests other markup', () => {
  const name = `<img src=x onerror="alert('1')">&amp;`;
  expect(markup`<p title="${name}">${markup`<b>${name}</b>`}${null}</p>`.toString()).toBe(
    '<p title="&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;amp;">' +
      '<b>&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;amp;</b></p>',
  );
});

test.each(Object.entries(createSystemReplies()))(
  '%s is a whole small page that nobody keeps',
  (_name, reply) => {
    const text = reply.body.toString();
    expect(text).toMatch(
      /^<!doctype html>\n<html lang="en">[\s\S]*<title>[^<]+<\/title>[\s\S]*<h1>[^<]+<\/h1>[\s\S]*<\/html>\n$/,
    );
    const headers = Object.fromEntries(reply.headers);
    expect(headers).toMatchObject({ 'Cache-Control': 'private, no-store', 'X-Robots-Tag': 'noindex' });
    const style = /<style>([\s\S]*)<\/style>/.exec(text)?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');
    expect(headers['Content-Security-Policy']).toContain(`style-src 'sha256-${hash}'`);
    expect(headers['Content-Security-Policy']).toContain("default-src 'none'");
    expect(text).not.toMatch(/<script|style="|javascript:/);
    expect(reply.body.length).toBeLessThan(3 * 1024);
  },
);

test('the form of a password may lead to any site and names none', () => {
  expect(passwordPage('Docs').policy).toContain("form-action 'self' https: http:;");
  expect(passwordPage('Docs', 'wrong').html.toString()).toContain('<title>Error: Enter the password</title>');
  expect(passwordPage('Docs', 'too-many', 61).html.toString()).toContain('Try again in 2 min.');
});

test('the icon is one picture of 16 by 16 whose sizes add up', () => {
  const icon = drawFavicon();
  expect([...icon.subarray(0, 6)]).toEqual([0, 0, 1, 0, 1, 0]);
  expect(icon.readUInt32LE(14) + icon.readUInt32LE(18)).toBe(icon.length);
});
