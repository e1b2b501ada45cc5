import { createHash } from 'node:crypto';
import { headerValue } from '../reply.js';
import type { Page } from '../reply.js';
import { Html, markup } from './html.js';

// One small style for every page of ours, light and dark. Its hash is the only style the pages' policy lets through.
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

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

// The page of a form must let its answer lead to another site, and the policy must not say to which
// (a blocked redirect after the POST was measured in Chromium and WebKit).
const FORM_ACTION = { none: "'none'", link: "'self' https: http:" } as const;

/** Returns a whole page of ours. `form`: its form ends at the link's target. */
export function layout(parts: {
  title: string;
  glyph: Html;
  main: Html;
  form?: keyof typeof FORM_ACTION;
}): Page {
  const page = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${parts.title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<link rel="icon" href="/favicon.ico">
<style>${STYLE_MARKUP}</style>
</head>
<body>
<main>
${parts.glyph}
${parts.main}
</main>
</body>
</html>
`;
  return {
    html: Buffer.from(page.toString()),
    policy: headerValue(
      `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; img-src 'self'; ` +
        `form-action ${FORM_ACTION[parts.form ?? 'none']}; base-uri 'none'; frame-ancestors 'none'`,
    ),
  };
}

// Constant text of ours, with characters that escaping would break and the hash must cover.
const STYLE_MARKUP = new Html([STYLE], []);

/** Returns a line drawing of 48 px, for the eye only. */
export function glyph(path: Html): Html {
  return markup`<svg width="48" height="48" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${path}</svg>`;
}
