import { describe, expect, test } from 'vitest';
import { compressPage, type PageAppearance } from '../site.js';
import { renderTestPage } from '../test-site.js';

const button = { title: 'Go', link: 'https://a.example/' };
const KINDS = [
  { type: 'Landing', page: { landing: { layout: 'List', theme: 'Auto' }, landingButtons: [button] } },
  { type: 'QRTag', page: { qrTag: {}, qrTagButtons: [button] } },
  { type: 'DigiCard', page: { digiCard: {}, digiCardButtons: [button] } },
  { type: 'QrMenu', page: { qrMenu: { currency: '₼', categories: [] } } },
];
const STYLES = ['filled', 'outline', 'soft'] as const;
const SHAPES = ['rounded', 'pill', 'square'] as const;
const BACKGROUNDS = ['plain', 'tint', 'gradient'] as const;
const MIXES: readonly Required<PageAppearance>[] = STYLES.flatMap((buttonStyle) =>
  SHAPES.flatMap((buttonShape) =>
    BACKGROUNDS.map((background) => ({ buttonStyle, buttonShape, background })),
  ),
);

describe.each(KINDS)('the appearance of a $type', (source) => {
  const render = (appearance?: PageAppearance) =>
    renderTestPage(appearance === undefined ? source : { ...source, appearance });
  const bytesOf = (appearance?: PageAppearance) => compressPage(render(appearance).html).brotli.length;

  test('that is left out, or says the defaults, leaves every byte as it is', () => {
    const without = render();
    expect(render({})).toEqual(without);
    expect(render({ buttonStyle: 'filled', buttonShape: 'rounded', background: 'tint' })).toEqual(without);
    expect(without.html).not.toMatch(/--soft|--wash|forced-colors:none/);
  });

  test('changes the style alone, each mix in its own way, by less than 500 bytes', () => {
    const withoutStyle = (html: string) =>
      html.replace(/<style>.*?<\/style>/s, '').replaceAll(/<meta name="theme-color"[^>]*>/g, '');
    const pages = MIXES.map(render);
    expect(new Set(pages.map(({ html }) => html)).size).toBe(MIXES.length);
    expect(new Set(pages.map(({ policy }) => policy)).size).toBe(MIXES.length);
    expect(new Set([render(), ...pages].map(({ html }) => withoutStyle(html))).size).toBe(1);
    const sizes = MIXES.map(bytesOf);
    expect(Math.max(...sizes) - bytesOf()).toBeLessThan(500);
  });
});

test('a snippet has no appearance', () => {
  const source = { type: 'TxtBin', page: { txtBin: { text: 'a' } } };
  expect(renderTestPage({ ...source, appearance: MIXES.at(-1) })).toEqual(renderTestPage(source));
});
