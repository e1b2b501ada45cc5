import { expect, test } from 'vitest';
import { addCaption, addLogo, firstDesign, imageAddress } from './design.js';

test('a code begins in the colour of its link, and in black without one', () => {
  expect(firstDesign(undefined).color).toBe('#000000');
  expect(firstDesign('#123456').color).toBe('#123456');
  // Too light for scanners.
  expect(firstDesign('#ffff00').color).not.toBe('#ffff00');
});

test('the address of a picture names everything that was chosen', () => {
  expect(imageAddress('a&b', { ...firstDesign(undefined), ecc: 'H' }, 'png')).toBe(
    '/api/v1/smartlink/qr?id=a%26b&format=png&size=512&margin=4&ecc=H&color=%23000000&background=%23ffffff',
  );
});

test('a caption is text, whatever it holds, and fits the width', () => {
  const design = { ...firstDesign(undefined), caption: '<script>&"' };
  expect(addCaption('<svg/>', design)).toContain('>&lt;script&gt;&amp;&quot;</text>');
  expect(addCaption('<svg/>', { ...design, caption: '' })).toBe('<svg/>');
  const size = (caption: string) => {
    const [, text = ''] = /font-size="([\d.]+)"/.exec(addCaption('', { ...design, caption })) ?? [];
    return Number(text);
  };
  expect(size('x'.repeat(60)) * 0.6 * 60).toBeLessThanOrEqual(512);
  expect(size('x')).toBeCloseTo(38.4);
});

test('a logo covers whole modules in the middle, a fifth of the code at most', () => {
  const design = { ...firstDesign(undefined), margin: '4', logo: 'data:image/png;base64,AA==' };
  const svg = '<svg viewBox="0 0 33 33"></svg>';
  expect(addLogo(svg, design)).toBe(
    '<svg viewBox="0 0 33 33"><rect x="14" y="14" width="5" height="5" fill="#ffffff"/>' +
      '<image href="data:image/png;base64,AA==" x="14.5" y="14.5" width="4" height="4"/></svg>',
  );
  expect(addLogo(svg, { ...design, logo: '' })).toBe(svg);
});
