import { expect, test } from 'vitest';
import { VISIT_SOURCES } from '@smartlink/smartlink/model';
import {
  EVENT_COLUMNS,
  INSERT_ASSUMED_DEAD_SECONDS,
  INSERT_TIMEOUT_SECONDS,
  OUTCOME_CODES,
  SOURCE_CODES,
  VISIT_OUTCOMES,
} from './event.js';

const typeOf = (name: string) => EVENT_COLUMNS.find((column) => column.name === name)?.type;
const enumType = (codes: Record<string, number>) =>
  `Enum8(${Object.entries(codes)
    .map(([value, code]) => `'${value}' = ${code}`)
    .join(', ')})`;

test('the enum columns have exactly the sources and outcomes of visits', () => {
  expect(Object.keys(SOURCE_CODES)).toEqual([...VISIT_SOURCES]);
  expect(Object.keys(OUTCOME_CODES)).toEqual([...VISIT_OUTCOMES]);
  expect(typeOf('source')).toBe(enumType(SOURCE_CODES));
  expect(typeOf('outcome')).toBe(enumType(OUTCOME_CODES));
});

test('no column is listed twice', () => {
  const names = EVENT_COLUMNS.map((column) => column.name);
  expect(new Set(names).size).toBe(names.length);
});

// The shipper's connection gives up at 60 s (CLIENT_SECONDS in the redirect service's test of inserts).
test('the insert times out on the server before the client, and on both before the rollup considers it dead', () => {
  expect(INSERT_TIMEOUT_SECONDS).toBe(55);
  expect(INSERT_ASSUMED_DEAD_SECONDS).toBe(90);
});
