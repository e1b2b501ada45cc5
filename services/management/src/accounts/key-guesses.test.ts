import { expect, test } from 'vitest';
import { createKeyGuesses } from './key-guesses.js';

const WINDOW_MS = 60_000;

function createTrial() {
  let time = 0;
  const guesses = createKeyGuesses(() => time);
  const begin = (client = 'one') => guesses.begin(client);
  const end = (guess: ReturnType<typeof begin>, result: 'valid' | 'unknown' | 'failed') => {
    if (guess.kind === 'refused') throw new Error('The guess was refused');
    guess.end(result);
  };
  const guess = (result: 'valid' | 'unknown' | 'failed', client?: string) => {
    end(begin(client), result);
  };
  return { begin, end, guess, advance: (ms: number) => (time += ms) };
}

const refused = (waitMs: number) => ({ kind: 'refused', waitMs });

test('refuses the 61st unknown key until a minute after the first, for this client alone', () => {
  const { begin, guess, advance } = createTrial();
  for (let i = 0; i < 60; i += 1) {
    guess('unknown');
    advance(100);
  }
  expect(begin()).toEqual(refused(WINDOW_MS - 6_000));
  expect(begin('other').kind).toBe('allowed');
  advance(WINDOW_MS - 6_001);
  expect(begin()).toEqual(refused(1));
  advance(1);
  for (let i = 0; i < 60; i += 1) guess('unknown');
  expect(begin()).toEqual(refused(WINDOW_MS));
});

test('valid keys and failed look-ups do not count', () => {
  const { begin, guess } = createTrial();
  for (let i = 0; i < 1_000; i += 1) guess(i % 2 === 0 ? 'valid' : 'failed');
  for (let i = 0; i < 60; i += 1) guess('unknown');
  expect(begin()).toEqual(refused(WINDOW_MS));
});

test('look-ups in progress count until they end', () => {
  const { begin, end } = createTrial();
  const open = Array.from({ length: 60 }, () => begin());
  expect(begin()).toEqual(refused(1_000));
  const [first, ...rest] = open;
  if (first) end(first, 'valid');
  const another = begin();
  expect(another.kind).toBe('allowed');
  for (const guess of [...rest, another]) end(guess, 'unknown');
  expect(begin()).toEqual(refused(WINDOW_MS));
});

test('is bounded: 10,000 later clients replace one', () => {
  const { begin, guess } = createTrial();
  for (let i = 0; i < 60; i += 1) guess('unknown');
  for (let i = 1; i < 10_000; i += 1) guess('unknown', `client ${i}`);
  expect(begin()).toEqual(refused(WINDOW_MS));
  for (let i = 0; i < 10_000; i += 1) guess('unknown', `client ${i}`);
  expect(begin().kind).toBe('allowed');
});
