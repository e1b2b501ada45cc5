import { choice, hexColor } from '../fields.js';

// What the hosted pages have in common (management-api.md; decisions.md, Sizes).

export const BUTTONS_MAX = 100;
/** In code points. */
export const BUTTON_TITLE_LENGTH_MAX = 256;

// What the pages do not draw yet is said where it is asked for.

/** The colour of a page. */
export function themeColor() {
  return hexColor().meta({ description: '`#` and 3, 4, 6 or 8 hexadecimal digits. Not shown yet.' });
}

/** The order of what a page holds. */
export function layout() {
  return choice(['List', 'Grid']).meta({ description: 'How the page is laid out. Not shown yet: a list.' });
}

/** The scheme of a page's colours. */
export function theme() {
  return choice(['Light', 'Dark', 'Auto']).meta({
    description: 'Light or dark. Not shown yet: as the device of the visitor has it.',
  });
}

/** What a button is for, one of `values`. */
export function buttonPreset<const Values extends readonly [string, ...string[]]>(values: Values) {
  return choice(values).meta({ description: 'What the button is for. Not shown yet.' });
}
