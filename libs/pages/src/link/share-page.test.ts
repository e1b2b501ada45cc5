import { expect, test } from 'vitest';
import { renderTestPage } from '../test-site.js';

const OPEN_GRAPH = {
  title: 'Summer <sale>',
  description: 'Half the price',
  imageUrl: 'https://a.example/og.jpg',
};

const share = (source: object) => renderTestPage({ slug: 'Sale', ...source }, 'share').html;

const content = (html: string, property: string) =>
  new RegExp(`<meta property="${property}" content="([^"]*)">`).exec(html)?.[1];

const TARGET = 'https://target.example/path';

test.each([
  ['a Url link', { type: 'Url', isProtected: false, url: TARGET }],
  ['a protected link', { type: 'Url', isProtected: true, url: TARGET }],
  ['an App link', { type: 'App', storeLinks: { appStoreLink: TARGET, fallBackLink: TARGET } }],
])("%s shows the owner's words, the link's own address and never the target", (_name, source) => {
  const html = share({ ...source, openGraph: OPEN_GRAPH });
  expect(content(html, 'og:title')).toBe('Summer &lt;sale&gt;');
  expect(content(html, 'og:description')).toBe('Half the price');
  expect(content(html, 'og:image')).toBe('https://a.example/og.jpg');
  expect(content(html, 'og:url')).toBe('https://sl.example.com/Sale');
  expect(html).toContain('<title>Summer &lt;sale&gt;</title>');
  expect(html).toContain('<h1 dir="auto">Summer &lt;sale&gt;</h1>');
  // The link itself would show this page again to a visitor mistaken for a preview agent.
  expect(html).toContain('<a class="btn" href="/-/preview/Sale"');
  expect(html).not.toContain('href="/Sale"');
  expect(html).not.toContain('target.example');
  // The owner's picture is for previews only.
  expect(html).not.toContain('<img');
});

test.each([
  [{ type: 'Url', isProtected: false, url: TARGET }, 'sl.example.com/Sale', 'sl.example.com/Sale', 'link'],
  [{ type: 'Url', isProtected: true }, 'Enter the password', 'This link is protected by a password.', 'link'],
  [{ type: 'App', storeLinks: {} }, 'Get the app', 'sl.example.com/Sale', 'app'],
])('%j without words of its owner has default words', (source, title, description, kind) => {
  const html = share(source);
  expect(content(html, 'og:title')).toBe(title);
  expect(content(html, 'og:description')).toBe(description);
  expect(content(html, 'og:image')).toBe(`https://sl.example.com/-/assets/og-${kind}.png`);
});
