import { compactCss } from '../html/compact-css.js';

/**
 * What every page begins with: one type scale, one spacing scale (4, 8, 12, 16, 24, 32, 48, 64 px), one focus ring. The
 * colours are the tokens of theme-css.ts. Each kind of page adds its own part.
 */
export const BASE_STYLE = compactCss(`
*,::before,::after{box-sizing:border-box}
html{background:var(--bg);color:var(--text);-webkit-text-size-adjust:100%;text-size-adjust:100%;overflow-wrap:anywhere}
body{margin:0 auto;padding:32px clamp(16px,4vw,32px);min-height:100vh;min-height:100svh;max-width:calc(36rem + 64px);
  font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","Helvetica Neue",Arial,sans-serif}
h1,h2,h3,p,ul,ol,pre,figure,dl,dd{margin:0;padding:0}
ul,ol{list-style:none}
h1{font-size:clamp(1.5rem,1.25rem + 1.25vw,2.25rem);line-height:1.15;font-weight:700;text-wrap:balance}
h2{font-size:1.375rem;line-height:1.25;font-weight:700}
h3{font-size:1.0625rem;line-height:1.35;font-weight:600}
a{color:var(--link)}
button,input{font:inherit;color:inherit}
.small,footer{font-size:.875rem;line-height:1.45}
.muted,footer,footer a{color:var(--muted)}
footer{margin-top:48px;text-align:center}
footer p+p{margin-top:8px}
footer a{display:inline-block;padding:12px 8px}
[dir=auto]{text-align:start}
.owner{white-space:pre-line}
.sprite{position:absolute}
.i{flex:none;fill:none;stroke:currentColor;stroke-width:2;stroke-linecap:round;stroke-linejoin:round}
/* What leads out points out of the line of reading. */
[dir=rtl] [href="#i-link"]{transform:scaleX(-1);transform-origin:12px}
.ph{display:block;overflow:hidden;background:var(--tint)}
.ph img{display:block;position:relative;width:100%;height:100%;object-fit:cover;color:transparent}
.ph img::after{content:"";position:absolute;inset:0}
/* What stands for a picture that cannot be had: not drawn behind one, which may be transparent. */
.ph:empty,.ph img::after{background:var(--tint) url("data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24' fill='none' stroke='%23888' stroke-width='2' stroke-linecap='round' stroke-linejoin='round'%3E%3Crect x='3' y='4.5' width='18' height='15' rx='2'/%3E%3Ccircle cx='8.5' cy='9.5' r='1.5'/%3E%3Cpath d='m3.5 17 5-4 3.5 3 4-4.5 4.5 4.5'/%3E%3C/svg%3E") center/min(50%,48px) no-repeat}
.btn{display:flex;align-items:center;gap:12px;width:100%;min-height:56px;padding:15px;border:1px solid var(--edge);border-radius:14px;
  background:var(--accent);box-shadow:var(--shadow);color:var(--on);font-weight:600;line-height:1.5;text-align:start;text-decoration:none;cursor:pointer}
.btn.alt{border-color:var(--control);background:var(--surface);color:var(--text)}
@media(hover:hover){.btn:hover{background:var(--hover)}.btn.alt:hover{background:var(--tint)}}
.none{padding:24px 16px;border:1px dashed var(--control);border-radius:14px;color:var(--muted);text-align:center}
.hide{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.skip{position:absolute;inset-inline-start:16px;top:-64px;padding:12px 16px;background:var(--surface);border:1px solid var(--control);border-radius:8px}
.skip:focus{top:16px;z-index:9}
:focus-visible{outline:3px solid var(--focus);outline-offset:2px;box-shadow:0 0 0 2px var(--bg)}
@media(prefers-reduced-motion:no-preference){html{scroll-behavior:smooth}a,button{transition:background-color .12s,border-color .12s}.btn:active{transform:translateY(1px)}}
@media print{:root{color-scheme:light;--bg:#fff;--surface:#fff;--tint:#fff;--text:#000;--muted:#333;--border:#999;--control:#000;--accent:#fff;--on:#000;--hover:#fff;--edge:#000;--link:#000;--shadow:0 0 #0000}
  body{max-width:none;padding:0}.noprint{display:none}}
`);
