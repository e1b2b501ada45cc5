import { buttonHref, buttonIcon, isButtonLink, isSameText, linkTarget } from './button-link.js';
import { compactCss, type Html, markup } from './markup.js';
import { isolated } from './owner-text.js';
import type { PageContext } from './page-context.js';

/** A button of any kind of page. */
export type LinkButton = {
  /** For reports of its presses. */
  readonly id: string;
  readonly title: string;
  readonly link: string;
  readonly iconUrl?: string | undefined;
  readonly preset?: string | undefined;
};

export type ButtonListOptions = {
  readonly slug: string;
  /** Grid: tiles, the icon above the words. A single button is never a tile. */
  readonly layout?: 'List' | 'Grid' | undefined;
  /** Whether each button shows its target below its words. */
  readonly hasTarget?: boolean;
  /** Accessible name of the list. */
  readonly label: string;
};

/**
 * A list of an owner's buttons in the given order, or a sentence if there are none. Its style is BUTTON_LIST_STYLE. A
 * button with a forbidden address is shown as text.
 */
export function buttonList(
  context: PageContext,
  buttons: readonly LinkButton[],
  { slug, layout, hasTarget = false, label }: ButtonListOptions,
): Html {
  if (buttons.length === 0) return emptyNote(context);
  const classes = [
    'buttons',
    ...(isGrid(buttons, layout) ? ['grid'] : []),
    // Two or four tiles make whole rows of two.
    ...(buttons.length === 2 || buttons.length === 4 ? ['pairs'] : []),
    ...(hasTarget ? ['tall'] : []),
  ];
  return markup`<nav aria-label="${label}">
<ul class="${classes.join(' ')}" role="list">
${buttons.map((button) => markup`<li>${listButton(context, slug, button, hasTarget)}</li>\n`)}</ul>
</nav>`;
}

/** Whether buttons are shown as tiles: a single one never is. */
export function isGrid(buttons: readonly unknown[], layout: string | undefined): boolean {
  return layout === 'Grid' && buttons.length > 1;
}

/** Placeholder of an empty page. */
export function emptyNote({ words }: PageContext): Html {
  return markup`<p class="none">${words.empty}</p>`;
}

function listButton(context: PageContext, slug: string, button: LinkButton, hasTarget: boolean): Html {
  const { id, title, link, iconUrl, preset } = button;
  if (!isButtonLink(link)) return markup`<p class="none">${isolated(title)}</p>`;
  const drawn = context.icon(buttonIcon(link, preset));
  const icon =
    context.image(iconUrl, { box: 'tile', shown: 'icon', placeholder: drawn }) ??
    markup`<span class="slot">${drawn}</span>`;
  const target = hasTarget ? linkTarget(link) : null;
  const isShown = target !== null && !isSameText(target, title);
  return markup`<a class="btn" href="${buttonHref(link)}" rel="noopener nofollow ugc"${context.ping(slug, id)}>${icon}<span class="words">${isolated(title)}${isShown ? markup` <small><bdi dir="ltr">${target}</bdi></small>` : null}</span></a>`;
}

/** The style of buttonList, beside `.btn` of the base style. */
export const BUTTON_LIST_STYLE = compactCss(`
.buttons{display:grid;gap:12px}
.buttons .btn{padding-inline:7px 15px}
.words{flex:1;min-width:0}
.words small{display:block;font-size:.875rem;line-height:1.25rem;font-weight:400}
/* As wide as a picture of the owner's, so that all words begin on one line; as high as the first line of words. */
.slot,.tile{flex:none;align-self:start;width:40px}
.slot{display:grid;place-items:center;height:1.5rem}
.tile{--under:var(--accent);height:40px;margin-block:calc(.75rem - 20px);border-radius:8px}
.tile img{object-fit:contain;background:var(--surface)}
.tile .i{margin:8px}
.tall .btn{min-height:64px;padding-block:9px}
.tall .slot{height:2.75rem}
.grid{grid-template-columns:repeat(auto-fit,minmax(max(8.5rem,(100% - 24px)/3),1fr))}
.grid.pairs{grid-template-columns:1fr 1fr}
.grid li{display:grid}
.grid .btn{flex-direction:column;gap:8px;padding:19px 11px;text-align:center}
.grid .words{flex:none;max-width:100%}
.grid .slot,.grid .tile{align-self:center;height:40px;margin:0}
@media print{.buttons .btn{display:block;padding:11px 15px;break-inside:avoid}.slot,.words small{display:none}.btn::after{content:attr(href);display:block;font-size:.875rem;font-weight:400}}
`);
