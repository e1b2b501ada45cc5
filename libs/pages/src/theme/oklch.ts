import type { Rgb } from './hex-color.js';

/** A colour of OKLCH: lightness 0 to 1, chroma from 0 (grey) to about 0.33, hue in degrees from 0 to 360. */
export type Oklch = { readonly lightness: number; readonly chroma: number; readonly hue: number };

// Linear light of one channel: 0 to 1 within sRGB, beyond that outside it.
type Linear = readonly [red: number, green: number, blue: number];

const CHROMA_STEPS = 18;
// Less than half an 8-bit step even where the steps are finest: 0.5 / 255 / 12.92 is 1.5e-4. With none at all the
// brightest yellows lose chroma to the rounding of the matrices.
const GAMUT_TOLERANCE = 1e-4;

// The transfer function of sRGB (IEC 61966-2-1), byte to linear light.
const LINEAR = Float64Array.from({ length: 256 }, (_, byte) => {
  const value = byte / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
});

/** Returns the colour in OKLCH. The matrices are those of Ottosson, "A perceptual color space for image processing". */
export function toOklch(color: Rgb): Oklch {
  const red = toLinear(color.red);
  const green = toLinear(color.green);
  const blue = toLinear(color.blue);
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
  const b = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
  return {
    lightness: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    chroma: Math.hypot(a, b),
    hue: ((Math.atan2(b, a) * 180) / Math.PI + 360) % 360,
  };
}

/**
 * Returns the nearest 8-bit colour of the same lightness and hue. What sRGB cannot show is brought into it by less
 * chroma alone: cutting the channels would turn the hue.
 */
export function toRgb({ lightness, chroma, hue }: Oklch): Rgb {
  const radians = (hue * Math.PI) / 180;
  const cos = Math.cos(radians);
  const sin = Math.sin(radians);
  const at = (reduced: number) => oklabToLinear(lightness, reduced * cos, reduced * sin);
  let linear = at(chroma);
  if (!isInGamut(linear)) {
    let inside = 0;
    let outside = chroma;
    for (let step = 0; step < CHROMA_STEPS; step++) {
      const middle = (inside + outside) / 2;
      if (isInGamut(at(middle))) inside = middle;
      else outside = middle;
    }
    linear = at(inside);
  }
  return { red: toByte(linear[0]), green: toByte(linear[1]), blue: toByte(linear[2]) };
}

/** Returns the contrast of two colours, from 1 to 21, whichever is the lighter one (WCAG 2.2, Glossary). */
export function contrast(one: Rgb, other: Rgb): number {
  const a = luminance(one);
  const b = luminance(other);
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

function luminance({ red, green, blue }: Rgb): number {
  return 0.2126 * toLinear(red) + 0.7152 * toLinear(green) + 0.0722 * toLinear(blue);
}

function oklabToLinear(lightness: number, a: number, b: number): Linear {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}

function isInGamut([red, green, blue]: Linear): boolean {
  const least = Math.min(red, green, blue);
  return least >= -GAMUT_TOLERANCE && Math.max(red, green, blue) <= 1 + GAMUT_TOLERANCE;
}

function toLinear(byte: number): number {
  return LINEAR[byte] ?? 0;
}

function toByte(linear: number): number {
  const value = Math.min(1, Math.max(0, linear));
  return Math.round(255 * (value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055));
}
