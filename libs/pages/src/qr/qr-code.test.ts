import { describe, expect, test } from 'vitest';
import { type Color, parseColor } from '../theme/color.js';
import { encodeSymbol, isReadable, qrAddress } from './qr-code.js';

const color = (text: string): Color => parseColor(text)!;

describe('the address of a QR code', () => {
  test.each([
    ['https://sl.example.com', 'Docs1', 'HTTPS://SL.EXAMPLE.COM/Q/DOCS1'],
    ['https://sl.example.com/', 'Docs1', 'HTTPS://SL.EXAMPLE.COM/Q/DOCS1'],
    ['HTTPS://SL.Example.com//', 'a', 'HTTPS://SL.EXAMPLE.COM/Q/A'],
    ['http://127.0.0.1:8080', 'ABC', 'HTTP://127.0.0.1:8080/Q/ABC'],
    ['https://xn--bcher-kva.example', 'x', 'HTTPS://XN--BCHER-KVA.EXAMPLE/Q/X'],
  ])('on %s is upper case for the slug %s, as nothing in it has a case', (base, slug, address) => {
    expect(qrAddress(base, slug)).toBe(address);
  });

  test.each([
    ['a path has a case', 'https://example.com/Go', 'https://example.com/Go/q/Docs1'],
    ['a path of digits is a path', 'https://example.com/1/', 'https://example.com/1/q/Docs1'],
    ['brackets are not alphanumeric', 'http://[2001:db8::1]:80', 'http://[2001:db8::1]:80/q/Docs1'],
    ['neither is an underscore', 'https://a_b.example', 'https://a_b.example/q/Docs1'],
    ['ß in upper case is another host', 'https://straße.example', 'https://straße.example/q/Docs1'],
    ['ı in upper case is another host', 'https://kı.example', 'https://kı.example/q/Docs1'],
  ])('stays as typed where %s', (_why, base, address) => {
    expect(qrAddress(base, 'Docs1')).toBe(address);
  });

  test.each(['L', 'M', 'Q', 'H'] as const)('makes a code at level %s that is never larger', (level) => {
    const widths = Array.from({ length: 64 }, (_, length) => {
      const slug = 'aB3'.repeat(22).slice(0, length + 1);
      const typed = encodeSymbol(`https://sl.example.com/q/${slug}`, level).length;
      const chosen = encodeSymbol(qrAddress('https://sl.example.com', slug), level).length;
      expect(chosen).toBeLessThanOrEqual(typed);
      return chosen < typed;
    });
    expect(widths.filter(Boolean).length).toBeGreaterThan(32);
  });
});

describe('modules can be read', () => {
  test.each([
    ['#000', '#fff'],
    ['#f00', '#fff'],
    // The lightest grey with 3:1 on white: 3.03.
    ['#949494', '#fff'],
    ['#000', '#fff0'],
    ['#000', '#0000'],
    ['#000a', '#fff'],
    ['#123', '#fd0'],
  ])('in %s on %s', (dark, light) => {
    expect(isReadable(color(dark), color(light))).toBe(true);
  });

  test.each([
    ['#959595', '#fff', 'the contrast is 2.99'],
    ['#fff', '#000', 'the colours are the wrong way round'],
    ['#f00', '#0f0f', 'red and green differ, but too little in brightness'],
    ['#ff0', '#fff', 'the contrast is 1.07'],
    ['#000', '#000', 'there is no contrast'],
    ['#0000', '#fff', 'the modules are clear'],
    ['#0006', '#fff', 'the modules let too much white through'],
    ['#fff', '#0000', 'the paper behind a clear background is white'],
  ])('not in %s on %s: %s', (dark, light) => {
    expect(isReadable(color(dark), color(light))).toBe(false);
  });
});
