import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { takeRollSignal } from './roll-signal.js';

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
