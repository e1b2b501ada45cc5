import { expect, test } from 'vitest';
import { createFormatGate } from './format-gate.js';

const OLD = 1;
const NEW = 2;

/** Applies what happens at each time, and compares the state then. */
function expectStates(
  steps: readonly (readonly [
    timeMs: number,
    what: (gate: ReturnType<typeof createFormatGate>) => void,
    state: string,
  ])[],
): void {
  let time = 0;
  const gate = createFormatGate(() => time);
  for (const [timeMs, what, state] of steps) {
    time = timeMs;
    what(gate);
    expect([timeMs, gate.state()]).toEqual([timeMs, state]);
  }
}

type Gate = ReturnType<typeof createFormatGate>;
const nothing = () => undefined;
const subscribed = (gate: Gate) => {
  gate.onSubscribed();
};
const heard = (format: number) => (gate: Gate) => {
  gate.onHeartbeat(format);
};
const lost = (lastHeardAt: number) => (gate: Gate) => {
  gate.onLost(lastHeardAt);
};

test('the gate opens two seconds after its subscription, whatever is heard of new processes', () => {
  expectStates([
    [0, nothing, 'unheard'],
    [9_000, nothing, 'unheard'],
    [9_100, subscribed, 'unheard'],
    [9_200, heard(NEW), 'unheard'],
    [11_099, nothing, 'unheard'],
    [11_100, nothing, 'open'],
    [50_000, heard(NEW + 1), 'open'],
  ]);
});

test('the gate is closed until ten seconds after the last heartbeat of an earlier build', () => {
  expectStates([
    [0, subscribed, 'unheard'],
    [500, heard(OLD), 'old'],
    [10_000, heard(OLD), 'old'],
    [10_100, heard(NEW), 'old'],
    [19_999, nothing, 'old'],
    [20_000, nothing, 'open'],
    [30_000, heard(Number.NaN), 'old'],
  ]);
});

test('without Redis the last state holds, and is judged again after the next subscription', () => {
  expectStates([
    [0, subscribed, 'unheard'],
    [2_000, lost(1_900), 'unheard'],
    [60_000, nothing, 'unheard'],
    [60_000, subscribed, 'unheard'],
    [62_000, nothing, 'open'],
    [63_000, lost(62_900), 'open'],
    [99_000, nothing, 'open'],
    [100_000, subscribed, 'open'],
    [102_000, heard(OLD), 'old'],
    [103_000, lost(102_500), 'old'],
    [200_000, nothing, 'old'],
    [200_000, subscribed, 'old'],
    [209_999, nothing, 'old'],
    [210_000, nothing, 'open'],
  ]);
});

test('once an earlier build was heard and is gone, smartlinks are published again, once', () => {
  let time = 0;
  const gate = createFormatGate(() => time);
  gate.onSubscribed();
  gate.onHeartbeat(NEW);
  time = 2_000;
  expect(gate.needsRepublish()).toBe(false);
  gate.onHeartbeat(OLD);
  time = 11_999;
  expect(gate.needsRepublish()).toBe(false);
  time = 12_000;
  expect(gate.needsRepublish()).toBe(true);
  gate.onRepublished();
  expect(gate.needsRepublish()).toBe(false);
});
