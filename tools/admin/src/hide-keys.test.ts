import { randomInt, randomUUID } from 'node:crypto';
import { generateApiKey } from '@smartlink/smartlink/api-key';
import { expect, test } from 'vitest';
import { hideKey, hideKeys } from './hide-keys.js';

const KEY = generateApiKey(randomInt);
const SHOWN = KEY.slice(0, 17);

test('a key with any one character mistyped, left out or doubled is hidden but for 8 characters of it', () => {
  for (let i = 0; i < KEY.length; i += 1) {
    for (const typed of ['', '-', ' ', 'x', `${KEY[i]}${KEY[i]}`]) {
      const shown = hideKey(KEY.slice(0, i) + typed + KEY.slice(i + 1));
      expect(shown).toMatch(/^.{1,17}…$/);
      expect(KEY.slice(17)).not.toContain(shown.slice(-5, -1));
    }
  }
});

test.each([
  ['a whole key', KEY, `${SHOWN}…`],
  ['half a key', KEY.slice(0, 30), `${SHOWN}…`],
  ['a key without its beginning', KEY.slice(9), `${KEY.slice(9, 17)}…`],
  ['a key behind a word', `Bearer ${KEY}`, 'Bearer s…'],
  ['a display prefix', SHOWN, SHOWN],
  ['a word', 'laptop', 'laptop'],
])('%s is repeated as far as lists show it', (_, name, shown) => {
  expect(hideKey(name)).toBe(shown);
});

test('an id is repeated as it is', () => {
  const id = randomUUID();
  expect(hideKey(id)).toBe(id);
});

test('keys are cut wherever they stand in a line, and nothing else is', () => {
  expect(hideKeys(`error: unknown command '${KEY}', not "${KEY}x" or ${SHOWN}: see keys list.\n`)).toBe(
    `error: unknown command '${SHOWN}…', not "${SHOWN}…" or ${SHOWN}: see keys list.\n`,
  );
});
