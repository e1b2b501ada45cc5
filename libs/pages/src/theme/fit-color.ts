import type { Rgb } from './hex-color.js';
import { contrast, toRgb } from './oklch.js';
import type { Oklch } from './oklch.js';

/** Dark ink on light paper, or the reverse. */
export type Mode = 'light' | 'dark';

const LIGHTNESS_STEPS = 20;

/**
 * Returns `wish` as an 8-bit colour that has at least the contrast `target` with each of `grounds`: unchanged where
 * that is enough, else made darker in light mode and lighter in dark mode by as little as needed. `target` must be one
 * that black (light) or white (dark) reaches.
 */
export function fitColor(wish: Oklch, target: number, grounds: readonly Rgb[], mode: Mode): Rgb {
  const passes = (color: Rgb) => grounds.every((ground) => contrast(color, ground) >= target);
  const at = (lightness: number) => toRgb({ ...wish, lightness });
  const unchanged = at(wish.lightness);
  if (passes(unchanged)) return unchanged;
  let failing = wish.lightness;
  let passing = mode === 'light' ? 0 : 1;
  // Each try is judged after rounding to 8 bits, so what is returned has itself passed.
  for (let step = 0; step < LIGHTNESS_STEPS; step++) {
    const middle = (failing + passing) / 2;
    if (passes(at(middle))) passing = middle;
    else failing = middle;
  }
  return at(passing);
}
