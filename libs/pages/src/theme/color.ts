import { modeLrgb, modeOklch, modeRgb, parseHex, useMode, wcagContrast } from 'culori/fn';

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

const rgbOf = useMode(modeRgb);
const oklchOf = useMode(modeOklch);
// Needed by culori's wcagContrast.
useMode(modeLrgb);

/** The colour written as `#` and 3, 4, 6 or 8 hexadecimal digits (CSS Color 4, 5.2); null for any other text. */
export function parseColor(text: string): Color | null {
  // parseHex itself accepts digits without `#`.
  const parsed = text.startsWith('#') ? parseHex(text) : undefined;
  if (parsed === undefined) return null;
  return { ...toBytes(parsed), alpha: parsed.alpha ?? 1 };
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
  return wcagContrast(toCulori(one), toCulori(other));
}

export function toOklch(color: Color): Oklch {
  const { l, c, h = 0 } = oklchOf(toCulori(color));
  return { lightness: l, chroma: c, hue: h };
}

const CHROMA_STEPS = 18;
// Less than half an 8-bit step even where steps are finest: 0.5 / 255. culori's clampChroma has no tolerance, so the
// brightest yellows lose chroma to the rounding of the matrices.
const GAMUT_TOLERANCE = 1e-3;

/**
 * The nearest 8-bit colour of the same lightness and hue. A colour outside sRGB is brought into it by reducing chroma
 * alone: clipping the channels would turn the hue.
 */
export function toColor({ lightness, chroma, hue }: Oklch): Color {
  const at = (reduced: number) => rgbOf({ mode: 'oklch', l: lightness, c: reduced, h: hue });
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

type Channels = { readonly r: number; readonly g: number; readonly b: number };

function toCulori({ red, green, blue }: Color) {
  return { mode: 'rgb', r: red / 255, g: green / 255, b: blue / 255 } as const;
}

function toBytes({ r, g, b }: Channels): Color {
  const byte = (channel: number) => Math.round(255 * Math.min(1, Math.max(0, channel)));
  return { red: byte(r), green: byte(g), blue: byte(b), alpha: 1 };
}

function isInGamut({ r, g, b }: Channels): boolean {
  return Math.min(r, g, b) >= -GAMUT_TOLERANCE && Math.max(r, g, b) <= 1 + GAMUT_TOLERANCE;
}
