import { expect, it } from 'vitest';
import { prepareConnectionSql } from './request-settings.js';

const prepare = (query: string) =>
  prepareConnectionSql({ queryId: 'q1', parameters: new URLSearchParams(query) });

it('sets the id and a time limit on every request', () => {
  expect(prepare('')).toBe("set max_execution_time = '60', log_comment = 'q1'");
});

it("lets the request's own limit win", () => {
  expect(prepare('max_execution_time=5')).toBe("set max_execution_time = '5', log_comment = 'q1'");
});

it('passes settings and parameters on, quoted, and drops what belongs to HTTP', () => {
  expect(prepare("query=select%201&wait_end_of_query=1&max_threads=2&param_name=it's%5C")).toBe(
    "set max_execution_time = '60', log_comment = 'q1', max_threads = '2', param_name = 'it\\'s\\\\'",
  );
});

it('chooses the database, quoted', () => {
  expect(prepare('database=a%60b')).toMatch(/^use `a\\`b`; set /);
});

it('refuses a name that would end the statement', () => {
  expect(() => prepare('a%3D1%3B%20drop=1')).toThrow('UNKNOWN_SETTING');
});
