import { expect, test } from 'vitest';
import { countForeground } from './statements.js';

const entry = (session: string, statement: string, program = 'smartlink-management') =>
  `@${program} ${session} LOG:  execute <unnamed>: \n\t${statement}\n`;
const simple = (session: string, statement: string) =>
  `@smartlink-management ${session} LOG:  statement: ${statement}\n`;

test('every statement of a transaction counts, begin and commit too', () => {
  const log = simple('a.1', 'begin') + entry('a.1', 'insert into smartlinks') + simple('a.1', 'commit');
  expect(countForeground(log)).toBe(3);
});

test("what the service does without being asked does not count, nor do others' statements", () => {
  const relay =
    simple('a.1', 'begin') +
    entry('a.1', 'select id from publish_outbox\n\tfor update skip locked') +
    simple('a.1', 'commit');
  const cleanUp = entry('a.1', 'delete from publish_outbox where id = any($1::bigint[])');
  const key = entry('a.1', 'select api_keys.id\n\tfrom api_keys');
  const other = entry('b.2', 'select 1', 'psql');
  expect(countForeground(relay + cleanUp + key + other)).toBe(0);
});

test('the statements of two sessions are told apart', () => {
  const log =
    simple('a.1', 'begin') +
    entry('b.2', 'select name\n\tfrom smartlinks') +
    entry('a.1', 'select id from publish_outbox for update skip locked') +
    simple('a.1', 'commit');
  expect(countForeground(log)).toBe(1);
});
