import { colorTokens, FITTED_TEXT_CONTRAST } from './color-tokens.js';
import type { ColorTokens } from './color-tokens.js';
import { fitColor } from './fit-color.js';
import type { Mode } from './fit-color.js';
import { formatHexColor, parseHexColor } from './hex-color.js';

/** Colours of code by what a piece of it is, each `#` and six hexadecimal digits. */
export type SyntaxColors = Readonly<Record<'comment' | 'string' | 'number' | 'keyword', string>>;

type Grounds = Pick<ColorTokens, 'bg' | 'surface' | 'tint'>;

// Green and blue stay apart for people who confuse red and green; comments and keywords have slant and weight as well.
const HUES = {
  comment: { chroma: 0.025, hue: 255 },
  string: { chroma: 0.13, hue: 145 },
  number: { chroma: 0.15, hue: 255 },
  keyword: { chroma: 0.19, hue: 330 },
} as const;

const LIGHTNESS = { light: 0.52, dark: 0.75 } as const;

/**
 * Returns the colours of code on `grounds`, by default those of a page without a colour of its owner's. Each has a
 * contrast of at least 4.6 with all of them; `tint` counts too, for it marks the line an address points at.
 */
export function syntaxColors(mode: Mode, grounds: Grounds = colorTokens(undefined, mode)): SyntaxColors {
  const under = [grounds.bg, grounds.surface, grounds.tint].flatMap((ground) => parseHexColor(ground) ?? []);
  const fit = (kind: keyof typeof HUES) =>
    formatHexColor(
      fitColor({ lightness: LIGHTNESS[mode], ...HUES[kind] }, FITTED_TEXT_CONTRAST, under, mode),
    );
  return { comment: fit('comment'), string: fit('string'), number: fit('number'), keyword: fit('keyword') };
}
