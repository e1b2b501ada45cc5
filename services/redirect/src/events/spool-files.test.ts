import { expect, test } from 'vitest';
import { parseSegmentName, segmentStem } from './spool-files.js';

const parts = {
  openedMs: 1_789_000_000_123,
  sequence: 7,
  writerId: 'w1',
  pid: 4321,
  processToken: '0a1b2c3d_4026531836_998877',
  nonce: 0xbeef,
};

test('a name gives back what it was made of, in each state', () => {
  const stem = segmentStem(parts);
  const common = {
    stem,
    openedMs: parts.openedMs,
    pid: 4321,
    processToken: parts.processToken,
    nonce: 0xbeef,
  };
  expect(parseSegmentName(`${stem}.open`)).toMatchObject({ ...common, state: 'open', rowCount: 0 });
  expect(parseSegmentName(`${stem}.42.seg`)).toMatchObject({ ...common, state: 'seg', rowCount: 42 });
  expect(parseSegmentName(`${stem}.42.again`)).toMatchObject({ ...common, state: 'again', rowCount: 42 });
  const sent = parseSegmentName(`${stem}.42.1789000001000.sent`);
  expect(sent).toMatchObject({ ...common, state: 'sent', rowCount: 42, sentMs: 1_789_000_001_000 });
});

test('names sort in the order in which segments were opened', () => {
  const stems = [
    segmentStem({ ...parts, sequence: 999_999 }),
    segmentStem({ ...parts, openedMs: parts.openedMs + 1, sequence: 1, writerId: 'a' }),
  ];
  expect(stems.toSorted()).toEqual(stems);
});

test.each([
  'quarantine',
  '.open',
  'x.seg',
  `${segmentStem(parts)}.seg`,
  `${segmentStem(parts)}.1.open`,
  '../a.1.seg',
])('passes over %s', (name) => {
  expect(parseSegmentName(name)).toBeNull();
});
