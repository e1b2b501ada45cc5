import { compactCss } from '../html/compact-css.js';
import { markup } from '../html/markup.js';
import type { Html } from '../html/markup.js';
import type { PageContext } from '../html/page-context.js';
import type { IconName } from '../parts/icons.js';

/** The style of a page that says one thing in the middle, below a grey glyph: `<main class="notice">`. */
export const NOTICE_STYLE = compactCss(`
body{display:flex;flex-direction:column}
main{width:100%;margin-block:auto;padding-block:16px}
.notice,.notice [dir]{text-align:center}
.notice h1{max-width:30rem;margin-inline:auto}
.glyph{display:flex;align-items:center;justify-content:center;width:88px;height:88px;margin:0 auto 24px;border:1px solid var(--tint);
  border-radius:999px;background:var(--tint);color:var(--muted)}
.glyph .i{width:40px;height:40px;stroke-width:1.75}
.notice h1+p{max-width:28rem;margin:12px auto 0;color:var(--muted);text-wrap:balance}
.act{max-width:20rem;margin:32px auto 0}
.act .btn{justify-content:center;text-align:center}
`);

/** Returns the glyph of such a page. */
export function glyph(context: PageContext, icon: IconName): Html {
  return markup`<div class="glyph">${context.icon(icon)}</div>`;
}
