import type { Page } from '@smartlink/pages/page';
import { NO_INDEX, NO_SNIFF, NO_STORE, REFERRER_POLICY, createHeads, headerValue } from './reply.js';
import type { Header, Reply } from './reply.js';

// Nothing of a browser's but what our script asks for: copying a snippet and sharing a card, which pages may do unless it is
// switched off (to name the latter makes Chromium on Linux, which cannot share, complain of an unknown feature).
const SWITCHED_OFF =
  'accelerometer autoplay browsing-topics camera display-capture encrypted-media fullscreen geolocation gyroscope hid ' +
  'idle-detection magnetometer microphone midi payment picture-in-picture publickey-credentials-get screen-wake-lock ' +
  'serial usb';
const PERMISSIONS = `${SWITCHED_OFF.replaceAll(' ', '=(), ')}=(), clipboard-write=(self)`;

const COMMON: readonly Header[] = [
  ['Vary', headerValue('Accept-Language, Accept-Encoding')],
  REFERRER_POLICY,
  NO_SNIFF,
  ['Content-Type', headerValue('text/html; charset=utf-8')],
  ['Cross-Origin-Opener-Policy', headerValue('same-origin')],
  ['Permissions-Policy', headerValue(PERMISSIONS)],
];

/** What every page of ours begins with. */
export const htmlHead = createHeads(COMMON);

/** Returns the headers of a page beside `htmlHead`, but for how long it may be kept. */
export function htmlHeaders(page: Omit<Page, 'html'>): readonly Header[] {
  const own: Header[] = [
    ['Content-Language', headerValue(page.language)],
    ['Content-Security-Policy', headerValue(page.policy)],
  ];
  return page.isIndexed ? own : [NO_INDEX, ...own];
}

/** Returns a page that nobody keeps, made for one visitor and so not compressed. */
export function pageReply(code: number, page: Page, extra: readonly Header[] = []): Reply {
  return {
    head: htmlHead(code),
    headers: [NO_STORE, ...htmlHeaders(page), ...extra],
    body: Buffer.from(page.html),
  };
}
