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
.ph{display:block;overflow:hidden;background:var(--tint)}
.ph img{display:block;width:100%;height:100%;object-fit:cover;color:transparent}
.hide{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.skip{position:absolute;inset-inline-start:16px;top:-64px;padding:12px 16px;background:var(--surface);border:1px solid var(--control);border-radius:8px}
.skip:focus{top:16px;z-index:9}
:focus-visible{outline:3px solid var(--focus);outline-offset:2px;box-shadow:0 0 0 2px var(--bg)}
@media(prefers-reduced-motion:no-preference){html{scroll-behavior:smooth}a,button{transition:background-color .12s,border-color .12s}}
@media print{html{background:#fff;color:#000}body{max-width:none;padding:0}.noprint{display:none}}
`);
