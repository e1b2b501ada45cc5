import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { createLogger } from '@smartlink/process/lifecycle';
import { createRollingRestart, takeRollSignal } from './rolling-restart.js';

function openRoll(outcomes: readonly (string | null)[], prepare = (): Promise<void> => Promise.resolve()) {
  const replaced: number[] = [];
  const waiting: (() => void)[] = [];
  const state = { isAllowed: true };
  const logged: string[] = [];
  const finished: number[] = [];
  const places = outcomes.map((outcome, index) => ({
    replace: async () => {
      replaced.push(index);
      await new Promise<void>((resolve) => waiting.push(resolve));
      return outcome;
    },
  }));
  const rolling = createRollingRestart({
    places,
    prepare,
    finish: () => finished.push(replaced.length),
    isAllowed: () => state.isAllowed,
    log: createLogger({
      service: 'test',
      level: 'info',
      destination: { write: (line) => logged.push((JSON.parse(line) as { msg: string }).msg) },
    }),
    now: () => 0,
  });
  /** Lets what was asked for begin. */
  const settle = () => new Promise(setImmediate);
  /** Ends the replacement under way, and lets what follows of it happen. */
  const next = async (): Promise<void> => {
    waiting.shift()?.();
    await new Promise(setImmediate);
  };
  return { rolling, replaced, finished, settle, next, state, logged };
}

test('workers are replaced one after the other', async () => {
  const { rolling, replaced, finished, settle, next } = openRoll([null, null]);
  rolling.request();
  await settle();
  expect(replaced).toEqual([0]);
  await next();
  expect([replaced, finished]).toEqual([[0, 1], []]);
  await next();
  expect(finished).toEqual([2]);
  expect(rolling.counters).toEqual({ completed: 1, failed: 0 });
});

test('the first worker that cannot be replaced ends the roll', async () => {
  const { rolling, replaced, finished, settle, next } = openRoll(['it crashed', null]);
  rolling.request();
  await settle();
  await next();
  expect([replaced, finished, rolling.counters]).toEqual([[0], [], { completed: 0, failed: 1 }]);
});

test('a configuration that cannot be read ends the roll before the first worker', async () => {
  const { rolling, replaced, next } = openRoll([null], () =>
    Promise.reject(new Error('COOKIE_SECRETS: too short')),
  );
  rolling.request();
  await next();
  expect([replaced, rolling.counters]).toEqual([[], { completed: 0, failed: 1 }]);
});

test('a roll that is asked for twice during another is done once, after it, and noted once', async () => {
  const { rolling, replaced, settle, next, logged } = openRoll([null]);
  rolling.request();
  rolling.request();
  rolling.request();
  await settle();
  await next();
  await next();
  await next();
  expect([replaced, rolling.counters]).toEqual([[0, 0], { completed: 2, failed: 0 }]);
  const noted = 'rolling restart queued behind the current one';
  expect(logged.filter((msg) => msg === noted)).toHaveLength(1);
});

test('a roll ends with the service, and that is no failure', async () => {
  const { rolling, replaced, settle, next, state } = openRoll(['it was stopped', null]);
  rolling.request();
  await settle();
  state.isAllowed = false;
  await next();
  rolling.request();
  expect([replaced, rolling.counters]).toEqual([[0], { completed: 0, failed: 0 }]);
});

function openSignal() {
  const signals = new EventEmitter();
  const rollSignal = takeRollSignal(signals as NodeJS.Process);
  let requests = 0;
  return {
    send: () => signals.emit('SIGUSR2'),
    hand: () => {
      rollSignal.handTo(() => (requests += 1));
    },
    requests: () => requests,
  };
}

test('signals before the service can roll are one request once it can', () => {
  const { send, hand, requests } = openSignal();
  expect([send(), send()]).toEqual([true, true]);
  hand();
  expect(requests()).toBe(1);
});

test('each signal after that is a request, and none is made up', () => {
  const { send, hand, requests } = openSignal();
  hand();
  expect(requests()).toBe(0);
  send();
  send();
  expect(requests()).toBe(2);
});
