import { compactCss } from '../html/markup.js';
import type { PageAppearance } from '../site.js';

/** Where buttons are: in a page of its own style, or as the categories of a menu. */
export type ButtonPlace = 'buttons' | 'categories';

type Rules = Readonly<Record<ButtonPlace, string>>;

/**
 * The rules of an owner's choices, after a page's own style; '' for the default look. The colours are tokens of
 * theme-css.ts. On paper and in forced colours every page has the default look, because it has one background there.
 */
export function appearanceCss(appearance: PageAppearance | undefined, place: ButtonPlace): string {
  const { buttonStyle = 'filled', buttonShape = 'rounded', background = 'tint' } = appearance ?? {};
  const rules = STYLES[buttonStyle][place] + SHAPES[buttonShape][place] + BACKGROUNDS[background][place];
  return rules === '' ? '' : `@media screen and (forced-colors:none){${rules}}`;
}

const NONE: Rules = { buttons: '', categories: '' };

// An inset shadow makes the outline 2 px wide without moving the words.
const STYLES: Readonly<Record<NonNullable<PageAppearance['buttonStyle']>, Rules>> = {
  filled: NONE,
  outline: {
    buttons: compactCss(`
.btn:not(.alt){background:none;box-shadow:inset 0 0 0 1px var(--edge);color:var(--link)}
@media(hover:hover){.btn:not(.alt):hover{background:var(--tint)}}
`),
    categories: current(
      'border-color:var(--edge);background:none;box-shadow:inset 0 0 0 1px var(--edge);color:var(--link)',
    ),
  },
  soft: {
    buttons: compactCss(`
.btn:not(.alt){border-color:var(--soft);background:var(--soft);box-shadow:none;color:var(--link)}
@media(hover:hover){.btn:not(.alt):hover{background:var(--tint)}}
`),
    categories: current('border-color:var(--soft);background:var(--soft);color:var(--link)'),
  },
};

/** The chip of the category in view, with script and without. */
function current(declarations: string): string {
  return `nav a[aria-current]{${declarations}}nav ul:not([data-on]) a:target-current{${declarations}}`;
}

// A pill with several lines of words has round corners, not round sides. Chips are pills by default.
const SHAPES: Readonly<Record<NonNullable<PageAppearance['buttonShape']>, Rules>> = {
  rounded: NONE,
  pill: {
    buttons: compactCss(`
.btn,.rows{border-radius:32px}
.buttons .btn{padding-inline:11px 19px}
.grid .btn{padding-inline:15px}
.tile{border-radius:50%}
.rows{overflow:hidden}
`),
    categories: '.field input{border-radius:999px}',
  },
  square: {
    buttons: '.btn,.tile,.rows,.rows .row{border-radius:0}',
    categories: '.field input,nav button,nav a,.menu[class] nav a{border-radius:0}',
  },
};

// A browser that does not know svh shows no gradient.
const GRADIENT =
  'html{background:linear-gradient(var(--wash),var(--bg)) 0 0/100% 100svh no-repeat var(--bg)}';

const BACKGROUNDS: Readonly<Record<NonNullable<PageAppearance['background']>, Rules>> = {
  tint: NONE,
  plain: NONE,
  gradient: {
    buttons: GRADIENT,
    // The bar covers the menu under it, where it does not stand beside it.
    categories: `${GRADIENT}nav{background:var(--wash)}@media(min-width:1200px){nav{background:none}}`,
  },
};
