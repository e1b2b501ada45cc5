import { describe, expect, it } from 'vitest';
import { formatHexColor, mix, parseHexColor } from './hex-color.js';

describe('parseHexColor', () => {
  it('reads 3, 4, 6 and 8 digits in any case', () => {
    expect(parseHexColor('#f80')).toEqual({ red: 255, green: 136, blue: 0, alpha: 1 });
    expect(parseHexColor('#F80C')).toEqual({ red: 255, green: 136, blue: 0, alpha: 0.8 });
    expect(parseHexColor('#1a2B3c')).toEqual({ red: 26, green: 43, blue: 60, alpha: 1 });
    expect(parseHexColor('#1A2B3C00')).toEqual({ red: 26, green: 43, blue: 60, alpha: 0 });
  });

  it.each([
    '',
    '#',
    '#12',
    '#12345',
    '#1234567',
    '#123456789',
    '#ggg',
    'f80',
    ' #f80',
    '#f80\n',
    'red',
    '#f80;}',
  ])('reads no colour in %j', (text) => {
    expect(parseHexColor(text)).toBeNull();
  });
});

describe('formatHexColor', () => {
  it('writes six lower-case digits, with leading zeros', () => {
    expect(formatHexColor({ red: 0, green: 10, blue: 255 })).toBe('#000aff');
  });
});

describe('mix', () => {
  it('weighs each channel and rounds it', () => {
    const mixed = mix({ red: 255, green: 0, blue: 10 }, { red: 0, green: 255, blue: 10 }, 0.1);
    expect(mixed).toEqual({ red: 26, green: 230, blue: 10 });
  });
});
