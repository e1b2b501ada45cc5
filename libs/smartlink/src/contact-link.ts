import { HIDDEN, URL_LENGTH_MAX } from './destination-url.js';

/** Schemes that a button may have beside http and https; see decisions.md, URLs, for which button has which. */
export type ContactScheme = 'tel' | 'mailto' | 'sms' | 'geo' | 'whatsapp';

/**
 * Returns the normalised `href` of a link that opens a phone, mail, map or messaging app, or null when it has none of
 * `schemes` or is more than such a link needs to be.
 */
export function parseContactLink(text: string, schemes: readonly ContactScheme[]): string | null {
  if (text.length > URL_LENGTH_MAX || !text.isWellFormed() || HIDDEN.test(text)) return null;
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return null;
  }
  const scheme = schemes.find((known) => url.protocol === `${known}:`);
  if (scheme === undefined || url.href.length > URL_LENGTH_MAX) return null;
  // An encoded NUL ends the text early in what opens it.
  if (url.href.includes('%00') || !isDecodable(url.href)) return null;
  // No URI holds these (RFC 3986); the parser encodes them everywhere but in what precedes the query of such a link.
  if (/["<>\\^`{|}]/.test(url.pathname)) return null;
  return IS_GOOD[scheme](url) ? url.href : null;
}

const IS_GOOD: Readonly<Record<ContactScheme, (url: URL) => boolean>> = {
  // RFC 3966, with the spaces people write and the commas that wait. `*` and `#` would be codes that set up the
  // phone itself (call forwarding, say) and are refused.
  tel: ({ href, pathname }) =>
    /^tel:\+?(?:[0-9().,-]| |%20)+(?:;(?:ext|isub|phone-context)=[\w.+-]+)*$/.test(href) &&
    /^[^;]*[0-9]/.test(decodeURIComponent(pathname)),
  mailto: isMail,
  // RFC 5724, with the ways phones write the text of the message.
  sms: ({ href }) =>
    /^sms:(?:\+?[0-9(). -]+(?:,\+?[0-9(). -]+)*)?(?:;?\?&?body=\S*|[;&]body=\S*)?$/.test(href) &&
    href !== 'sms:',
  // RFC 5870, with the query of maps.
  geo: ({ href }) =>
    /^geo:-?[0-9]+(?:\.[0-9]+)?(?:,-?[0-9]+(?:\.[0-9]+)?){1,2}(?:;[a-z0-9-]+(?:=[\w.-]+)?)*(?:\?\S*)?$/i.test(
      href,
    ),
  whatsapp: ({ href }) => /^whatsapp:\/\/(?:send|chat|call)\/?(?:\?\S*)?$/.test(href),
};

// Headers a link may fill in. Others have made mail programs attach files or send to whom nobody saw.
const MAIL_HEADERS = new Set(['to', 'cc', 'bcc', 'subject', 'body']);

/** RFC 6068: addresses, then header fields; a line break outside of the body would begin another header. */
function isMail(url: URL): boolean {
  // After `mailto://` the parser sees a host and no receiver, and mail programs see one.
  if (url.href.startsWith('mailto:/') || url.hash !== '') return false;
  if (HOLDS_CONTROL.test(decodeURIComponent(url.pathname))) return false;
  const fields = url.search === '' ? [] : url.search.slice(1).split('&');
  const names = fields.map((field) => field.split('=', 1)[0]?.toLowerCase() ?? '');
  if (!names.every((name) => MAIL_HEADERS.has(name))) return false;
  const hasLineBreak = fields.some(
    (field, index) => names[index] !== 'body' && HOLDS_CONTROL.test(decodeURIComponent(field)),
  );
  // Without an address the sender chooses one, so then there must be something else.
  const isWorthwhile = url.pathname === '' ? fields.length > 0 : /[^@\s]@[^@\s]/.test(url.pathname);
  return !hasLineBreak && isWorthwhile;
}

const HOLDS_CONTROL = /\p{Cc}/u;

function isDecodable(href: string): boolean {
  try {
    decodeURIComponent(href);
    return true;
  } catch {
    return false;
  }
}
