import { expect, test } from 'vitest';
import { textPage } from './text-page.js';

const render = (text: string): string =>
  textPage({ txtBin: { title: undefined, description: undefined, text } }, undefined, 'Docs').html.toString();

const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&#13;': '\r',
  '&amp;': '&',
};

/** What a browser shows: a line break after the tag is dropped, bare carriage returns become line feeds. */
function shownText(html: string): string {
  const block = html.slice(html.indexOf('<pre'), html.indexOf('</pre>'));
  const inside = block.slice(block.indexOf('>') + 1).replace(/^\n/, '');
  return inside.replaceAll(/\r\n?/g, '\n').replaceAll(/&[#\w]+;/g, (entity) => ENTITIES[entity] ?? '?');
}

test.each([
  '\nfirst line break stays',
  '\r\nwindows\r\nand old mac\rline ends\r',
  '\n\n\ttabs and spaces   \n  </pre><b>&amp;&#13;\n',
  '\u001b[31mterminal\u001b[0m \u0007 \u000c \u0085 \u2028 \ufeff 😀',
])('the text of a snippet comes out exactly: %j', (text) => {
  expect(shownText(render(text))).toBe(text);
});

test('100,000 characters come out exactly', () => {
  const text = '<&>"\n'.repeat(20_000);
  expect(shownText(render(text))).toBe(text);
});

test('the plain text is a click away, also for who came by a scan', () => {
  expect(render('x')).toContain('<a href="/Docs?raw=1">');
});
