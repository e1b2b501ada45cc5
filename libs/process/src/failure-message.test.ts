import { expect, test } from 'vitest';
import { failureMessage } from './failure-message.js';

const refused = (address: string) => new Error(`connect ECONNREFUSED ${address}`);

test('says what an error says', () => {
  expect(failureMessage(refused('127.0.0.1:1'))).toBe('connect ECONNREFUSED 127.0.0.1:1');
  expect(failureMessage('thrown as a text')).toBe('thrown as a text');
});

test('says what was wrong with each address of a name, where the error itself says nothing', () => {
  const err = new AggregateError([refused('::1:1'), refused('127.0.0.1:1')]);
  expect(failureMessage(err)).toBe('connect ECONNREFUSED ::1:1; connect ECONNREFUSED 127.0.0.1:1');
});

test('is never empty', () => {
  expect(failureMessage(Object.assign(new Error(''), { code: 'EPIPE' }))).toBe('EPIPE');
  expect(failureMessage(new AggregateError([]))).toBe('AggregateError');
});
