import { choice, hexColor } from '../fields.js';

// What the hosted pages have in common (management-api.md; decisions.md, Sizes).

export const BUTTONS_MAX = 100;
/** In code points. */
export const BUTTON_TITLE_LENGTH_MAX = 256;

/** The colour of a page. */
export function themeColor() {
  return hexColor().meta({
    description:
      'The colour of buttons, and what the rest of the page is tinted with: `#` and 3, 4, 6 or 8 hexadecimal digits. Texts on it are black or white, whichever can be read.',
  });
}

/** The order of what a page holds. */
export function layout() {
  return choice(['List', 'Grid']).meta({ description: 'A list, or tiles side by side.' });
}

/** The scheme of a page's colours. */
export function theme() {
  return choice(['Light', 'Dark', 'Auto']).meta({
    description: 'Light, dark, or as the visitor’s device has it.',
  });
}

/** What a button is for, one of `values`. */
export function buttonPreset<const Values extends readonly [string, ...string[]]>(values: Values) {
  return choice(values).meta({
    description: 'What the button is for: its icon. Without one the scheme of the link decides.',
  });
}
