import { createRandom } from '@smartlink/test-support/random';
import { expect, test } from 'vitest';
import { cleanVisitorQuery } from './query.js';

test('a query that needs no cleaning is the same with or without being taken apart', () => {
  const random = createRandom(3);
  const pieces = [
    'a',
    'qr',
    'qr=1',
    'Qr',
    'q',
    '=',
    '&',
    '&&',
    'utm_source=x',
    '/?:@',
    '%71r',
    '+',
    "'",
    '"',
    '#',
    'ə',
    '[]',
    '\\',
  ];
  let same = 0;
  for (let i = 0; i < 20_000; i += 1) {
    const query = Array.from({ length: 1 + random(6) }, () => pieces[random(pieces.length)]).join('');
    const cleaned = cleanVisitorQuery(query);
    // An encoded letter in a name sends it the long way; what comes of the rest must be the same.
    const theLongWay = cleanVisitorQuery(`${query}&%78=1`).replace(/&?%78=1$/, '');
    expect([query, cleaned]).toEqual([query, theLongWay]);
    if (cleaned === query) same += 1;
  }
  expect(same).toBeGreaterThan(2_000);
});
