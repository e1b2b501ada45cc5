import { expect, test } from 'vitest';
import { createRandom } from '@smartlink/test-support/random';
import { trialSize } from '@smartlink/test-support/trial-size';
import { cleanVisitorQuery } from './decide.js';

const takenApart = (query: string) => cleanVisitorQuery(`${query}&%78=1`).replace(/&?%78=1$/, '');

test('the fast path for queries without reserved names changes nothing', () => {
  const random = createRandom(3);
  const pieces = ['a', 'qr', 'qr=1', 'Qr', 'q', '=', '&', '&&', 'utm_source=x', '/?:@', '%71r', '+', 'ə'];
  let same = 0;
  for (let i = 0; i < trialSize(3_000, 20_000); i += 1) {
    const query = Array.from({ length: 1 + random(6) }, () => pieces[random(pieces.length)]).join('');
    // An encoded letter in a name disables the fast path; the rest must be the same.
    expect([query, cleanVisitorQuery(query)]).toEqual([query, takenApart(query)]);
    if (cleanVisitorQuery(query) === query) same += 1;
  }
  expect(same).toBeGreaterThan(300);
});

test('the fast path keeps every ASCII character in every position', () => {
  for (let code = 1; code < 128; code += 1) {
    const character = String.fromCharCode(code);
    for (const query of [`${character}a=b`, `a${character}=b`, `a=b${character}`, character]) {
      expect([query, cleanVisitorQuery(query)]).toEqual([query, takenApart(query)]);
    }
  }
});
