/** Red, green and blue from 0 to 255, alpha from 0 (clear) to 1. */
export type Color = {
  readonly red: number;
  readonly green: number;
  readonly blue: number;
  readonly alpha: number;
};

/**
 * Least contrast between modules and background. 3:1 is what WCAG 2.2, 1.4.11, asks of graphics that must be told
 * from their surroundings. A clean picture is read with far less; the rest is for ink, paper, glare and cheap cameras.
 */
export const CONTRAST_MIN = 3;

const WHITE: Color = { red: 255, green: 255, blue: 255, alpha: 1 };

/** Returns the colour that `#` and 3, 4, 6 or 8 hexadecimal digits name (CSS Color 4, 5.2), or null. */
export function parseColor(text: string): Color | null {
  if (!/^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i.test(text)) return null;
  const digits = text.slice(1);
  const long = digits.length <= 4 ? digits.replace(/./g, '$&$&') : digits;
  const channel = (at: number) => Number.parseInt(long.slice(at, at + 2), 16);
  return {
    red: channel(0),
    green: channel(2),
    blue: channel(4),
    alpha: long.length === 8 ? channel(6) / 255 : 1,
  };
}

/**
 * Returns whether scanners can be expected to read modules of `color` on `background`, shown on white paper: dark on
 * light, which not every scanner reads the other way round, and with a contrast of at least CONTRAST_MIN.
 */
export function isReadable(color: Color, background: Color): boolean {
  const paper = layOver(background, WHITE);
  const light = luminance(paper);
  const dark = luminance(layOver(color, paper));
  // Contrast as WCAG 2.2 defines it; below 1 when the modules are the lighter ones.
  return (light + 0.05) / (dark + 0.05) >= CONTRAST_MIN;
}

/** Returns what `top` over `bottom` looks like (source-over; Compositing and Blending 1, 5.1). Channels are whole. */
export function layOver(top: Color, bottom: Color): Color {
  const alpha = top.alpha + bottom.alpha * (1 - top.alpha);
  const blend = (above: number, below: number) =>
    alpha === 0 ? 0 : Math.round((above * top.alpha + below * bottom.alpha * (1 - top.alpha)) / alpha);
  return {
    red: blend(top.red, bottom.red),
    green: blend(top.green, bottom.green),
    blue: blend(top.blue, bottom.blue),
    alpha,
  };
}

// Relative luminance of sRGB, 0 to 1 (WCAG 2.2, Glossary).
function luminance({ red, green, blue }: Color): number {
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

function linear(channel: number): number {
  const value = channel / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}
