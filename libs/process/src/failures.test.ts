import { expect, test } from 'vitest';
import { describeDatabaseFailure, failureMessage } from './database.js';

const refused = (address: string) => new Error(`connect ECONNREFUSED ${address}`);

test('returns the message of an error', () => {
  expect(failureMessage(refused('127.0.0.1:1'))).toBe('connect ECONNREFUSED 127.0.0.1:1');
  expect(failureMessage('thrown as a text')).toBe('thrown as a text');
});

test('names the fault of each address of a name if the error itself has no message', () => {
  const err = new AggregateError([refused('::1:1'), refused('127.0.0.1:1')]);
  expect(failureMessage(err)).toBe('connect ECONNREFUSED ::1:1; connect ECONNREFUSED 127.0.0.1:1');
});

test('is never empty', () => {
  expect(failureMessage(Object.assign(new Error(''), { code: 'EPIPE' }))).toBe('EPIPE');
  expect(failureMessage(new AggregateError([]))).toBe('AggregateError');
});

const URL = 'postgres://app:p%40ss-word@db.internal:6000/links?sslmode=require';
const failure = (code: string, message = '') => Object.assign(new Error(message), { code });

test.each([
  [failure('ECONNREFUSED'), 'refuses the connection'],
  [new AggregateError([failure('ECONNREFUSED')]), 'refuses the connection'],
  [new Error('fetch failed', { cause: failure('ENOTFOUND') }), 'unknown host name'],
  [failure('28P01'), 'rejects the password of user app'],
  [
    failure('28000', 'role "app" is not permitted to log in'),
    'rejects user app: role "app" is not permitted',
  ],
  [failure('3D000'), 'has no database links'],
  [failure('57P03'), 'is starting or stopping'],
  [new Error('timeout expired'), 'does not answer in time'],
  [new Error('The user aborted a request.'), 'does not answer in time'],
  [new Error('odd p@ss-word and p%40ss-word\nmore'), 'fails: odd *** and ***'],
])('%s', (err, expected) => {
  const line = describeDatabaseFailure('Postgres', URL, err);
  expect(line.startsWith('Postgres at db.internal:6000 ')).toBe(true);
  expect(line).toContain(expected);
  expect(line).not.toMatch(/p@ss|p%40ss|\n/);
});

test('names the ports that are meant when none is given', () => {
  expect(describeDatabaseFailure('ClickHouse', 'http://ch/x', failure('516'))).toBe(
    'ClickHouse at ch:8123 rejects the password of user default',
  );
});

test('says how long an answer was waited for', () => {
  expect(describeDatabaseFailure('ClickHouse', 'http://ch/x', new Error('Timeout error.'), 2_500)).toBe(
    'ClickHouse at ch:8123 does not answer within 2.5 s',
  );
});
