import { expect, test } from 'vitest';
import { type ContactScheme, parseContactLink, parseDestination } from '@smartlink/smartlink/document';
import { createRandom } from '@smartlink/test-support/random';
import { trialSize } from '@smartlink/test-support/trial-size';

// The two parsers of addresses, beyond destination-url.test.ts and contact-link.test.ts. hostile-documents shows that every
// field uses them.

const CASES = trialSize(10_000, 100_000);
const OWN_HOST = 'sl.example.com';
const SCHEMES: readonly ContactScheme[] = ['tel', 'mailto', 'sms', 'geo', 'whatsapp'];

const STARTS = [
  ...['https://good.com', 'http://', 'https://', 'mailto:a@example.org', 'tel:+5', 'sms:5', 'geo:1,2'],
  ...['whatsapp://send', ''],
];
const PIECES = [
  ...['https://', 'http://', 'HTTP://', 'good.com', 'evil.com', OWN_HOST, '127.0.0.1', 'localhost', '[::1]'],
  ...'@\\/:#?%.\t \0\u00ad\u200b\u2028。／＠＃😀é&;,=-+*"\'<>{|^`аſ\u212a\u013015a',
  '\ud800',
  ...['//', '..', '%00', '%0a', '%2f', '%5c', '%40', '%23', '%20', '%2a', '\r\n', '%0D%0A'],
  ...['0x7f', 'xn--', '1,2', 'tel:', 'mailto:', 'sms:', 'geo:', 'javascript:', 'data:', 'a@b.org'],
  ...['body=', 'subject=', '?subject=', '&bcc=', ';ext='],
];

function mutated(random: (below: number) => number): string {
  let text = STARTS[random(STARTS.length)]!;
  for (let i = random(7); i >= 0; i -= 1) {
    const at = random(3) > 0 ? text.length : random(text.length + 1);
    text = text.slice(0, at) + PIECES[random(PIECES.length)]! + text.slice(at);
  }
  return text;
}

const NON_PUBLIC =
  /^(?:0|10|127|169\.254|172\.(?:1[6-9]|2\d|3[01])|192\.168|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])|22[4-9]|2[3-5]\d)\.[\d.]*$/;

// The URL standard lets the rest stand in a query or a fragment.
const HOLDS_MARKUP = /[\s"<>]|\p{Cc}/u;

/** The danger of a web address that was taken as `href`, or null. */
function destinationProblem(text: string, href: string): string | null {
  const parsed = new URL(href);
  const authority = /^https?:\/\/([^/?#]*)/.exec(href)?.[1] ?? '';
  const host = authority.replace(/:\d+$/, '');
  if (parsed.href !== href) return 'parses to something else';
  if (host !== parsed.hostname) return 'has another host for RFC 3986';
  if (!/^[a-z0-9_-]+(?:\.[a-z0-9_-]+)+\.?$/.test(host)) return 'has a host that is no public name';
  if (NON_PUBLIC.test(host) || host.replace(/\.$/, '') === OWN_HOST) return 'leads inside';
  if (HOLDS_MARKUP.test(href) || /^[^?#]*\\/.test(href)) return 'holds what must be encoded';
  // Where the host as typed is a plain name, it is the one that is gone to.
  const typed = /^https?:\/\/([a-z0-9.-]+)(?=[:/?#]|$)/i.exec(text)?.[1]?.toLowerCase() ?? host;
  return typed === host || /^[0-9]/.test(typed) ? null : 'goes elsewhere than the text says';
}

/** The danger of a contact link that was taken as `href`, or null. */
function contactProblem(href: string): string | null {
  if (new URL(href).href !== href) return 'parses to something else';
  if (!/^(?:tel|mailto|sms|geo):|^whatsapp:\/\//.test(href)) return 'has another scheme';
  if (HOLDS_MARKUP.test(href.replaceAll(' ', '')) || /^[^?#]*[\\^`{|}]|^\s|\s$/.test(href))
    return 'holds what must be encoded';
  if (/^tel:.*(?:[*#]|%2a|%23)/i.test(href)) return 'is a code for the phone';
  if (/^sms:[^?;&]*(?:[*#]|%2a|%23)/i.test(href)) return 'is a code for the phone';
  const withoutBody = href.startsWith('mailto:') ? href.replace(/([?&])body=[^&]*/gi, '$1') : '';
  return /[\r\n\0]/.test(decodeURIComponent(withoutBody)) ? 'has a header of its own' : null;
}

const rules = { publicBaseUrl: `https://${OWN_HOST}` };

test.each([
  ...['http://198.18.0.1/', 'http://198.51.100.1/', 'http://224.0.0.1/', 'http://1.2.3.4.5/'],
  ...['http://nas.home.arpa/', 'https://ex\ufe0fample.org/', 'https://example.org/\u2028x'],
  ...['view-source:https://example.org/', 'https://evil.com\\.good.com', 'whatsapp://send@evil.example/'],
  ...['tel:5;phone-context=*#06#', 'geo:1,2;u=a/b', 'sms:5;x=1'],
  'mailto:a@example.org?subject=x%C2%85Bcc:%20b@example.org',
  ...[`https://${'a'.repeat(64)}.org/`, `https://${'a.'.repeat(127)}org/`],
  // Too long only after encoding.
  `https://example.org/${'ä'.repeat(700)}`,
])('%j is neither a destination nor a contact', (address) => {
  expect([parseDestination(address, rules), parseContactLink(address, SCHEMES)]).toEqual([null, null]);
});

// What is taken must read the same to every reader: RFC 3986's grammar, the WHATWG parser, and a person.
test('no accepted address out of random mixtures of attacks can be read in two ways', () => {
  // The same addresses in every run, so that a find can be found again.
  const random = createRandom(20_260_301);
  const unsafe: string[] = [];
  let taken = 0;
  for (let i = 0; i < CASES; i += 1) {
    const text = mutated(random);
    const destination = parseDestination(text, rules);
    const contact = parseContactLink(text, SCHEMES);
    if (destination !== null || contact !== null) taken += 1;
    const problem =
      (destination === null ? null : destinationProblem(text, destination)) ??
      (contact === null ? null : contactProblem(contact));
    if (problem !== null) unsafe.push(`${JSON.stringify(text)} ${problem}`);
  }
  expect(unsafe).toEqual([]);
  expect(taken).toBeGreaterThan(CASES / 100);
});
