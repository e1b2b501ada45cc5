import { compactCss } from '../html/compact-css.js';

/** The style of a DigiCard's page. */
export const CARD_STYLE = compactCss(`
body{max-width:none;padding-top:0}
.band{margin-inline:calc(-1*clamp(16px,4vw,32px));aspect-ratio:3/1;max-height:16rem;border-bottom:1px solid var(--edge);background-color:var(--accent)}
.ph.band{width:auto;border-color:var(--border)}
.ph.band:empty{background:var(--accent)}
/* The ink that stands for a colour is nearly white here: too much of it on a dark page. */
@media(prefers-color-scheme:dark){.plain,.plain:empty{border-color:var(--border);background-color:var(--tint)}}
.name{display:grid;grid-template-columns:minmax(0,1fr) auto;column-gap:16px;margin-bottom:24px}
.name>*{grid-column:1/-1}
.photo{grid-column:1;position:relative;width:112px;height:112px;margin:-56px 0 12px;border:4px solid var(--bg);border-radius:50%;background-color:var(--surface)}
.logo{border-radius:28px}
.logo img{object-fit:contain}
.bare{padding-top:24px}
.bare h1{grid-column:1;padding-top:4px}
.long h1{font-size:1.25rem;line-height:1.3}
.share{grid-area:1/2;width:auto;min-height:44px;margin-top:12px;padding:9px 15px 9px 11px;gap:8px;align-self:start}
.share[hidden]{display:none}
.bare .share{margin-block:-4px}
.role{margin-top:4px;color:var(--muted)}
.save{justify-content:center;text-align:center}
.help{margin-top:8px;text-align:center;text-wrap:balance}
.rows{margin-top:32px;border:1px solid var(--border);border-radius:14px;background:var(--surface);box-shadow:var(--shadow)}
li+li{border-top:1px solid var(--border)}
.row{position:relative;display:flex;align-items:center;gap:16px;min-height:64px;padding:11px 15px}
.row:first-child{border-start-start-radius:13px;border-start-end-radius:13px}
.row:last-child{border-end-start-radius:13px;border-end-end-radius:13px}
.row a{color:var(--text);text-decoration:none}
.row a::after{content:"";position:absolute;inset:0;border-radius:8px}
.row a:focus-visible{outline:0;box-shadow:none}
.row a:focus-visible::after{outline:3px solid var(--focus);outline-offset:-3px}
.mark{flex:none;display:grid;place-items:center;width:40px;height:40px;border-radius:8px;background:var(--tint);color:var(--link)}
.words{min-width:0;font-weight:600}
.words small{display:block;width:fit-content;padding-inline-end:24px;font-size:1rem;font-weight:400;color:var(--muted)}
@media(hover:hover){.row:has(a):hover{background:var(--tint)}}
/* With a mouse the number is there to be selected; a finger calls it. */
@media(pointer:fine){.words small{position:relative;z-index:1}}
@media(min-width:768px){
  body{max-width:calc(56rem + 64px);padding-top:48px}
  main{display:grid;grid-template-columns:minmax(0,5fr) minmax(0,6fr);gap:32px;align-items:start}
  .alone{grid-template-columns:minmax(0,26rem);justify-content:center}
  .who{position:sticky;top:32px;max-height:calc(100vh - 64px);overflow:auto;padding:0 24px 24px;border:1px solid var(--border);border-radius:14px;background:var(--surface);box-shadow:var(--shadow)}
  .band{margin-inline:-24px}
  .photo{border-color:var(--surface)}
  .name:not(.long) h1{font-size:1.75rem}
  .rows{margin-top:0}
}
@media print{.band,.share,.mark{display:none}.who{position:static;max-height:none}.photo{margin-top:0}.row{min-height:0}.row a[href^=http]::after{content:" " attr(href);position:static;font-weight:400}}
`);
