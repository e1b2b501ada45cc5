import { compactCss } from '../html/compact-css.js';

/** The style of every snippet. `--n` is the width of a line number. */
export const TEXT_STYLE = compactCss(`
body{max-width:calc(80rem + 64px)}
header{margin-bottom:24px}
header p{margin-top:8px}
.bar{display:flex;flex-wrap:wrap;align-items:center;gap:8px;margin-top:16px}
.bar>a,.bar>button{display:inline-flex;align-items:center;gap:8px;min-height:44px;padding:8px 16px;
  border:1px solid var(--control);border-radius:14px;background:var(--surface);color:var(--text);
  font-weight:600;text-decoration:none;cursor:pointer}
@media(hover:hover){.bar>a:hover,.bar>button:hover{background:var(--tint)}}
.bar>[hidden]{display:none}
.bar .i{width:20px;height:20px}
.bar .count{margin:0;margin-inline-start:auto;padding-inline:8px}
.swap{display:grid}
.swap>span{grid-area:1/1;display:flex;align-items:center;gap:8px}
.swap>:last-child,.done .swap>:first-child{visibility:hidden}
.done .swap>:last-child{visibility:visible}
section{overflow-x:auto;padding-block:12px;border:1px solid var(--border);border-radius:14px;background:var(--surface);
  box-shadow:var(--shadow)}
pre{overflow-wrap:normal;tab-size:4;
  font:.875rem/1.55 ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace}
code{display:block;width:max-content;min-width:100%;font:inherit}
code>span{display:block;padding-inline-end:24px}
code>span:target,code>.at{background:var(--tint)}
em{unicode-bidi:isolate;font-style:normal;font-size:0}
em::before{content:"U+" attr(data-u);display:inline-block;margin-inline:2px;padding-inline:4px;border:1px solid var(--control);
  border-radius:4px;background:var(--tint);color:var(--text);font:600 .875rem/1.2 ui-monospace,monospace;
  -webkit-user-select:none;user-select:none}
@media(max-width:30rem){.bar>a,.bar>button{padding-inline:12px}.bar>a .i{display:none}.bar .count{margin:0;padding:0}}
@media print{section{border:0;overflow:visible}pre{white-space:pre-wrap;overflow-wrap:anywhere}code{width:auto}}
`);

/** The style of text whose lines stand as they are or are broken where they must: with their numbers. */
export const NUMBERS_STYLE = compactCss(`
code{counter-reset:l}
code>span::before{counter-increment:l;content:counter(l);position:sticky;inset-inline-start:0;display:inline-block;
  width:calc(var(--n) + 28px);margin-inline-end:12px;padding-inline:16px 12px;background:inherit;
  color:var(--muted);text-align:end;-webkit-user-select:none;user-select:none}
code>span{background:var(--surface)}
`);

/** The style of colours in code. */
export const COLORS_STYLE = compactCss(`
i{color:var(--c1)}
b{color:var(--c2);font-weight:400}
u{color:var(--c3);text-decoration:none}
var{color:var(--c4);font-style:normal;font-weight:600}
i,b{unicode-bidi:isolate}
`);

/** The style of code whose lines are too long to be followed sideways. */
export const WIDE_STYLE = compactCss(`
pre{white-space:pre-wrap;overflow-wrap:anywhere}
code{width:auto}
code>span{position:relative;padding-inline-start:calc(var(--n) + 40px)}
code>span::before{position:absolute}
`);

/** The style of sentences: a letter rather than a listing, each paragraph in the direction of its words. */
export const PROSE_STYLE = compactCss(`
body{max-width:calc(46rem + 64px)}
section{padding:clamp(16px,4vw,32px)}
pre{white-space:pre-wrap;overflow-wrap:anywhere;
  font:1.0625rem/1.65 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","Helvetica Neue",Arial,sans-serif}
code{width:auto;max-width:70ch}
em{unicode-bidi:normal}
code>span{padding:0;unicode-bidi:plaintext;text-align:start}
`);
