import { compactCss } from '../html/markup.js';
import { byPosition, isVisible } from '../html/owner-text.js';
import type { FromJson, PageSourceOf } from '../site.js';

export type Menu = PageSourceOf<'QrMenu'>['page']['qrMenu'];
type Category = Menu['categories'][number];
export type MenuItem = FromJson<Category['items'][number]>;

/** A category as the page shows it: it has an item at least. */
export type MenuSection = { readonly name: string; readonly items: readonly MenuItem[] };

/**
 * The visible categories and items of a menu by position: without inactive items, and without categories that have no
 * active item.
 */
export function shownSections(menu: Menu): readonly MenuSection[] {
  return byPosition(menu.categories)
    .map(({ name, items }) => ({ name, items: byPosition(items).filter((item) => item.active) }))
    .filter(({ items }) => items.length > 0);
}

/** Arrangement of items: a list with photos, a grid with photos, or a menu without any, which looks like a printed one. */
export type MenuLook = 'cards' | 'tiles' | 'lines';

/** The arrangement of a menu, by its layout and by whether an item has a photo. */
export function lookOf(menu: Menu, sections: readonly MenuSection[]): MenuLook {
  const hasPhotos = sections.some(({ items }) => items.some(({ imageLink }) => imageLink !== undefined));
  if (!hasPhotos) return 'lines';
  return menu.layout === 'Grid' ? 'tiles' : 'cards';
}

/** The sizes of an item; no list and an empty one mean that it has one price. */
export function variantsOf(item: MenuItem): NonNullable<MenuItem['variants']> {
  return item.variants ?? [];
}

/** Estimated heights of sections are multiples of it, so that a menu has few different ones. */
export const HEIGHT_STEP_PX = 50;

/**
 * Estimated height of a section on a phone, in steps of HEIGHT_STEP_PX, at least one. Browsers use it for sections that
 * are not laid out yet. An overestimate makes a jump land too far, which hides the heading in engines without scroll
 * anchoring (measured in WebKit: 67 to 428 px with one height for all), so it is low on purpose.
 */
export function sectionHeightSteps({ items }: MenuSection, look: MenuLook): number {
  const heightPx = ITEM_HEIGHT_PX[look];
  const itemsPx = items.reduce((sum, item) => sum + heightPx(item), 0);
  return Math.max(1, Math.floor((itemsPx * LOW_SHARE) / HEIGHT_STEP_PX));
}

const LOW_SHARE = 0.9;

// Of the style, at 390 px: lines of 23 px, 96 px photos, 12 px between cards, 26 px of padding and border.
const LINE_PX = 23;
const PHOTO_PX = 96;
const CHIP_LINE_PX = 38;
const CARD_PX = 38;
const TILE_PHOTO_PX = 130;
const TILES_ABREAST = 2;

const ITEM_HEIGHT_PX: Readonly<Record<MenuLook, (item: MenuItem) => number>> = {
  cards: (item) => {
    const hasPhoto = item.imageLink !== undefined;
    const textPx = LINE_PX + textHeightPx(item, hasPhoto ? 26 : 40);
    return Math.max(textPx, hasPhoto ? PHOTO_PX : 0) + CARD_PX;
  },
  tiles: (item) => (LINE_PX + textHeightPx(item, 17) + TILE_PHOTO_PX + CARD_PX) / TILES_ABREAST,
  // The price is beside the name.
  lines: (item) => textHeightPx(item, 40) + 25,
};

/** Height of a section on larger screens, which have more columns, as a share of that on a phone. */
export const WIDE_SHARES: Readonly<
  Record<MenuLook, readonly (readonly [widthMinPx: number, share: number])[]>
> = {
  cards: [
    [768, 0.57],
    [1200, 0.5],
    [1600, 0.42],
  ],
  tiles: [
    [768, 0.8],
    [1200, 0.85],
    [1600, 0.47],
  ],
  lines: [
    [768, 0.75],
    [1200, 0.5],
    [1600, 0.45],
  ],
};

function textHeightPx(item: MenuItem, lineLength: number): number {
  const chipsLength = variantsOf(item).reduce((sum, { label }) => sum + label.length + 10, 0);
  const lines =
    Math.ceil(item.name.length / lineLength) +
    (isVisible(item.description) ? Math.min(2, Math.ceil(item.description.length / lineLength)) : 0);
  const chipLines = Math.ceil(chipsLength / lineLength) + ((item.badges?.length ?? 0) > 0 ? 1 : 0);
  return lines * LINE_PX + chipLines * CHIP_LINE_PX;
}

/** The style of a menu. `cards`, `tiles` and `lines` are its looks (MenuLook). */
export const MENU_STYLE = compactCss(`
html{scroll-padding-top:76px}
[hidden]{display:none!important}
body{--pad:clamp(16px,4vw,32px);max-width:calc(72rem + 64px);padding-top:0}
.cover{margin-inline:calc(-1*var(--pad))}
.cover img{height:clamp(7rem,33.3vw,16rem)}
.head{display:grid;grid-template-columns:auto minmax(0,1fr);gap:8px 16px;align-items:center;padding-block:24px 16px}
.head>*{grid-column:1/-1}
.head>.logo{grid-column:1;border-radius:14px}
.logo img{width:72px;height:72px;border:1px solid var(--border);border-radius:14px;object-fit:contain;background:var(--surface)}
.logo~h1{grid-area:1/2}
.cover+.head{padding-top:16px}
.cover+.head .logo{position:relative;margin-top:-56px}
.cover+.head .logo img{width:88px;height:88px}
.side{display:contents}
nav button{flex:none;display:grid;place-items:center;width:44px;height:44px;margin-inline-end:max(var(--pad) - 8px,8px);padding:0;border:1px solid var(--control);border-radius:999px;background:var(--surface);cursor:pointer}
search{display:block;padding-block:0 4px}
.field{position:relative}
.field .i{position:absolute;inset-inline-start:14px;top:calc(50% - 12px);color:var(--muted)}
.field input{width:100%;min-height:48px;padding:10px 40px 10px 46px;border:1px solid var(--control);border-radius:14px;background:var(--surface);appearance:none}
.field input::placeholder{color:var(--muted);opacity:1;text-overflow:ellipsis}
.field input::-webkit-search-cancel-button{display:none}
.field button{position:absolute;inset-inline-end:2px;top:calc(50% - 22px);display:grid;place-items:center;width:44px;height:44px;padding:0;border:0;border-radius:14px;background:none;color:var(--muted);cursor:pointer}
.field button .i{position:static}
search p:empty{display:none}
search p{padding-top:8px}
nav{display:flex;align-items:center;position:sticky;top:0;z-index:2;margin-inline:calc(-1*var(--pad));border-bottom:1px solid var(--border);background:var(--bg)}
nav ul{position:relative;flex:1;min-width:0;display:flex;gap:8px;overflow-x:auto;padding:10px var(--pad);scrollbar-width:none;scroll-target-group:auto;
  -webkit-mask-image:linear-gradient(90deg,#0000,#000 var(--pad),#000 calc(100% - var(--pad)),#0000);mask-image:linear-gradient(90deg,#0000,#000 var(--pad),#000 calc(100% - var(--pad)),#0000)}
nav li{flex:none;max-width:80%}
nav a{display:block;min-height:44px;padding:10px 16px;overflow:hidden;text-overflow:ellipsis;border:1px solid var(--border);border-radius:999px;background:var(--surface);color:var(--text);
  line-height:1.375;text-decoration:none;white-space:nowrap}
nav a[aria-current]{border-color:var(--edge);background:var(--accent);color:var(--on)}
nav ul:not([data-on]) a:target-current{border-color:var(--edge);background:var(--accent);color:var(--on)}
@media(hover:hover){nav a:not([aria-current]):hover{border-color:var(--control);background:var(--tint)}nav ul{scrollbar-width:thin}}
section{margin:0 -8px;padding:24px 8px 8px}
h2{margin-bottom:12px}
.items{display:grid;gap:12px;grid-template-columns:repeat(auto-fill,minmax(min(100%,19rem),1fr))}
.items>li{position:relative;padding:15px;border:1px solid var(--border);border-radius:14px;
  background:var(--surface);box-shadow:var(--shadow);text-align:start}
.items>.f{min-height:128px;padding-inline-end:127px}
.f>.p{position:absolute;top:15px;inset-inline-end:15px;width:96px;height:96px}
.p{--under:var(--surface);border-radius:8px}
bdi{display:block;width:fit-content;font-weight:700;line-height:1.35;font-variant-numeric:tabular-nums}
.items p{margin-top:6px;color:var(--muted);line-height:1.4;white-space:pre-line}
.b,.v{display:flex;flex-wrap:wrap;gap:6px;font-size:.875rem;line-height:1.45}
.b{margin-top:6px}
.v{margin-top:10px}
.b li{padding:2px 10px;border:1px solid #0000;border-radius:14px;background:var(--tint)}
.v li{padding:2px 10px;border:1px solid var(--border);border-radius:14px}
.v bdi{display:inline-block}
summary{display:block;cursor:pointer}
summary::-webkit-details-marker{display:none}
summary::after{content:"";position:absolute;inset:0;border-radius:13px}
summary:focus-visible{outline:0;box-shadow:none}
summary:focus-visible::after{outline:3px solid var(--focus);outline-offset:2px}
@media(hover:hover){li:has(summary:hover){border-color:var(--control)}}
@supports selector(:has(a)){
  details:not([open])~p{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;overflow:hidden}
  details:not([open])~.b li:nth-child(n+5){display:none}
}
.items>li:has([open]){grid-column:1/-1}
[open]>summary{padding-inline-end:32px}
[open]>summary::before{content:"";position:absolute;inset-inline-end:20px;top:24px;width:11px;height:11px;border:solid var(--muted);border-width:2px 0 0 2px;transform:rotate(45deg)}
.items>.f:has([open]){padding-inline-end:15px}
.f>[open]~.p{position:static;width:100%;max-width:36rem;height:auto;aspect-ratio:4/3;margin:16px 0 0}
[open]~.v,dialog .v{display:block;margin-top:12px}
[open]~.v li,dialog .v li{display:flex;justify-content:space-between;gap:16px;padding:8px 0;border:0;border-top:1px solid var(--border);border-radius:0;font-size:1rem}
.v bdi{flex:none;max-width:100%}
.tiles .items{grid-template-columns:repeat(auto-fill,minmax(min(100%,9.75rem),1fr))}
.tiles .items>li{display:flex;flex-direction:column;padding:0 0 12px}
.tiles .items>li>*{margin-inline:12px}
.tiles .items>li>.p{order:-1;margin:0 0 10px;aspect-ratio:4/3;border-radius:13px 13px 0 0}
/* A plate, in the place of a photo. */
.p i,.tiles .p img::after{display:block;height:100%;background:var(--tint) url("data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24' fill='none' stroke='%23888' stroke-opacity='.5' stroke-linecap='round' stroke-linejoin='round'%3E%3Cpath d='M4 3v5a3 3 0 0 0 6 0V3M7 3v18M18.5 21V3c-3 1.5-4.5 4.5-4.5 8v3h4.5'/%3E%3C/svg%3E") center/48px no-repeat}
.tiles .items>li>[open]~.p{max-width:none;max-height:24rem}
.lines .items{display:block;columns:21rem;column-gap:48px}
.lines .items>li{display:grid;break-inside:avoid;grid-template-columns:minmax(0,1fr) fit-content(60%);column-gap:16px;align-content:start;padding:12px 0;border-width:0 0 1px;border-radius:0;background:none;box-shadow:none}
.lines .items>li>*{grid-column:1/-1}
.lines .items>li>:first-child{grid-area:1/1}
.lines .items>li>bdi{grid-area:1/2;justify-self:end}
.lines .items>:only-child{column-span:all}
.lines [open]>summary{padding:0}
.lines [open]>summary::before{content:none}
html:has(dialog[open]){overflow:hidden;scrollbar-gutter:stable}
dialog{width:min(100%,60rem);max-width:100%;max-height:calc(100% - 32px);margin:auto auto 0;padding:0;border:1px solid var(--border);border-width:1px 0 0;border-radius:20px 20px 0 0;
  background:var(--surface);color:var(--text);box-shadow:0 8px 24px #0000002e}
dialog::backdrop{background:#0009}
dialog>button{position:sticky;top:12px;z-index:1;display:grid;place-items:center;width:44px;height:44px;margin:12px 12px -56px auto;padding:0;border:1px solid var(--border);border-radius:999px;
  background:var(--surface);cursor:pointer}
dialog>div{padding:20px 20px 32px;text-align:start}
dialog .p{aspect-ratio:4/3;margin:-20px -20px 20px;border-radius:0}
dialog h3{font-size:1.375rem;line-height:1.25;margin-bottom:4px}
dialog h3:first-child{padding-inline-end:48px}
dialog p{margin-top:12px;color:var(--muted);white-space:pre-line}
dialog>div>bdi{font-size:1.125rem}
.address{display:none}
.none{margin-top:16px}
@media(min-width:768px){
  .cover{margin:24px 0 0;border-radius:14px}
  .head>.logo{grid-row:1/3;align-self:start}
  .logo img{width:96px;height:96px}
  .logo~h1{align-self:end}
  .logo~p{grid-area:2/2;align-self:start}
  .cover+.head .logo{margin-inline-start:24px}
  .cover+.head .logo img{width:112px;height:112px}
  search{max-width:24rem}
  section{padding-top:32px}
  h2{margin-bottom:16px}
  .tiles .items{gap:16px;grid-template-columns:repeat(auto-fill,minmax(13rem,1fr))}
  dialog{margin:auto;border-width:1px;border-radius:14px}
  dialog>div{padding:32px}
  dialog>div:not(:has(.p)){max-width:36rem}
  dialog:not(:has(.p)){width:36rem}
  dialog>div:has(.p){display:grid;grid-template-columns:1fr 1fr;grid-template-rows:repeat(4,auto) 1fr;column-gap:32px;padding:0 32px 0 0}
  dialog>div:has(.p)>*{grid-column:2}
  dialog>div>.p{grid-area:1/1/-1/2;aspect-ratio:auto;min-height:24rem;height:100%;margin:0}
  dialog .p~h3{padding:32px 40px 0 0}
  dialog .p~:last-child{padding-bottom:32px}
}
@media(min-width:1200px){
  .menu:not(.one){display:grid;grid-template-columns:15rem minmax(0,1fr);gap:0 40px;align-items:start}
  .menu>main{grid-column:-2}
  .menu:not(.one) .side{position:sticky;top:0;display:flex;flex-direction:column;max-height:100vh;padding-top:32px}
  .menu:not(.one) nav{position:static;min-height:0;margin:0 -8px;border:0;overflow:hidden;align-items:stretch}
  .menu:not(.one) nav button{display:none}
  .menu:not(.one) nav ul{flex-direction:column;gap:2px;width:100%;padding:8px;overflow:hidden auto;-webkit-mask:none;mask:none}
  .menu:not(.one) nav li{max-width:none}
  .menu:not(.one) nav a{border-color:#0000;border-radius:8px;background:none;white-space:normal;padding-inline:12px}
  .menu:not(.one) nav a[aria-current]{background:var(--tint);color:var(--text);font-weight:600}
  html{scroll-padding-top:8px}
}
/* Two columns, of different heights: a line between them instead of one below each item. */
@media(min-width:800px){.lines .items{column-rule:1px solid var(--border)}.lines .items>li{border:0;padding:10px 0}}
@media(min-width:1600px){body{max-width:calc(89rem + 64px)}}
body:has(.one),body:has(.none){max-width:calc(56rem + 64px)}
@media(forced-colors:active){nav a[aria-current]{border:3px solid Highlight}}
@media(prefers-reduced-motion:no-preference){nav ul{scroll-behavior:smooth}}
@media print{
  nav,search,.skip,dialog,.cover,.logo,.p{display:none!important}
  .menu,.head{display:block!important}
  section{content-visibility:visible!important;break-inside:auto}
  .items{display:block!important;columns:2;column-gap:32px}
  .items>li{break-inside:avoid;min-height:0!important;padding:6px 0!important;border-width:0 0 1px!important;border-radius:0}
  .items>li p{display:block!important}
  .items li li{display:inline-block!important;margin-inline-end:.25em;padding:0;border:0}
  .b,.v{display:block}
  .b li+li::before,.v li+li::before{content:"· "}
  h2{break-after:avoid}
  .address{display:block}
}
`);

/**
 * The style that defers the layout of a long menu's sections until they come near: a large menu was shown after 1.1 s
 * instead of 4.0 s on a slow phone (measured). `heights` are those of sectionHeightSteps; if empty, nothing is deferred.
 */
export function deferredStyle(heights: readonly number[], look: MenuLook): string {
  if (heights.length === 0) return '';
  // A percentage would make the length invalid, and with it the height of the page.
  const length = (share: number): string =>
    `contain-intrinsic-block-size:auto calc(var(--h)*${HEIGHT_STEP_PX * share}px)`;
  const steps = [...new Set(heights)].map((count) => `.h${count}{--h:${count}}`);
  const wide = WIDE_SHARES[look].map(
    ([widthMinPx, share]) => `@media(min-width:${widthMinPx}px){section{${length(share)}}}`,
  );
  // Smooth scrolling over thousands of cards takes long and lays out all of them.
  return `html,nav ul{scroll-behavior:auto!important}section{content-visibility:auto;${length(1)}}${[...steps, ...wide].join('')}`;
}
