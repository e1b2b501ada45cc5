// What the hosted pages have in common (management-api.md; decisions.md, Sizes).

export const LAYOUTS = ['List', 'Grid'] as const;
export const THEMES = ['Light', 'Dark', 'Auto'] as const;
export const BUTTONS_MAX = 100;
/** In code points. */
export const BUTTON_TITLE_LENGTH_MAX = 256;
