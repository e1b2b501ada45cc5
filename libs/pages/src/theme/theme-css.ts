import { colorTokens } from './color-tokens.js';
import type { Mode } from './fit-color.js';
import { syntaxColors } from './syntax-colors.js';

/** Which modes a page has; `Auto` leaves it to the visitor's system. */
export type ColorScheme = 'Light' | 'Dark' | 'Auto';

/** What one `<meta name="theme-color">` says; `media` is absent where the page has one mode. */
export type ThemeColorMeta = { readonly content: string; readonly media?: string };

export type ThemeCss = {
  /** Of `:root`: `color-scheme`, a property for each colour token, `--shadow`, and `--c1` to `--c4` if asked for. */
  readonly css: string;
  readonly themeColorMetas: readonly ThemeColorMeta[];
};

// A shadow that is not seen rather than `none`, so that it can stand in a list of shadows.
const SHADOWS: Readonly<Record<Mode, string>> = { light: '0 1px 2px #0000000f', dark: '0 0 #0000' };

/**
 * Returns the colours of a page as CSS and as what its head says of them. No text of the owner's gets in: every colour
 * is written anew from numbers. `hasCode` adds `--c1` to `--c4`, the colours of comment, string, number and keyword.
 */
export function themeCss(
  themeColor: string | undefined,
  scheme: ColorScheme,
  { hasCode = false }: { readonly hasCode?: boolean } = {},
): ThemeCss {
  if (scheme !== 'Auto') {
    const mode = scheme === 'Light' ? 'light' : 'dark';
    const { properties, bg } = declare(themeColor, mode, hasCode);
    return {
      css: `:root{color-scheme:${mode};${properties}}`,
      themeColorMetas: [{ content: bg }],
    };
  }
  const light = declare(themeColor, 'light', hasCode);
  const dark = declare(themeColor, 'dark', hasCode);
  return {
    css:
      `:root{color-scheme:light dark;${light.properties}}` +
      `@media (prefers-color-scheme:dark){:root{${dark.properties}}}`,
    themeColorMetas: [
      { content: light.bg, media: '(prefers-color-scheme:light)' },
      { content: dark.bg, media: '(prefers-color-scheme:dark)' },
    ],
  };
}

function declare(themeColor: string | undefined, mode: Mode, hasCode: boolean) {
  const tokens = colorTokens(themeColor, mode);
  const declarations = Object.entries(tokens).map(([name, color]) => `--${name}:${shorten(color)}`);
  declarations.push(`--shadow:${SHADOWS[mode]}`);
  if (hasCode) {
    const { comment, string, number, keyword } = syntaxColors(mode, tokens);
    const colors = [comment, string, number, keyword];
    declarations.push(...colors.map((color, index) => `--c${index + 1}:${shorten(color)}`));
  }
  return { properties: declarations.join(';'), bg: tokens.bg };
}

function shorten(color: string): string {
  return color.replace(/^#(.)\1(.)\2(.)\3$/, '#$1$2$3');
}
