import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { holdsApiKey, isApiKey } from '@smartlink/smartlink/credentials';
import {
  createSmartlinkValidator,
  multiLineText,
  oneLineText,
  parseContactLink,
  parseDestination,
  snippetText,
} from '@smartlink/smartlink/document';
import { isSlug } from '@smartlink/smartlink/model';
import { trialSize } from '@smartlink/test-support/trial-size';
import { findTimeZone, isDate } from '@smartlink/visits/analytics';
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

const validator = createSmartlinkValidator({ publicBaseUrl: PUBLIC_BASE_URL });

/** What is given a text of a client's, one by one. */
const VALIDATORS: Readonly<Record<string, (text: string) => unknown>> = {
  parseDestination: (text) => parseDestination(text, { publicBaseUrl: PUBLIC_BASE_URL }),
  parseContactLink: (text) => parseContactLink(text, ['tel', 'mailto', 'sms', 'geo', 'whatsapp']),
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
