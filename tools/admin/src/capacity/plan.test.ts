import { expect, test } from 'vitest';
import { FIGURES, planCapacity, type Question } from './plan.js';

const QUESTION: Question = {
  visitsPerSecond: 10_000,
  peakFactor: 2,
  links: 1_000_000,
  retentionMonths: 12,
  outageHours: 1,
  fromMemory: 1,
  coresPerHost: 8,
  clickhouseReplicas: 2,
};

const need = (question: Partial<Question>, what: string): number => {
  const line = planCapacity({ ...QUESTION, ...question }).find((planned) => planned.what.startsWith(what));
  if (line === undefined) throw new Error(`no line of the plan begins with ${what}`);
  return line.value;
};

test('twice the visits take twice the cores, events, spool and network', () => {
  for (const what of ['cores at the peak', 'ingest', 'disk for single visits', 'SPOOL_BYTES_MAX', 'out']) {
    expect(need({ visitsPerSecond: 20_000 }, what) / need({}, what)).toBeCloseTo(2, 0);
  }
});

test('the busiest minute decides cores and spool, the mean decides the disk', () => {
  expect(need({ peakFactor: 4 }, 'cores at the peak')).toBeGreaterThan(need({}, 'cores at the peak'));
  expect(need({ peakFactor: 4 }, 'SPOOL_BYTES_MAX')).toBeGreaterThan(need({}, 'SPOOL_BYTES_MAX'));
  expect(need({ peakFactor: 4 }, 'disk for single visits')).toBe(need({}, 'disk for single visits'));
});

test('there is always a host to spare', () => {
  expect(need({ visitsPerSecond: 1 }, 'hosts')).toBe(2);
  expect(need({ coresPerHost: 1 }, 'hosts')).toBe(need({ coresPerHost: 1 }, 'cores at the peak') + 1);
});

test('links that are not in memory cost more, and Redis look-ups', () => {
  expect(need({ fromMemory: 0 }, 'cores at the peak')).toBeGreaterThan(need({}, 'cores at the peak'));
  expect([need({}, 'look-ups'), need({ fromMemory: 0.5 }, 'look-ups')]).toEqual([0, 10_000]);
});

test('events of the months that are kept, and of the one under way, fill half a disk', () => {
  const events = 10_000 * 86_400 * (365.25 / 12) * 13;
  expect(need({}, 'disk for single visits')).toBeCloseTo((events * FIGURES.eventBytes.value) / 0.5, -6);
});
