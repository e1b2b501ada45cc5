import { describe, expect, it } from 'vitest';
import { type ColorScheme, colorTokens, syntaxColors, themeCss } from './theme-css.js';

const SCHEMES: readonly ColorScheme[] = ['Light', 'Dark', 'Auto'];

const DECLARATION = String.raw`--[a-z]+:#(?:[0-9a-f]{3}|[0-9a-f]{6});`;
const SHADOW = String.raw`--shadow:(?:0 1px 2px #0000000f|0 0 #0000)`;
const CODE = String.raw`(?:;--c[1-4]:#(?:[0-9a-f]{3}|[0-9a-f]{6})){4}`;

describe('themeCss', () => {
  it('declares the colours of the one mode that was chosen', () => {
    expect(themeCss('#000', 'Light')).toEqual({
      css:
        ':root{color-scheme:light;--bg:#f7f7f7;--surface:#fff;--tint:#ebebeb;--text:#1d1d1d;--muted:#696969;' +
        '--border:#dbdbdb;--control:#848484;--accent:#000;--on:#fff;--hover:#1a1a1a;--edge:#000;--link:#000;' +
        '--focus:#1d1d1d;--shadow:0 1px 2px #0000000f}',
      themeColorMetas: [{ content: '#f7f7f7' }],
    });
    const dark = themeCss('#000', 'Dark');
    expect(dark.css).toContain(':root{color-scheme:dark;--bg:#101010;');
    expect(dark.css).toContain('--shadow:0 0 #0000}');
    expect(dark.themeColorMetas).toEqual([{ content: '#101010' }]);
  });

  it('gives Auto both modes, dark where the system asks for it', () => {
    const rootOf = (scheme: ColorScheme) =>
      /^:root\{color-scheme:\w+;(.*)\}$/.exec(themeCss('#f80', scheme).css)![1]!;
    expect(themeCss('#f80', 'Auto')).toEqual({
      css:
        `:root{color-scheme:light dark;${rootOf('Light')}}` +
        `@media (prefers-color-scheme:dark){:root{${rootOf('Dark')}}}`,
      themeColorMetas: [
        { content: colorTokens('#f80', 'light').bg, media: '(prefers-color-scheme:light)' },
        { content: colorTokens('#f80', 'dark').bg, media: '(prefers-color-scheme:dark)' },
      ],
    });
  });

  it('adds the colours of code only where they are asked for', () => {
    expect(themeCss(undefined, 'Auto').css).not.toContain('--c1');
    const { css } = themeCss(undefined, 'Auto', { hasCode: true });
    for (const mode of ['light', 'dark'] as const) {
      const { comment, string, number, keyword } = syntaxColors(mode);
      expect(css).toContain(`;--c1:${comment};--c2:${string};--c3:${number};--c4:${keyword}}`);
    }
  });

  it.each([
    '</style><script>alert(1)</script>',
    '#fff;}body{display:none',
    'url(https://a.example)',
    '#ffff\n',
    'RED',
  ])('lets nothing of %j in', (hostile) => {
    for (const scheme of SCHEMES) {
      expect(themeCss(hostile, scheme, { hasCode: true })).toEqual(
        themeCss(undefined, scheme, { hasCode: true }),
      );
    }
  });

  it('holds fixed words and hexadecimal digits alone', () => {
    const block = `(?:${DECLARATION}){13}${SHADOW}${CODE}`;
    const form = new RegExp(
      String.raw`^:root\{color-scheme:(?:light|dark|light dark);${block}\}` +
        String.raw`(?:@media \(prefers-color-scheme:dark\)\{:root\{${block}\}\})?$`,
    );
    for (const themeColor of [undefined, '#F80C', '#ABCDEF', '#abc', '#00000080', '<']) {
      for (const scheme of SCHEMES) expect(themeCss(themeColor, scheme, { hasCode: true }).css).toMatch(form);
    }
  });

  it('costs at most 540 bytes for both modes, before compression', () => {
    expect(themeCss('#1a2b3c', 'Auto').css.length).toBeLessThanOrEqual(540);
  });
});
