import { expect, test } from 'vitest';
import { createWalPositions } from './wal-positions.js';

function create() {
  const clock = { time: 0 };
  return { clock, positions: createWalPositions({ keptMs: 5_000, now: () => clock.time }) };
}

test('a replica is behind by the age of the last position that it has reached', () => {
  const { clock, positions } = create();
  expect(positions.lagOf(100n)).toBeNull();
  positions.note(0, 100n);
  positions.note(500, 200n);
  positions.note(1_000, 200n);
  clock.time = 1_100;
  expect(positions.lagOf(99n)).toBeNull();
  expect(positions.lagOf(150n)).toBe(1_100);
  expect(positions.lagOf(200n)).toBe(100);
  expect(positions.lagOf(999n)).toBe(100);
});

test('nobody knows how far a replica is behind once the primary has been silent for too long', () => {
  const { clock, positions } = create();
  positions.note(0, 100n);
  clock.time = 5_000;
  expect(positions.lagOf(100n)).toBe(5_000);
  clock.time = 5_001;
  expect(positions.lagOf(100n)).toBeNull();
});

test('answers out of order change nothing, and a primary that is behind the last one begins anew', () => {
  const { clock, positions } = create();
  positions.note(500, 200n);
  positions.note(400, 200n);
  clock.time = 600;
  expect(positions.lagOf(200n)).toBe(100);
  positions.note(600, 150n);
  expect(positions.lagOf(149n)).toBeNull();
  expect(positions.lagOf(150n)).toBe(0);
});
