import type { Json } from './api-reference-document.js';

// Values that have broken services and that generators seldom find. http, hostile-requests and requests.test.ts have
// the headers, query strings and bodies that are malformed as a whole.

/** The texts that break most; every fourth hostile text is one of these. */
export const WORST_TEXTS: readonly string[] = [
  ...['', '\0', 'a\0b', 'a\ud800', '\u200b', '\ud83d\ude00'.repeat(65), 'x'.repeat(65_536)],
];

/** Numbers in spellings that Number() takes and a parameter does not, or that are no number. */
export const NUMBER_TEXTS: readonly string[] = [
  ...['1e2', '0x50', '0b1111111', '100.0', '+100', ' 100', '100 ', '0100', '-0', '１００', ''],
  ...['NaN', 'Infinity', '99999999999999999999'],
];

export const HOSTILE_TEXTS: readonly string[] = [
  ...['', ' ', '\t', '\u200b', '\u2800\u3164', '\0', 'a\u0001\u001f\u007f', 'a\u0085\u009f', 'a\r\nX: 1'],
  ...['a\u2028b\u2029c', '\u202eevil\u202c', '\u2066a\u2069\ufeff', '\udc00a', '\ufdfa\ufffe\uffff'],
  ...['e\u0301'.repeat(128), '\u{e0001}\u{e0041}', '\u0660\u0661', '\uff41\uff42', 'İıſK', 'пaypаl'],
  ...['%00', '../../etc/passwd', "' or 1=1 --", '$1', '${7*7}{{7*7}}', '<script>alert(1)</script>', '\\'],
  ...['null', 'NaN', 'true', '-1', '0x10', '1e3', '__proto__', 'constructor', 'Dashboard', 'TOS'],
  ...['javascript:alert(1)', 'slk_live_00000000000000000000000000000000000000'],
  `https://example.org/${'\u{1f600}'.repeat(600)}`,
  `https://example.org/${'a'.repeat(2029)}`,
  `https://${'a.'.repeat(130)}org/`,
];

/** Names of members that documents do not have; hostile-documents tries those of stored columns. */
export const HOSTILE_KEYS: readonly string[] = [
  ...['__proto__', 'constructor', 'prototype', 'toString', 'toJSON', 'then', '', '$ne', 'a.b', '0', 'length'],
  ...['id', 'status', 'version', '\0', '\ud800', 'x'.repeat(65_536), 'configuration', 'shortener', 'landing'],
];

export const HOSTILE_NUMBERS: readonly number[] = [
  ...[1e308, Number.MAX_VALUE, 5e-324, 0.1, 2 ** 53 + 2, 1e-7, -1, 1e12, 1_000_000_000_000.001],
];

export const WRONG_TYPES: readonly Json[] = [
  ...[null, true, false, 0, 1, -1, 1.5, '', 'x', '1', 'true', 'null', [], [null], [[]], ['x'], [0], {}],
  ...[{ length: 1 }, { 0: 'x' }, { $ref: '#' }, { toString: 1 }, { value: 'x' }],
];
