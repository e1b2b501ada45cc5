import type { PageAppearance } from '../site.js';
import {
  BLACK,
  type Color,
  contrast,
  fitColor,
  formatColor,
  layOver,
  type Mode,
  type Oklch,
  parseColor,
  toColor,
  toOklch,
  WHITE,
} from './color.js';

/** The modes of a page; `Auto` follows the visitor's system. */
export type ColorScheme = 'Light' | 'Dark' | 'Auto';

/** One `<meta name="theme-color">`; `media` is absent if the page has one mode. */
export type ThemeColorMeta = { readonly content: string; readonly media?: string };

export type ThemeCss = {
  /** Of `:root`: `color-scheme`, a property for each colour token, `--shadow`, and `--c1` to `--c4` with `hasCode`. */
  readonly css: string;
  readonly themeColorMetas: readonly ThemeColorMeta[];
};

// An invisible shadow instead of `none`, which is not allowed in a list of shadows.
const SHADOWS: Readonly<Record<Mode, string>> = { light: '0 1px 2px #0000000f', dark: '0 0 #0000' };

/**
 * The colours of a page as CSS and as theme-color metas. No owner's text gets in: every colour is formatted from
 * numbers. `hasCode` adds `--c1` to `--c4`, the colours of comment, string, number and keyword.
 */
export function themeCss(
  themeColor: string | undefined,
  scheme: ColorScheme,
  options: ThemeOptions = {},
): ThemeCss {
  if (scheme !== 'Auto') {
    const mode = scheme === 'Light' ? 'light' : 'dark';
    const { properties, top } = declare(themeColor, mode, options);
    return {
      css: `:root{color-scheme:${mode};${properties}}`,
      themeColorMetas: [{ content: top }],
    };
  }
  const light = declare(themeColor, 'light', options);
  const dark = declare(themeColor, 'dark', options);
  return {
    css:
      `:root{color-scheme:light dark;${light.properties}}` +
      `@media (prefers-color-scheme:dark){:root{${dark.properties}}}`,
    themeColorMetas: [
      { content: light.top, media: '(prefers-color-scheme:light)' },
      { content: dark.top, media: '(prefers-color-scheme:dark)' },
    ],
  };
}

type ThemeOptions = {
  readonly hasCode?: boolean;
  readonly appearance?: PageAppearance | undefined;
};

function declare(
  themeColor: string | undefined,
  mode: Mode,
  { hasCode = false, appearance = {} }: ThemeOptions,
) {
  const tokens = colorTokens(themeColor, mode, appearance);
  const declarations = Object.entries(tokens).map(([name, color]) => `--${name}:${shorten(color)}`);
  declarations.push(`--shadow:${SHADOWS[mode]}`);
  if (hasCode) {
    const { comment, string, number, keyword } = syntaxColors(mode, tokens);
    const colors = [comment, string, number, keyword];
    declarations.push(...colors.map((color, index) => `--c${index + 1}:${shorten(color)}`));
  }
  return { properties: declarations.join(';'), top: tokens.wash ?? tokens.bg };
}

function shorten(color: string): string {
  return color.replace(/^#(.)\1(.)\2(.)\3$/, '#$1$2$3');
}

/** The colours of a page, each `#` and six hexadecimal digits. */
export type ColorTokens = {
  /** The page; `surface` fills cards and fields, `tint` pictures and chips. */
  readonly bg: string;
  readonly surface: string;
  readonly tint: string;
  readonly text: string;
  readonly muted: string;
  /** Decorative lines; `control` outlines controls. */
  readonly border: string;
  readonly control: string;
  /** The owner's colour; `on` is text on it, `hover` its fill under the pointer, `edge` its outline. */
  readonly accent: string;
  readonly on: string;
  readonly hover: string;
  readonly edge: string;
  readonly link: string;
  readonly focus: string;
  /** The fill of soft buttons. */
  readonly soft?: string;
  /** Where a gradient begins, which ends in `bg`. */
  readonly wash?: string;
};

type Palette = {
  readonly ground: Color;
  readonly ink: Color;
  /** Chroma of greys, of `tint`, and of `soft` and `wash`, each a share of the accent's and a limit. */
  readonly greyChroma: Chroma;
  readonly tintChroma: Chroma;
  readonly strongChroma: Chroma;
  /** Lightness of OKLCH by token; null is white. */
  readonly lightness: Readonly<
    Record<'bg' | 'tint' | 'text' | 'border' | 'muted' | 'control' | 'soft' | 'wash', number>
  > & { readonly surface: number | null };
};

type Chroma = { readonly share: number; readonly max: number };

const NEAR_BLACK: Color = { red: 0x11, green: 0x11, blue: 0x11, alpha: 1 };

// A matter of taste: muted, control, link and edge are fitted to their contrast, and a test checks text.
const PALETTES: Readonly<Record<Mode, Palette>> = {
  light: {
    ground: WHITE,
    ink: { red: 0x1f, green: 0x23, blue: 0x28, alpha: 1 },
    greyChroma: { share: 0.08, max: 0.01 },
    tintChroma: { share: 0.35, max: 0.035 },
    strongChroma: { share: 0.5, max: 0.07 },
    lightness: {
      bg: 0.975,
      surface: null,
      tint: 0.94,
      text: 0.23,
      border: 0.89,
      muted: 0.52,
      control: 0.66,
      soft: 0.89,
      wash: 0.92,
    },
  },
  dark: {
    ground: NEAR_BLACK,
    ink: { red: 0xe8, green: 0xea, blue: 0xed, alpha: 1 },
    greyChroma: { share: 0.12, max: 0.014 },
    tintChroma: { share: 0.35, max: 0.045 },
    strongChroma: { share: 0.5, max: 0.08 },
    lightness: {
      bg: 0.175,
      surface: 0.23,
      tint: 0.3,
      text: 0.95,
      border: 0.34,
      muted: 0.72,
      control: 0.52,
      soft: 0.35,
      wash: 0.29,
    },
  },
};

const ALPHA_MIN = 0.1;
// Below this chroma a colour is a grey, and its hue a rounding artefact.
const CHROMA_MIN = 0.02;

// WCAG 2.2 requires 4.5 for text (1.4.3) and 3 for controls (1.4.11). Fitted colours get a little more.
const TEXT_CONTRAST = 4.5;
const GRAPHIC_CONTRAST = 3;

/** Contrast to which text colours are fitted. */
export const FITTED_TEXT_CONTRAST = 4.6;
const FITTED_CONTROL_CONTRAST = 3.1;
const FITTED_EDGE_CONTRAST = 3.05;

// Limits of the accent's lightness in links, before fitting.
const LINK_LIGHTNESS_MAX_LIGHT = 0.75;
const LINK_LIGHTNESS_MIN_DARK = 0.5;

const HOVER_SHARE = 0.1;

/**
 * The colours of a page with the owner's `themeColor`, `#` and 3, 4, 6 or 8 hexadecimal digits. The accent is exactly
 * that colour (composited over white or near-black if translucent); all others follow from it with the contrast WCAG
 * 2.2 AA requires, on every ground that `appearance` adds too. Without a colour, with a nearly clear or a malformed
 * one, the accent is a default ink.
 */
export function colorTokens(
  themeColor: string | undefined,
  mode: Mode,
  { buttonStyle, background }: PageAppearance = {},
): ColorTokens {
  const { ground, lightness, greyChroma, tintChroma, strongChroma } = PALETTES[mode];
  const accent = accentOf(themeColor, PALETTES[mode]);
  const measured = measure(accent);
  const { chroma, hue } = measured;
  const greyOf = (wish: number) => ({ lightness: wish, chroma: limit(greyChroma, chroma), hue });
  const strongOf = (wish: number) => toColor({ lightness: wish, chroma: limit(strongChroma, chroma), hue });
  const bg = background === 'plain' ? ground : toColor(greyOf(lightness.bg));
  const surface = lightness.surface === null ? WHITE : toColor(greyOf(lightness.surface));
  const tint = toColor({ lightness: lightness.tint, chroma: limit(tintChroma, chroma), hue });
  const soft = buttonStyle === 'soft' ? [strongOf(lightness.soft)] : [];
  const wash = background === 'gradient' ? [strongOf(lightness.wash)] : [];
  const grounds = [bg, surface, tint, ...wash];
  const on = inkOn(accent);
  const text = formatColor(toColor(greyOf(lightness.text)));
  return {
    bg: formatColor(bg),
    surface: formatColor(surface),
    tint: formatColor(tint),
    text,
    muted: formatColor(fitColor(greyOf(lightness.muted), FITTED_TEXT_CONTRAST, grounds, mode)),
    border: formatColor(toColor(greyOf(lightness.border))),
    control: formatColor(fitColor(greyOf(lightness.control), FITTED_CONTROL_CONTRAST, grounds, mode)),
    accent: formatColor(accent),
    on: formatColor(on),
    hover: formatColor(hoverOf(accent, on)),
    edge: formatColor(edgeOf(accent, measured, [bg, surface, ...wash], mode)),
    link: formatColor(linkOf(measured, [...grounds, ...soft], mode)),
    focus: text,
    ...Object.fromEntries(soft.map((color) => ['soft', formatColor(color)])),
    ...Object.fromEntries(wash.map((color) => ['wash', formatColor(color)])),
  };
}

function accentOf(themeColor: string | undefined, { ground, ink }: Palette): Color {
  const color = themeColor === undefined ? null : parseColor(themeColor);
  return color === null || color.alpha < ALPHA_MIN ? ink : layOver(color, ground);
}

function measure(accent: Color): Oklch {
  const measured = toOklch(accent);
  return measured.chroma < CHROMA_MIN ? { ...measured, chroma: 0 } : measured;
}

function limit({ share, max }: Chroma, chroma: number): number {
  return Math.min(share * chroma, max);
}

// Black is the last resort and always sufficient: if its contrast is below 4.58, the root of 21, white's is above.
function inkOn(accent: Color): Color {
  return [WHITE, NEAR_BLACK].find((ink) => contrast(ink, accent) >= TEXT_CONTRAST) ?? BLACK;
}

function hoverOf(accent: Color, on: Color): Color {
  const closer = layOver({ ...on, alpha: HOVER_SHARE }, accent);
  if (contrast(on, closer) >= TEXT_CONTRAST) return closer;
  return layOver({ ...(on === WHITE ? BLACK : WHITE), alpha: HOVER_SHARE }, accent);
}

function edgeOf(accent: Color, measured: Oklch, grounds: readonly Color[], mode: Mode): Color {
  if (grounds.every((ground) => contrast(accent, ground) >= GRAPHIC_CONTRAST)) return accent;
  return fitColor(measured, FITTED_EDGE_CONTRAST, grounds, mode);
}

function linkOf(measured: Oklch, grounds: readonly Color[], mode: Mode): Color {
  const lightness =
    mode === 'light'
      ? Math.min(measured.lightness, LINK_LIGHTNESS_MAX_LIGHT)
      : Math.max(measured.lightness, LINK_LIGHTNESS_MIN_DARK);
  return fitColor({ ...measured, lightness }, FITTED_TEXT_CONTRAST, grounds, mode);
}

/** Colours of code by token kind, each `#` and six hexadecimal digits. */
export type SyntaxColors = Readonly<Record<'comment' | 'string' | 'number' | 'keyword', string>>;

type Grounds = Pick<ColorTokens, 'bg' | 'surface' | 'tint'>;

// Green and blue stay distinct with red-green colour blindness; comments are also slanted and keywords bold.
const CODE_HUES = {
  comment: { chroma: 0.025, hue: 255 },
  string: { chroma: 0.13, hue: 145 },
  number: { chroma: 0.15, hue: 255 },
  keyword: { chroma: 0.19, hue: 330 },
} as const;

const CODE_LIGHTNESS = { light: 0.52, dark: 0.75 } as const;

/**
 * The colours of code on `grounds`, by default those of a page without a themeColor, each with a contrast of at least
 * 4.6 to all grounds, including `tint`, which marks the line that the address points at.
 */
export function syntaxColors(mode: Mode, grounds: Grounds = colorTokens(undefined, mode)): SyntaxColors {
  const under = [grounds.bg, grounds.surface, grounds.tint].flatMap((ground) => parseColor(ground) ?? []);
  const fit = (kind: keyof typeof CODE_HUES) =>
    formatColor(
      fitColor({ lightness: CODE_LIGHTNESS[mode], ...CODE_HUES[kind] }, FITTED_TEXT_CONTRAST, under, mode),
    );
  return { comment: fit('comment'), string: fit('string'), number: fit('number'), keyword: fit('keyword') };
}
