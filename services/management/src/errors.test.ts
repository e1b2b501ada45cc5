import { expect, test } from 'vitest';
import { failure } from './envelope.js';
import { ApiError, fault, toApiError } from './errors.js';

test('the envelope has details only where there are some, and never a cause', () => {
  const time = { timestamp: expect.any(String) as string };
  expect(failure(new ApiError('NOT_FOUND', { cause: new Error('secret') }))).toEqual({
    success: false,
    error: { code: 'NOT_FOUND', message: 'Smartlink not found' },
    ...time,
  });
  expect(failure(fault('a.b', 'Wrong'))).toEqual({
    success: false,
    error: {
      code: 'VALIDATION_FAILED',
      message: 'Request validation failed',
      details: [{ path: 'a.b', message: 'Wrong' }],
    },
    ...time,
  });
});

test('a failure lists 1,000 faults at most', () => {
  const details = Array.from({ length: 50_000 }, (_, i) => ({ path: `a.${i}`, message: 'Wrong' }));
  expect(new ApiError('UNSAFE_URL', { details }).details).toHaveLength(1_000);
});

const withCode = (code: string) => Object.assign(new Error('x'), { code });

test.each([
  [withCode('ECONNREFUSED'), 'SERVICE_UNAVAILABLE'],
  [withCode('57P01'), 'SERVICE_UNAVAILABLE'],
  [withCode('57014'), 'SERVICE_UNAVAILABLE'],
  [withCode('53300'), 'SERVICE_UNAVAILABLE'],
  [withCode('08006'), 'SERVICE_UNAVAILABLE'],
  [new Error('timeout exceeded when trying to connect'), 'SERVICE_UNAVAILABLE'],
  [new Error('Connection terminated unexpectedly'), 'SERVICE_UNAVAILABLE'],
  [withCode('23505'), 'INTERNAL_ERROR'],
  [withCode('42P01'), 'INTERNAL_ERROR'],
  [withCode('FST_ERR_CTP_BODY_TOO_LARGE'), 'PAYLOAD_TOO_LARGE'],
  [withCode('FST_ERR_CTP_INVALID_MEDIA_TYPE'), 'UNSUPPORTED_MEDIA_TYPE'],
  [withCode('FST_ERR_CTP_INVALID_CONTENT_LENGTH'), 'VALIDATION_FAILED'],
  [new TypeError('x is not a function'), 'INTERNAL_ERROR'],
  ['a thrown string', 'INTERNAL_ERROR'],
  [undefined, 'INTERNAL_ERROR'],
] as const)('%s is answered as %s', (err, code) => {
  expect(toApiError(err).code).toBe(code);
});
