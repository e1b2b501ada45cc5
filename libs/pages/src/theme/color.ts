/** An sRGB colour: channels are whole numbers from 0 to 255, alpha is from 0 (clear) to 1. */
export type Color = {
  readonly red: number;
  readonly green: number;
  readonly blue: number;
  readonly alpha: number;
};

/** Lightness 0 to 1, chroma from 0 (grey) to about 0.33, hue in degrees from 0 to 360. */
export type Oklch = { readonly lightness: number; readonly chroma: number; readonly hue: number };

/** Dark ink on light paper, or the reverse. */
export type Mode = 'light' | 'dark';

export const WHITE: Color = { red: 255, green: 255, blue: 255, alpha: 1 };
export const BLACK: Color = { red: 0, green: 0, blue: 0, alpha: 1 };

const HEX_COLOR = /^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i;

/** The colour written as `#` and 3, 4, 6 or 8 hexadecimal digits (CSS Color 4, 5.2); null for any other text. */
export function parseColor(text: string): Color | null {
  if (!HEX_COLOR.test(text)) return null;
  const digits = text.length <= 5 ? text.slice(1).replaceAll(/./g, '$&$&') : text.slice(1);
  const value = Number.parseInt(digits.padEnd(8, 'f'), 16);
  return {
    red: value >>> 24,
    green: (value >>> 16) & 255,
    blue: (value >>> 8) & 255,
    alpha: (value & 255) / 255,
  };
}

/** `#` and six lower-case hexadecimal digits; alpha is left out. */
export function formatColor({ red, green, blue }: Color): string {
  return `#${((1 << 24) | (red << 16) | (green << 8) | blue).toString(16).slice(1)}`;
}

/** `top` composited over `bottom` (source-over; Compositing and Blending 1, 5.1), channels rounded. */
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

/** The WCAG 2.2 contrast of two opaque colours, from 1 to 21, in either order. */
export function contrast(one: Color, other: Color): number {
  const [first, second] = [luminance(one), luminance(other)];
  return (Math.max(first, second) + 0.05) / (Math.min(first, second) + 0.05);
}

function luminance(color: Color): number {
  const { r, g, b } = toLinear(color);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** Red, green and blue, each from 0 to 1 within sRGB. */
type Channels = { readonly r: number; readonly g: number; readonly b: number };

/** Linear light of the channels (CSS Color 4, 10.2). */
function toLinear({ red, green, blue }: Color): Channels {
  const linear = (byte: number) => {
    const channel = byte / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  };
  return { r: linear(red), g: linear(green), b: linear(blue) };
}

function fromLinear({ r, g, b }: Channels): Channels {
  const encoded = (light: number) => (light > 0.0031308 ? 1.055 * light ** (1 / 2.4) - 0.055 : light * 12.92);
  return { r: encoded(r), g: encoded(g), b: encoded(b) };
}

// The matrices of https://bottosson.github.io/posts/oklab, with the digits of culori.

export function toOklch(color: Color): Oklch {
  const { r, g, b } = toLinear(color);
  const l = Math.cbrt(0.412221469470763 * r + 0.5363325372617348 * g + 0.0514459932675022 * b);
  const m = Math.cbrt(0.2119034958178252 * r + 0.6806995506452344 * g + 0.1073969535369406 * b);
  const s = Math.cbrt(0.0883024591900564 * r + 0.2817188391361215 * g + 0.6299787016738222 * b);
  const lightness = 0.210454268309314 * l + 0.7936177747023054 * m - 0.0040720430116193 * s;
  // Exactly grey, which the rounding of the matrices would give a hue.
  if (color.red === color.green && color.green === color.blue) return { lightness, chroma: 0, hue: 0 };
  const labA = 1.9779985324311684 * l - 2.4285922420485799 * m + 0.450593709617411 * s;
  const labB = 0.0259040424655478 * l + 0.7827717124575296 * m - 0.8086757549230774 * s;
  const hue = (Math.atan2(labB, labA) * 180) / Math.PI;
  return { lightness, chroma: Math.sqrt(labA * labA + labB * labB), hue: hue < 0 ? hue + 360 : hue };
}

function toChannels({ lightness, chroma, hue }: Oklch): Channels {
  const labA = chroma * Math.cos((hue / 180) * Math.PI);
  const labB = chroma * Math.sin((hue / 180) * Math.PI);
  const l = (lightness + 0.3963377773761749 * labA + 0.2158037573099136 * labB) ** 3;
  const m = (lightness - 0.1055613458156586 * labA - 0.0638541728258133 * labB) ** 3;
  const s = (lightness - 0.0894841775298119 * labA - 1.2914855480194092 * labB) ** 3;
  return fromLinear({
    r: 4.0767416360759574 * l - 3.3077115392580616 * m + 0.2309699031821044 * s,
    g: -1.2684379732850317 * l + 2.6097573492876887 * m - 0.3413193760026573 * s,
    b: -0.0041960761386756 * l - 0.7034186179359362 * m + 1.7076146940746117 * s,
  });
}

const CHROMA_STEPS = 18;
// Less than half an 8-bit step even where steps are finest: 0.5 / 255. Without it the brightest yellows lose chroma to the
// rounding of the matrices.
const GAMUT_TOLERANCE = 1e-3;

/**
 * The nearest 8-bit colour of the same lightness and hue. A colour outside sRGB is brought into it by reducing chroma
 * alone: clipping the channels would turn the hue.
 */
export function toColor({ lightness, chroma, hue }: Oklch): Color {
  const at = (reduced: number) => toChannels({ lightness, chroma: reduced, hue });
  let color = at(chroma);
  if (!isInGamut(color)) {
    let inside = 0;
    let outside = chroma;
    for (let step = 0; step < CHROMA_STEPS; step++) {
      const middle = (inside + outside) / 2;
      if (isInGamut(at(middle))) inside = middle;
      else outside = middle;
    }
    color = at(inside);
  }
  return toBytes(color);
}

const LIGHTNESS_STEPS = 20;

/**
 * `wish` as an 8-bit colour with at least the contrast `target` to each of `grounds`: unchanged if it has that
 * already, else made darker in light mode and lighter in dark mode by as little as needed. Black (light) or white
 * (dark) must reach `target`.
 */
export function fitColor(wish: Oklch, target: number, grounds: readonly Color[], mode: Mode): Color {
  const passes = (color: Color) => grounds.every((ground) => contrast(color, ground) >= target);
  const at = (lightness: number) => toColor({ ...wish, lightness });
  const unchanged = at(wish.lightness);
  if (passes(unchanged)) return unchanged;
  let failing = wish.lightness;
  let passing = mode === 'light' ? 0 : 1;
  // Each candidate is judged after rounding to 8 bits, so the result itself has passed.
  for (let step = 0; step < LIGHTNESS_STEPS; step++) {
    const middle = (failing + passing) / 2;
    if (passes(at(middle))) passing = middle;
    else failing = middle;
  }
  return at(passing);
}

function toBytes({ r, g, b }: Channels): Color {
  const byte = (channel: number) => Math.round(255 * Math.min(1, Math.max(0, channel)));
  return { red: byte(r), green: byte(g), blue: byte(b), alpha: 1 };
}

function isInGamut({ r, g, b }: Channels): boolean {
  return Math.min(r, g, b) >= -GAMUT_TOLERANCE && Math.max(r, g, b) <= 1 + GAMUT_TOLERANCE;
}
