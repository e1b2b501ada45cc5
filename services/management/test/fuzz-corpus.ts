import type { Json } from './api-reference-document.js';
import { raw } from './fuzz-json.js';

// What generators hardly find by themselves. Not secret, not complete: each is something that broke a service somewhere.

/** Those that break most: every fourth hostile text is one of these. */
export const WORST_TEXTS: readonly string[] = [
  '',
  '\0',
  'a\0b',
  'a\ud800',
  '\u200b',
  '\ud83d\ude00'.repeat(65),
  'x'.repeat(65_536),
];

/** Numbers in spellings that Number() takes and a parameter does not, or that are no number. */
export const NUMBER_TEXTS: readonly string[] = [
  '1e2',
  '0x50',
  '0b1111111',
  '100.0',
  '+100',
  ' 100',
  '100 ',
  '0100',
  '-0',
  '１００',
  '',
  'NaN',
  'Infinity',
  '99999999999999999999',
];

export const HOSTILE_TEXTS: readonly string[] = [
  '',
  ' ',
  '\t',
  '\u200b',
  '\u2800\u3164',
  '\u0000',
  'a\u0000b',
  'a\u0001\u001f\u007f',
  'a\u0085\u009f',
  'a\r\nX-Header: 1',
  'a\u2028b\u2029c',
  '\u202eevil\u202c',
  '\u2066a\u2069\ufeff',
  'a\ud800',
  '\udc00a',
  '\ud83d\ude00'.repeat(64),
  '\ud83d\ude00'.repeat(65),
  'e\u0301'.repeat(128),
  '\u{e0001}\u{e0041}',
  '\ufdfa\ufffe\uffff',
  'x'.repeat(65_536),
  '\u0660\u0661',
  '\uff41\uff42',
  'İıſK',
  'пaypаl',
  '%00',
  '%2e%2e%2f',
  '../../etc/passwd',
  "' or 1=1 --",
  '"; drop table smartlinks; --',
  '$1',
  '${7*7}{{7*7}}',
  '<script>alert(1)</script>',
  '\\',
  '\\u0000',
  'null',
  'undefined',
  'NaN',
  'true',
  '-1',
  '0x10',
  '1e3',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'Dashboard',
  'TOS',
  'javascript:alert(1)',
  `https://example.org/${'\u{1f600}'.repeat(600)}`,
  `https://example.org/${'a'.repeat(2028)}`,
  `https://example.org/${'a'.repeat(2029)}`,
  `https://${'a.'.repeat(130)}org/`,
  'slk_live_00000000000000000000000000000000000000',
];

export const HOSTILE_KEYS: readonly string[] = [
  ...[
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'valueOf',
    'toJSON',
    'then',
    '',
    ' ',
    '.',
    '$ne',
    '$where',
  ],
  ...['id', 'status', 'userId', 'version', 'createdAt', 'analytics', 'relink', 'deletedAt', 'password_hash'],
  ...[
    'a.b',
    '0',
    'length',
    'ключ',
    '\u0000',
    '\ud800',
    'x'.repeat(65_536),
    'configuration',
    'shortener',
    'landing',
  ],
];

export const HOSTILE_NUMBERS: readonly Json[] = [
  ...['-0', '-0.0', '1e308', '1.7976931348623157e308', '1e309', '-1e999', '5e-324', '4.9e-325', '0.1'].map(
    raw,
  ),
  ...['9007199254740993', '12345678901234567890', '1e-7', '1E+2', '-1', '1e12', '1000000000000.0001'].map(
    raw,
  ),
];

export const WRONG_TYPES: readonly Json[] = [
  ...[null, true, false, 0, 1, -1, 1.5, '', 'x', '1', 'true', 'null', [], [null], [[]], ['x'], [0], {}],
  ...[{ length: 1 }, { 0: 'x' }, { $ref: '#' }, { toString: 1 }, { value: 'x' }],
];

/** Bodies that are no JSON that everybody reads alike, made of one that is. */
export const BROKEN_BODIES: Readonly<Record<string, (text: string) => string | Buffer>> = {
  'cut off': (text) => text.slice(0, -1),
  'cut in half': (text) => text.slice(0, text.length / 2),
  empty: () => '',
  'two values': (text) => `${text}${text}`,
  'byte-order mark': (text) => `\ufeff${text}`,
  'single quotes': (text) => text.replaceAll('"', "'"),
  'trailing comma': (text) => text.replace(/}$/, ',}'),
  comment: (text) => `/**/${text}`,
  NaN: (text) => text.replace(/}$/, ',"x":NaN}'),
  'raw control': (text) => text.replace(/}$/, ',"x":"\u0001"}'),
  'UTF-16': (text) => Buffer.from(text, 'utf16le'),
  'bad UTF-8': (text) => Buffer.from(text.replace(/}$/, ',"x":"\xff"}'), 'latin1'),
  'duplicate key': (text) => text.replace(/}$/, ',"x":1,"x":2}'),
  'escaped duplicate': (text) => text.replace(/}$/, ',"x":1,"\\u0078":2}'),
  'escaped __proto__': (text) => text.replace(/}$/, ',"\\u005f_proto__":{}}'),
  'lone surrogate': (text) => text.replace(/}$/, ',"x":"\\ud800"}'),
  '17 levels': (text) => text.replace(/}$/, `,"x":${'['.repeat(16)}1${']'.repeat(16)}}`),
  '50,000 levels': () => `${'['.repeat(50_000)}${']'.repeat(50_000)}`,
  'more than a mebibyte': (text) => `${text}${' '.repeat(1024 * 1024)}`,
};

/** Headers that a request may have beside or in place of its own. What a parser of HTTP refuses is not among them. */
export const HOSTILE_HEADERS: readonly (readonly [string, string])[] = [
  ...['', 'Bearer', 'Bearer ', 'Basic YTpi', 'bearer slk_live_', `Bearer ${'x'.repeat(10_000)}`].map(
    (value) => ['authorization', value] as const,
  ),
  ['authorization', 'Bearer slk_live_00000000000000000000000000000000000000'],
  ...[
    '',
    'text/plain',
    'application/json; charset=utf-16',
    'application/json;charset="UTF-8"',
    'json',
    '\xff',
  ].map((value) => ['content-type', value] as const),
  ...[
    'multipart/form-data; boundary=x',
    'application/x-www-form-urlencoded',
    'application/json, text/plain',
  ].map((value) => ['content-type', value] as const),
  ...['text/html', '*/*;q=0', 'application/xml', '\xe9', 'x'.repeat(5_000)].map(
    (value) => ['accept', value] as const,
  ),
  ...['gzip', 'identity', 'br, gzip', ''].map((value) => ['content-encoding', value] as const),
  ...['0', '1', '-1', '1e3', '99999999999999999999', 'x', ''].map(
    (value) => ['content-length', value] as const,
  ),
  ...['', '*', '"0"', 'W/"1"', '"a", "b"', '"', ','.repeat(1_000), '\xff'].map(
    (value) => ['if-match', value] as const,
  ),
  ...['*', '""', '"x"', '\xff'].map((value) => ['if-none-match', value] as const),
  ...['', ' ', 'x'.repeat(255), 'x'.repeat(256), 'a b', '\xff', '\t', '__proto__'].map(
    (value) => ['idempotency-key', value] as const,
  ),
  ['origin', 'https://evil.example'],
  ['expect', '100-continue'],
  ['transfer-encoding', 'chunked'],
  ['x-http-method-override', 'DELETE'],
  ['x-forwarded-for', '127.0.0.1'],
  ['x-request-id', 'mine'],
  ['range', 'bytes=0-1'],
  ['upgrade', 'h2c'],
  ['__proto__', 'x'],
];

/** Query strings that are not made of names and values. */
export const JUNK_QUERIES: readonly string[] = [
  ...[
    '?',
    '&',
    '=',
    '&&==',
    '%',
    '%zz',
    '%00=%00',
    '?id',
    'id',
    'id&id',
    'id=%ff%fe',
    'id=%ed%a0%80',
    'id[]=1',
  ],
  ...['id[0]=1', 'id[a]=1', 'id;x=1', '__proto__=1', '__proto__[id]=1', 'constructor=1', 'id=1#x'],
  ...['q=%', 'q=+'],
  ...[`q=${'x'.repeat(8_000)}`, 'a=1&'.repeat(2_000)],
];
