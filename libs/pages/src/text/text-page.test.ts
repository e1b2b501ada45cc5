import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { trialSize } from '@smartlink/test-support/trial-size';
import { compressPage } from '../site.js';
import { renderTestPage } from '../test-site.js';

const render = (text: string, more: object = {}) =>
  renderTestPage({ type: 'TxtBin', page: { txtBin: { text, ...more } } });

const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&#13;': '\r',
  '&amp;': '&',
};

/** The content of `<code>`; browsers turn bare carriage returns into line feeds. */
function codeOf(html: string): string {
  return html.slice(html.indexOf('<code>') + 6, html.indexOf('</code>')).replaceAll(/\r\n?/g, '\n');
}

function shownText(html: string): string {
  return codeOf(html)
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&[#\w]+;/g, (entity) => ENTITIES[entity] ?? '?');
}

const CODE = 'const a = 1; // one\nif (a) { b("two"); }\n';

test.each([
  '\nfirst line break stays',
  '\r\nwindows\r\nand old mac\rline ends\r',
  '\n\n\ttabs and spaces   \n  </pre><b>&amp;&#13;\n',
  '\u001b[31mterminal\u001b[0m \u0007 \u000c \u0085 \u2028 \ufeff 😀',
  `${CODE}\u202e \u2066 \u200b\u200b\u200d 👨‍👩‍👧 "\u00ad"`,
  '/* over\n\nlines */ `and\r\n${x}\n`',
  'x\u200b'.repeat(3_000),
])('a text is shown exactly: %j', (text) => {
  expect(shownText(render(text).html)).toBe(text);
});

test('random texts are shown exactly', () => {
  const unit = fc.constantFrom(
    ...Array.from(
      'ab1 \n\n\r\t"\'`/*#-<>!&;:.=(){}$\\é😀\u202e\u2066\u200b\u200b\u200d\u00ad\ufeff\u0007\u2028\ufe0f\u0301',
    ),
  );
  const start = fc.constantFrom(
    '',
    CODE,
    'def f(x):\n  return x\n',
    '<!doctype html>\n',
    '{"a": 1}',
    'select 1 from b;\n',
  );
  fc.assert(
    fc.property(start, fc.string({ unit, maxLength: 120 }), (code, rest) => {
      expect(shownText(render(code.repeat(8) + rest).html)).toBe(code.repeat(8) + rest);
    }),
    { numRuns: trialSize(100, 2_000) },
  );
});

test('100,000 characters are shown exactly', () => {
  for (const text of [
    '<&>"\n'.repeat(20_000),
    '\n'.repeat(99_999) + 'x',
    '\r'.repeat(99_999) + 'x',
    '1 '.repeat(50_000),
  ]) {
    expect(shownText(render(text).html)).toBe(text);
  }
});

test('the plain text can be opened and downloaded', () => {
  const { html } = render('x');
  expect(html).toContain('<a href="/Docs?raw=1">');
  expect(html).toContain('<a href="/Docs?raw=1" download="Docs.txt">');
});

test.each([
  ['a', 1],
  ['a\n', 1],
  ['a\n\n', 2],
  ['\na\r\nb\rc', 4],
])('counts the lines of %j', (text, count) => {
  const { html } = render(text);
  expect(html).toContain(`Lines: ${String(count)}<`);
  expect(codeOf(html).match(/<span id="L\d+">/g)).toHaveLength(count);
});

test('a line break is in the element of its line; up to 500 lines have anchors', () => {
  expect(codeOf(render('a b\nc').html)).toBe('<span id="L1">a b\n</span><span id="L2">c</span>');
  expect(codeOf(render('a b\n'.repeat(501)).html)).toBe('<span>a b\n</span>'.repeat(501));
});

test('code is coloured by line, except lines of more than 1,000 characters', () => {
  expect(codeOf(render('/* a\nb */ if (c) { return "d"; }\n').html)).toBe(
    '<span id="L1"><i>/* a\n</i></span><span id="L2"><i>b */</i> <var>if</var> (c) { <var>return</var> <b>&quot;d&quot;</b>; }\n</span>',
  );
  const long = `if (${'a'.repeat(1_000)}) { return 1; }`;
  expect(codeOf(render(`${CODE.repeat(9)}${long}\nreturn;`).html)).toMatch(
    /<span id="L19">if \(a{1000}\) \{ return 1; \}\n<\/span><span id="L20"><var>return<\/var>;<\/span>$/,
  );
});

test('invisible characters are isolated in a mark outside the text', () => {
  const { html } = render(`${CODE}a = "\u202e"; \u200b\u200b\u200b`);
  expect(codeOf(html)).toContain('<em data-u="202E">\u202e</em>');
  expect(codeOf(html)).toContain('<em data-u="200B ×3">\u200b\u200b\u200b</em>');
  expect(html).toMatch(/em\{unicode-bidi:isolate;/);
});

test.each([
  ['emoji', '👨‍👩‍👧 👩🏽‍🚀 ❤️‍🔥 1️⃣ 🏴󠁧󠁢󠁥󠁮󠁧󠁿'],
  ['Persian and Hindi', 'می‌خواهم क्‍ष'],
  ['a side mark in sentences', 'Shalom \u200f(שלום)\u200e, soft\u00adhyphen and so on, as people write.'],
])('%s is not marked', (_, text) => {
  expect(codeOf(render(text).html)).not.toContain('<em');
});

test.each([
  ['a joiner in a Latin word', 'a = user\u200dName;'],
  ['letters of tags behind an emoji', 'a = "😀\u{e0041}\u{e0042}";'],
  ['selectors of variants in a row', 'a = "😀\ufe0f\ufe01\ufe02";'],
  ['a side mark in code', 'a = "\u200f";'],
])('%s is marked', (_, line) => {
  expect(codeOf(render(CODE + line).html)).toContain('<em');
});

test('there are at most 1,000 marks, so that browsers can lay them out', () => {
  expect(codeOf(render('a\u200b'.repeat(5_000)).html).match(/<em /g)).toHaveLength(1_000);
});

test('is not indexed, labels its region and has a skip link', () => {
  const page = render('x', { title: 'A <b> title', description: 'two\nlines' });
  expect(page.isIndexed).toBe(false);
  expect(page.html).toContain('<a class="skip" href="#text">');
  expect(page.html).toContain('<section id="text" tabindex="0" aria-label="Text"');
  expect(page.html).toContain('<h1 dir="auto">A &lt;b&gt; title</h1>');
  expect(page.policy).toContain(`script-src 'self'`);
  expect(page.policy).toContain(`default-src 'none'`);
});

test.each([
  [{ title: 'For previews', description: 'Said there' }, ['For previews', 'Said there']],
  [{ title: ' ', description: '\n' }, ['Own title', 'Own words']],
])('previews show their own words unless they are blank: %j', (openGraph, [title, description]) => {
  const txtBin = { text: 'x', title: 'Own title', description: 'Own words' };
  const { html } = renderTestPage({ type: 'TxtBin', page: { txtBin }, openGraph });
  expect(html).toContain(`<meta property="og:title" content="${title}">`);
  expect(html).toContain(`<meta property="og:description" content="${description}">`);
  expect(html).toContain('<h1 dir="auto">Own title</h1>');
});

test('sentences have the direction of their words, code is left to right', () => {
  expect(render('שלום לכולם').html).toContain('dir="auto" lang="he"><code>');
  expect(render(`${CODE}// שלום`).html).toContain('dir="ltr"><code>');
});

test('100,000 characters of code take at most 8 KiB more than the text alone', () => {
  const code = readFileSync(createRequire(import.meta.url).resolve('typescript'), 'utf8');
  const text = code.slice(300_000, 400_000);
  const [page = 0, alone = 0] = [render(text).html, text].map((each) => compressPage(each).brotli.length);
  expect(page - alone).toBeLessThanOrEqual(8 * 1024);
});
