import { expect, test } from 'vitest';
import { beforeHeader, createWalPositions } from './replicas.js';

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

test('the lag of a replica is unknown once the primary has been silent for too long', () => {
  const { clock, positions } = create();
  positions.note(0, 100n);
  clock.time = 5_000;
  expect(positions.lagOf(100n)).toBe(5_000);
  clock.time = 5_001;
  expect(positions.lagOf(100n)).toBeNull();
});

test('answers out of order change nothing, and a primary behind the last one starts over', () => {
  const { clock, positions } = create();
  positions.note(500, 200n);
  positions.note(400, 200n);
  clock.time = 600;
  expect(positions.lagOf(200n)).toBe(100);
  positions.note(600, 150n);
  expect(positions.lagOf(149n)).toBeNull();
  expect(positions.lagOf(150n)).toBe(0);
});

test('an empty page after its header equals the end of the previous page', () => {
  const page = 8_192n;
  expect(beforeHeader(0x5000028n, page)).toBe(0x5000000n);
  expect(beforeHeader(0x5002018n, page)).toBe(0x5002000n);
  for (const inside of [0x5000000n, 0x5000020n, 0x5000030n, 0x5001ff8n]) {
    expect(beforeHeader(inside, page)).toBe(inside);
  }
  // With larger pages the same position stands within one.
  expect(beforeHeader(0x5002018n, 16_384n)).toBe(0x5002018n);
});
