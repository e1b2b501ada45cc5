import { expect, test } from 'vitest';
import { createFairTurns, type FairTurns, type Turn } from './fair-turns.js';

/** Something due for `count` webhooks of a user. */
const dueOf = (userId: string, count: number, isFailing = false): Turn[] =>
  Array.from({ length: count }, (_, i) => ({ webhookId: `${userId}${i}`, userId, isFailing }));

/** Something due for twenty webhooks of each of `count` users. */
const dueOfUsers = (count: number, isFailing = false): Turn[] =>
  Array.from({ length: count }, (_, i) => dueOf(`user-${i}-`, 20, isFailing)).flat();

/** Begins what is chosen. Returns the webhooks, one for each attempt, and what ends the attempts. */
function beginChosen(turns: FairTurns, due: readonly Turn[]) {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  for (const { webhookId, places } of turns.choose(due)) {
    for (let i = 0; i < places; i += 1) {
      begun.push(webhookId);
      ends.push(turns.begin(due.find((turn) => turn.webhookId === webhookId)!));
    }
  }
  return { begun, ends };
}

const countOf = (begun: readonly string[], userId: string) =>
  begun.filter((webhookId) => webhookId.startsWith(userId)).length;

test('a webhook has two attempts at once, a user eight, a process sixty-four', () => {
  const turns = createFairTurns();
  expect(beginChosen(turns, dueOf('a', 1)).begun).toEqual(['a0', 'a0']);
  expect(beginChosen(turns, dueOf('a', 20)).begun).toHaveLength(6);
  expect(turns.choose(dueOf('a', 20))).toEqual([]);
  const others = dueOfUsers(10);
  expect(beginChosen(turns, others).begun).toHaveLength(56);
  expect(turns.hasRoom()).toBe(false);
  expect(turns.choose(dueOf('z', 1))).toEqual([]);
});

test('a failing webhook has one attempt at once, a user’s failing ones four, all of them sixteen', () => {
  const turns = createFairTurns();
  expect(beginChosen(turns, dueOf('a', 2, true)).begun).toEqual(['a0', 'a1']);
  expect(beginChosen(turns, dueOf('a', 20, true)).begun).toHaveLength(2);
  const others = dueOfUsers(10, true);
  expect(beginChosen(turns, others).begun).toHaveLength(12);
  expect(beginChosen(turns, dueOf('z', 4)).begun).toHaveLength(8);
  // Of the users whose others fail, those that work.
  const working = { webhookId: 'works', userId: 'a', isFailing: false };
  expect(beginChosen(turns, [working]).begun).toEqual(['works', 'works']);
});

test('a free slot goes to the user with the fewest running attempts', () => {
  const turns = createFairTurns();
  const attackers = dueOfUsers(8);
  const { ends } = beginChosen(turns, attackers);
  expect(turns.hasRoom()).toBe(false);
  ends[0]!();
  expect(turns.choose([...attackers, ...dueOf('z', 1)])).toEqual([{ webhookId: 'z0', places: 1 }]);
});

test('users share the room alike, however many webhooks they have', () => {
  const turns = createFairTurns();
  const due = [...dueOfUsers(15), ...dueOf('z', 2)];
  const { begun } = beginChosen(turns, due);
  expect(begun).toHaveLength(64);
  expect(countOf(begun, 'z')).toBe(4);
  for (let i = 0; i < 15; i += 1) expect([i, countOf(begun, `user-${i}-`)]).toEqual([i, 4]);
});

test('each webhook of a user gets its turn before any gets another, failing ones too', () => {
  for (const isFailing of [false, true]) {
    const turns = createFairTurns();
    const due = dueOf('a', 20, isFailing);
    const seen: string[] = [];
    for (let i = 0; i < 5; i += 1) {
      const { begun, ends } = beginChosen(turns, due);
      seen.push(...begun);
      for (const end of ends) end();
    }
    expect(new Set(seen).size).toBe(20);
  }
});
