import { headerValue, pageReply } from '../reply.js';
import type { Header, Reply } from '../reply.js';
import { markup } from './html.js';
import { glyph, layout } from './layout.js';

/** The answers that lead nowhere, each a small page, made once at start. */
export type SystemReplies = {
  readonly notFound: Reply;
  readonly paused: Reply;
  readonly gone: Reply;
  readonly unavailable: Reply;
  readonly root: Reply;
};

/** Seconds after which a visitor may well find Redis or Postgres back. */
const RETRY_AFTER_SECONDS = 5;

/** Returns the system pages' answers. */
export function createSystemReplies(): SystemReplies {
  const retryAfter: Header = ['Retry-After', headerValue(String(RETRY_AFTER_SECONDS))];
  return {
    notFound: page(404, SEARCH, 'Page not found', 'Check the address, or scan the code again.'),
    paused: page(404, PAUSE, 'This link is paused', 'It is switched off for now. Try again later.'),
    gone: page(410, CROSS, 'This link was removed', 'Its owner has taken it away.'),
    unavailable: page(503, CLOUD, 'Sorry, something went wrong', 'Try again in a minute.', [retryAfter]),
    root: page(200, LINK, 'Smartlink', 'Short addresses that lead to the right place.'),
  };
}

const SEARCH = glyph(markup`<circle cx="10.5" cy="10.5" r="6.5"></circle><path d="M15.5 15.5 21 21"></path>`);
const PAUSE = glyph(markup`<circle cx="12" cy="12" r="9"></circle><path d="M10 8.5v7M14 8.5v7"></path>`);
const CROSS = glyph(markup`<circle cx="12" cy="12" r="9"></circle><path d="m9 9 6 6M15 9l-6 6"></path>`);
const CLOUD = glyph(
  markup`<path d="M7 18h10a4 4 0 0 0 .6-7.95A6 6 0 0 0 6.1 11.1 3.5 3.5 0 0 0 7 18Z"></path><path d="M12 10v3M12 15.5v.01"></path>`,
);
const LINK = glyph(
  markup`<path d="M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.7-5.7l-1.2 1.2"></path><path d="M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.7 5.7l1.2-1.2"></path>`,
);

function page(
  code: number,
  picture: typeof SEARCH,
  title: string,
  text: string,
  extra: readonly Header[] = [],
) {
  const main = markup`<h1>${title}</h1>
<p>${text}</p>`;
  return pageReply(code, layout({ title, glyph: picture, main }), extra);
}
