import { fitColor } from './fit-color.js';
import type { Mode } from './fit-color.js';
import { formatHexColor, mix, parseHexColor } from './hex-color.js';
import type { Rgb } from './hex-color.js';
import { contrast, toOklch, toRgb } from './oklch.js';
import type { Oklch } from './oklch.js';

/** The colours of a page, each `#` and six hexadecimal digits. */
export type ColorTokens = {
  /** The page itself; `surface` is what lies on it (cards, fields), `tint` the quiet fill of pictures and chips. */
  readonly bg: string;
  readonly surface: string;
  readonly tint: string;
  readonly text: string;
  readonly muted: string;
  /** A line that only decorates; `control` is one that shows where a control is. */
  readonly border: string;
  readonly control: string;
  /** The owner's colour, `on` what is written on it, `hover` its fill under the pointer, `edge` the line around it. */
  readonly accent: string;
  readonly on: string;
  readonly hover: string;
  readonly edge: string;
  readonly link: string;
  readonly focus: string;
};

type Palette = {
  readonly ground: Rgb;
  readonly ink: Rgb;
  /** Chroma of greys and of `tint`, each a share of the accent's and a limit. */
  readonly greyChroma: Chroma;
  readonly tintChroma: Chroma;
  /** Lightness of OKLCH by token; null is white. */
  readonly lightness: Readonly<Record<'bg' | 'tint' | 'text' | 'border' | 'muted' | 'control', number>> & {
    readonly surface: number | null;
  };
};

type Chroma = { readonly share: number; readonly max: number };

const WHITE: Rgb = { red: 0xff, green: 0xff, blue: 0xff };
const NEAR_BLACK: Rgb = { red: 0x11, green: 0x11, blue: 0x11 };
const BLACK: Rgb = { red: 0, green: 0, blue: 0 };

// A matter of taste. Contrast does not rest on them: muted, control, link and edge are fitted, and a test holds text.
const PALETTES: Readonly<Record<Mode, Palette>> = {
  light: {
    ground: WHITE,
    ink: { red: 0x1f, green: 0x23, blue: 0x28 },
    greyChroma: { share: 0.08, max: 0.01 },
    tintChroma: { share: 0.35, max: 0.035 },
    lightness: { bg: 0.975, surface: null, tint: 0.94, text: 0.23, border: 0.89, muted: 0.52, control: 0.66 },
  },
  dark: {
    ground: NEAR_BLACK,
    ink: { red: 0xe8, green: 0xea, blue: 0xed },
    greyChroma: { share: 0.12, max: 0.014 },
    tintChroma: { share: 0.35, max: 0.045 },
    lightness: { bg: 0.175, surface: 0.23, tint: 0.3, text: 0.95, border: 0.34, muted: 0.72, control: 0.52 },
  },
};

const ALPHA_MIN = 0.1;
// Below it a colour is a grey whose hue is an accident of rounding.
const CHROMA_MIN = 0.02;

// WCAG 2.2, 1.4.3 asks 4.5 of text, 1.4.11 asks 3 of what shows a control. A fitted colour gets a little more.
const TEXT_CONTRAST = 4.5;
const GRAPHIC_CONTRAST = 3;

/** Contrast that colours of text are fitted to. */
export const FITTED_TEXT_CONTRAST = 4.6;
const FITTED_CONTROL_CONTRAST = 3.1;
const FITTED_EDGE_CONTRAST = 3.05;

// A link is as bright or dark as the accent up to here, before it is fitted.
const LINK_LIGHTNESS_MAX_LIGHT = 0.75;
const LINK_LIGHTNESS_MIN_DARK = 0.5;

const HOVER_SHARE = 0.1;

/**
 * Returns the colours of a page whose owner chose `themeColor`, `#` and 3, 4, 6 or 8 hexadecimal digits. The accent is
 * that colour exactly (laid over white or near-black if it lets light through); all else follows from it with the
 * contrast WCAG 2.2 AA asks for. Without a colour, with a nearly clear one or with text of another form, the accent is
 * a default ink.
 */
export function colorTokens(themeColor: string | undefined, mode: Mode): ColorTokens {
  const { lightness, greyChroma, tintChroma } = PALETTES[mode];
  const accent = accentOf(themeColor, PALETTES[mode]);
  const measured = measure(accent);
  const { chroma, hue } = measured;
  const greyOf = (wish: number) => ({ lightness: wish, chroma: limit(greyChroma, chroma), hue });
  const bg = toRgb(greyOf(lightness.bg));
  const surface = lightness.surface === null ? WHITE : toRgb(greyOf(lightness.surface));
  const tint = toRgb({ lightness: lightness.tint, chroma: limit(tintChroma, chroma), hue });
  const grounds = [bg, surface, tint];
  const on = inkOn(accent);
  const text = formatHexColor(toRgb(greyOf(lightness.text)));
  return {
    bg: formatHexColor(bg),
    surface: formatHexColor(surface),
    tint: formatHexColor(tint),
    text,
    muted: formatHexColor(fitColor(greyOf(lightness.muted), FITTED_TEXT_CONTRAST, grounds, mode)),
    border: formatHexColor(toRgb(greyOf(lightness.border))),
    control: formatHexColor(fitColor(greyOf(lightness.control), FITTED_CONTROL_CONTRAST, grounds, mode)),
    accent: formatHexColor(accent),
    on: formatHexColor(on),
    hover: formatHexColor(hoverOf(accent, on)),
    edge: formatHexColor(edgeOf(accent, measured, [bg, surface], mode)),
    link: formatHexColor(linkOf(measured, grounds, mode)),
    focus: text,
  };
}

function accentOf(themeColor: string | undefined, { ground, ink }: Palette): Rgb {
  const color = themeColor === undefined ? null : parseHexColor(themeColor);
  return color === null || color.alpha < ALPHA_MIN ? ink : mix(color, ground, color.alpha);
}

function measure(accent: Rgb): Oklch {
  const measured = toOklch(accent);
  return measured.chroma < CHROMA_MIN ? { ...measured, chroma: 0 } : measured;
}

function limit({ share, max }: Chroma, chroma: number): number {
  return Math.min(share * chroma, max);
}

// Black is the last resort and always one: where it has less than 4.58, the root of 21, white has more.
function inkOn(accent: Rgb): Rgb {
  return [WHITE, NEAR_BLACK].find((ink) => contrast(ink, accent) >= TEXT_CONTRAST) ?? BLACK;
}

function hoverOf(accent: Rgb, on: Rgb): Rgb {
  const closer = mix(on, accent, HOVER_SHARE);
  if (contrast(on, closer) >= TEXT_CONTRAST) return closer;
  return mix(on === WHITE ? BLACK : WHITE, accent, HOVER_SHARE);
}

function edgeOf(accent: Rgb, measured: Oklch, grounds: readonly Rgb[], mode: Mode): Rgb {
  if (grounds.every((ground) => contrast(accent, ground) >= GRAPHIC_CONTRAST)) return accent;
  return fitColor(measured, FITTED_EDGE_CONTRAST, grounds, mode);
}

function linkOf(measured: Oklch, grounds: readonly Rgb[], mode: Mode): Rgb {
  const lightness =
    mode === 'light'
      ? Math.min(measured.lightness, LINK_LIGHTNESS_MAX_LIGHT)
      : Math.max(measured.lightness, LINK_LIGHTNESS_MIN_DARK);
  return fitColor({ ...measured, lightness }, FITTED_TEXT_CONTRAST, grounds, mode);
}
