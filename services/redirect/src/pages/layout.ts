import { createHash } from 'node:crypto';
import { headerValue } from '../reply.js';
import type { Page } from '../reply.js';
import { Html, markup } from './html.js';

// One small style for every page of ours, light and dark.
const STYLE = `*{box-sizing:border-box}
html{color-scheme:light dark;text-size-adjust:100%;-webkit-text-size-adjust:100%;background:#f7f7f7;color:#1f2328}
body{margin:0;min-height:100vh;min-height:100svh;display:grid;place-items:center;padding:32px clamp(16px,4vw,32px);
font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","Helvetica Neue",Arial,sans-serif}
main{width:100%;max-width:28rem;text-align:center;overflow-wrap:anywhere}
svg{color:#696969}
h1{margin:16px 0 8px;font-size:clamp(1.5rem,1.25rem + 1.25vw,2.25rem);line-height:1.15;text-wrap:balance}
p{margin:0 0 24px;color:#5b6168}
form{text-align:start}
label{display:block;font-weight:600;margin:0 0 4px}
input{width:100%;min-height:48px;padding:8px 12px;font:inherit;color:inherit;background:#fff;border:1px solid #848484;
border-radius:8px}
button{width:100%;min-height:56px;margin:16px 0 0;padding:12px 16px;font:inherit;font-weight:600;color:#fff;
background:#1f2328;border:1px solid #1f2328;border-radius:14px;cursor:pointer}
a{color:inherit}
.error{margin:0 0 16px;padding:12px 16px;color:#8a1c12;background:#fdecea;border:1px solid #c9473a;border-radius:8px}
:focus-visible{outline:3px solid currentColor;outline-offset:2px}
@media (prefers-color-scheme:dark){html{background:#111;color:#e8eaed}p{color:#a9adb2}svg{color:#a4a4a4}
input{background:#1d1d1d}button{color:#111;background:#e8eaed;border-color:#e8eaed}
.error{color:#ffb4ab;background:#3b1512;border-color:#b3554b}}`;

// What links' own pages have besides: the owner's pictures, texts and lists. The column may be narrower than a line of
// code: that line scrolls by itself and not the page.
const HOSTED_STYLE = `${STYLE}
body{grid-template-columns:minmax(0,1fr);place-items:start center}
main{max-width:36rem}
h2{margin:32px 0 8px;font-size:1.375rem;line-height:1.25}
h3{margin:0;font-size:1.0625rem;line-height:1.35}
header p,li p{white-space:pre-line}
img{display:block;max-width:100%;height:auto;margin:0 auto 16px;border-radius:8px}
.logo{max-height:96px}
.icon{width:24px;height:24px;margin:0;object-fit:contain}
ul{list-style:none;margin:0;padding:0}
.buttons a{display:flex;align-items:center;gap:12px;min-height:56px;margin:0 0 12px;padding:12px 16px;text-align:start;
font-weight:600;text-decoration:none;color:#fff;background:#1f2328;border:1px solid #1f2328;border-radius:14px}
.items{text-align:start}
.items>li{padding:12px 0;border-top:1px solid #d8d8d8}
.items p{margin:4px 0}
.items img{margin:8px 0;max-height:240px}
.price{font-weight:700;white-space:nowrap}
.chips li{display:inline-block;margin:4px 8px 4px 0;padding:2px 12px;border:1px solid #848484;border-radius:999px;
font-size:.875rem}
pre{max-width:100%;margin:0 0 24px;padding:16px;overflow-x:auto;text-align:start;tab-size:4;border:1px solid #848484;
border-radius:8px;font:.875rem/1.55 ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace}
@media (prefers-color-scheme:dark){.buttons a{color:#111;background:#e8eaed;border-color:#e8eaed}
.items>li{border-color:#383838}}`;

/** Returns a whole page of ours. `form`: its form ends at the link's target. */
export function layout(parts: {
  title: string;
  glyph: Html;
  main: Html;
  form?: keyof typeof FORM_ACTION;
}): Page {
  const main = markup`${parts.glyph}
${parts.main}`;
  return wholePage(parts.title, main, SYSTEM_SHEET, {
    images: "'self'",
    formAction: FORM_ACTION[parts.form ?? 'none'],
  });
}

/** Returns a whole page of a link's owner, whose pictures may come from anywhere: they are never fetched by us. */
export function hostedLayout(parts: { title: string; main: Html }): Page {
  return wholePage(parts.title, parts.main, HOSTED_SHEET, {
    images: 'http: https:',
    formAction: FORM_ACTION.none,
  });
}

// The page of a form must let its answer lead to another site, and the policy must not say to which
// (a blocked redirect after the POST was measured in Chromium and WebKit).
const FORM_ACTION = { none: "'none'", link: "'self' https: http:" } as const;

type Sheet = { readonly markup: Html; readonly hash: string };

// Constant text of ours, with characters that escaping would break. Its hash is what the policy lets through.
function sheet(style: string): Sheet {
  return {
    markup: new Html([style], []),
    hash: createHash('sha256').update(style).digest('base64'),
  };
}

const SYSTEM_SHEET = sheet(STYLE);
const HOSTED_SHEET = sheet(HOSTED_STYLE);

function wholePage(
  title: string,
  main: Html,
  style: Sheet,
  allowed: { images: string; formAction: string },
): Page {
  const page = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<link rel="icon" href="/favicon.ico">
<style>${style.markup}</style>
</head>
<body>
<main>
${main}
</main>
</body>
</html>
`;
  return {
    html: Buffer.from(page.toString()),
    policy: headerValue(
      `default-src 'none'; style-src 'sha256-${style.hash}'; img-src ${allowed.images}; ` +
        `form-action ${allowed.formAction}; base-uri 'none'; frame-ancestors 'none'`,
    ),
  };
}

/** Returns a line drawing of 48 px, for the eye only. */
export function glyph(path: Html): Html {
  return markup`<svg width="48" height="48" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${path}</svg>`;
}
