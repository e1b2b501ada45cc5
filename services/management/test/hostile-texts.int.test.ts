import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { holdsApiKey, isApiKey } from '@smartlink/smartlink/credentials';
import {
  type ContactScheme,
  createSmartlinkValidator,
  multiLineText,
  oneLineText,
  parseContactLink,
  parseDestination,
  snippetText,
} from '@smartlink/smartlink/document';
import { findTimeZone, isSlug } from '@smartlink/smartlink/model';
import { createRandom } from '@smartlink/test-support/random';
import { trialSize } from '@smartlink/test-support/trial-size';
import { isDate } from '@smartlink/visits/analytics';
import { qrQuerySchema } from '../src/qr/qr.js';
import { isSmartlinkId, parseJsonBody } from '../src/requests.js';
import { readIdempotencyKey } from '../src/smartlinks/documents/idempotency.js';
import { fieldsOf, fullDocument, TYPES, withValue } from './schema-documents.js';
import { PUBLIC_BASE_URL } from './start-service.js';

// No regular expression and no validator takes long over 64 KiB, whatever is in them.

// The goal is 10 ms. Beside other work, and while garbage is collected, a good one has been seen to take 50.
const LIMIT_MS = 100;
const LENGTH = 64 * 1024;
// A first look is shorter: what is quadratic takes 1,000 times as long for 32 times the length.
const SHORT_LENGTH = 2 * 1024;
// Of the texts that attack, an ordinary run tries every nth. Primes, so that all starts, units and ends occur.
const PATTERN_STEP = trialSize(7, 1);
const LONG_STEP = trialSize(59, 7);
const SHORT_STEP = trialSize(23, 1);
const FIELD_STEP = trialSize(479, 119);

const ROOT = path.resolve(import.meta.dirname, '../../..');
const FOLDERS = [
  'libs/smartlink/src',
  'libs/pages/src/qr',
  'libs/pages/src/theme',
  'services/management/src',
];

/** Every regular expression of the sources, with the file it stands in. */
function patternsOf(folder: string): { pattern: RegExp; at: string }[] {
  const files = readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .flatMap((file) => {
      const text = readFileSync(path.join(ROOT, folder, file), 'utf8');
      const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
      const found: { pattern: RegExp; at: string }[] = [];
      const visit = (node: ts.Node): void => {
        if (ts.isRegularExpressionLiteral(node)) {
          const end = node.text.lastIndexOf('/');
          found.push({ pattern: new RegExp(node.text.slice(1, end), node.text.slice(end + 1)), at: file });
        }
        ts.forEachChild(node, visit);
      };
      visit(source);
      return found;
    });
}

const STARTS = [
  '',
  ...'https:// https://a.b/ tel: tel:5 mailto: sms: sms:5 geo:1,1 whatsapp://send?'.split(' '),
  ...['"', '#', 'slk_live_', 'bearer ', 'Bearer a'],
];
const ENDS = ['', '!', '\n'];
const UNITS = [
  ...`5aA0 \t.-_,;=@/\\?&#%+*"'<é😀{[`,
  ...'%20 ;a ;a=b ;ext=5 a@ // &body= (5) ,5 5, .5 5. "a": W/"1", 2026-01-01 a/'.split(' '),
  ...['\u200b', '\u00ad', '\ufe0f', '\u2028', '\ud83d', '\u3164', '\r\n', '5 '],
];

/** Texts of `length` that begin well, go on without end and end badly; of all of them, each `step`th. */
function attacks(length: number, step: number): string[] {
  const all = UNITS.flatMap((unit) => STARTS.flatMap((start) => ENDS.map((end) => ({ start, unit, end }))));
  return all
    .filter((_, i) => i % step === 0)
    .map(
      ({ start, unit, end }) => start + unit.repeat(Math.ceil(length / unit.length)).slice(0, length) + end,
    );
}

/** The time it takes, in milliseconds, without the turns of other processes. */
function timeOf(work: () => unknown): number {
  const startedAt = performance.now();
  const from = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(from);
  return Math.min(performance.now() - startedAt, (user + system) / 1e3);
}

/** The shortest time of three: the first may have met the compiler or the collector. */
const shortestOfThree = (work: () => unknown): number => Math.min(...[work, work, work].map(timeOf));

/** The slowest of these, by name; only what is slow again was slow. */
function findSlowest(works: Iterable<readonly [name: string, work: () => unknown]>) {
  let slowest = { ms: 0, name: '' };
  for (const [name, work] of works) {
    const ms = timeOf(work) > slowest.ms ? shortestOfThree(work) : 0;
    if (ms > slowest.ms) slowest = { ms, name };
  }
  return slowest;
}

test('no regular expression of the sources backtracks', () => {
  const patterns = FOLDERS.flatMap(patternsOf);
  const texts = attacks(SHORT_LENGTH, PATTERN_STEP);
  const slow: string[] = [];
  for (const { pattern, at } of patterns) {
    const match = (text: string) => () => {
      pattern.lastIndex = 0;
      return pattern.test(text);
    };
    const suspects = texts.map((text) => ({ text, ms: timeOf(match(text)) }));
    suspects.sort((a, b) => b.ms - a.ms);
    for (const { text } of suspects.slice(0, 5)) {
      const middle = text.slice(0, text.length - 1);
      const long = middle + middle.slice(-1024).repeat((LENGTH - middle.length) / 1024) + text.slice(-1);
      const ms = shortestOfThree(match(long));
      if (ms > LIMIT_MS) slow.push(`${at} ${String(pattern)}: ${Math.round(ms)} ms`);
    }
  }
  expect(patterns.length).toBeGreaterThan(40);
  expect(slow).toEqual([]);
}, 120_000);

const SCHEMES: readonly ContactScheme[] = ['tel', 'mailto', 'sms', 'geo', 'whatsapp'];
const rules = { publicBaseUrl: PUBLIC_BASE_URL };
const validator = createSmartlinkValidator(rules);

/** What is given a text of a client's, one by one. */
const VALIDATORS: Readonly<Record<string, (text: string) => unknown>> = {
  parseDestination: (text) => parseDestination(text, rules),
  parseContactLink: (text) => parseContactLink(text, SCHEMES),
  isApiKey,
  holdsApiKey,
  isSlug,
  isSmartlinkId,
  isDate,
  findTimeZone,
  oneLineText: (text) => oneLineText(64, 'required').safeParse(text),
  multiLineText: (text) => multiLineText(256, 'required').safeParse(text),
  snippetText: (text) => snippetText(100_000).safeParse(text),
  parseJsonBody: (text) => parseJsonBody(Buffer.from(text)),
  'parseJsonBody of a string': (text) =>
    // Escapes make six characters of one, and it is there twice.
    parseJsonBody(Buffer.from(JSON.stringify({ [text.slice(0, LENGTH / 12)]: text.slice(0, LENGTH / 12) }))),
  readIdempotencyKey: (text) => readIdempotencyKey([text]),
  'the query of a QR code': (text) =>
    qrQuerySchema.safeParse({ id: text, size: text, margin: text, color: text, background: text, ecc: text }),
};

test.each(Object.keys(VALIDATORS))(
  '%s takes 64 KiB of anything in its stride',
  (name) => {
    const work = (text: string) => () => {
      try {
        return VALIDATORS[name]!(text);
      } catch {
        // Refusing by throwing is as good.
        return null;
      }
    };
    // Some look at no more than 2,048 characters, and take their time over those or not at all.
    const texts = [...attacks(LENGTH, LONG_STEP), ...attacks(2_000, SHORT_STEP)];
    const slowest = findSlowest(texts.map((text) => [text.slice(0, 20), work(text)] as const));
    expect(slowest.ms, JSON.stringify(slowest.name)).toBeLessThan(LIMIT_MS);
  },
  60_000,
);

test('no field of a document takes long over 64 KiB', () => {
  const texts = attacks(LENGTH, FIELD_STEP);
  const works = TYPES.flatMap((type) =>
    fieldsOf(type).flatMap(({ path: field }) =>
      texts.map((text) => {
        const hostile = withValue(fullDocument(type), field, text);
        const work = () => validator.validate(hostile, { hasStoredPassword: false });
        return [`${type} ${field.join('.')}`, work] as const;
      }),
    ),
  );
  const slowest = findSlowest(works);
  expect(slowest.ms, slowest.name).toBeLessThan(LIMIT_MS);
}, 120_000);

// The two parsers of addresses, beyond destination-url.test.ts and contact-link.test.ts. hostile-documents shows that every
// field uses them.

const CASES = trialSize(10_000, 100_000);
const OWN_HOST = new URL(PUBLIC_BASE_URL).host;

const ADDRESS_STARTS = [
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
  let text = ADDRESS_STARTS[random(ADDRESS_STARTS.length)]!;
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
