import { describe, expect, test } from 'vitest';
import { qrAddress } from './qr-address.js';
import { encodeSymbol } from './qr-symbol.js';

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
