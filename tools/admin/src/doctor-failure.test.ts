import { expect, test } from 'vitest';
import { adviseReaching, describeRedisFailure, placesIn } from './doctor-failure.js';

const failure = (code: string, message = '') => Object.assign(new Error(message), { code });

// As the clients were seen to say it, but for the names and certificates, which need another host.
test.each([
  [failure('28P01'), 'Correct the user and password in X.'],
  [failure('28000', 'role "app" is not permitted to log in'), 'Correct the user and password in X.'],
  [new Error('SASL: client password must be a string'), 'Correct the user and password in X.'],
  [new Error('WRONGPASS invalid username-password pair'), 'Correct the user and password in X.'],
  [new Error('NOAUTH HELLO must be called with'), 'Correct the user and password in X.'],
  [failure('516'), 'Correct the user and password in X.'],
  [failure('3D000'), 'Correct the name of the database in X.'],
  [failure('81'), 'Correct the name of the database in X.'],
  [
    failure('28000', 'no pg_hba.conf entry for host "h", no encryption'),
    'Ask for TLS in X (sslmode=require)',
  ],
  [
    failure('28000', 'no pg_hba.conf entry for host "h", SSL encryption'),
    'Let this host, user and database in',
  ],
  [new Error('The server does not support SSL connections'), 'Correct whether X asks for TLS'],
  [failure('EPROTO', 'SSL routines:ssl3_get_record:wrong version number'), 'Correct whether X asks for TLS'],
  [failure('DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate'), 'Correct whether X asks for TLS'],
  [failure('ENOTFOUND', 'getaddrinfo ENOTFOUND h'), 'Correct the host in X.'],
  [failure('ECONNREFUSED'), 'Start it, or correct host and port in X.'],
  [new AggregateError([failure('ECONNREFUSED')]), 'Start it, or correct host and port in X.'],
  [new Error('connect ETIMEDOUT'), 'It may hang'],
  [new Error('Command timed out'), 'It may hang'],
  [new Error('The user aborted a request.'), 'It may hang'],
  [failure('53300', 'too many clients'), 'See its log'],
])('%s: %s', (err, advice) => {
  expect(adviseReaching('X', err).startsWith(advice)).toBe(true);
});

test('names every host and port of Redis, and no login', () => {
  const at = [
    'redis://user:secret@one',
    'rediss+sentinel://:secret@one,two:7/main?sentinelPassword=secret',
    'redis+cluster://user:secret@one:1,[::1]:2',
  ].map(placesIn);
  expect(at).toEqual(['one:6379', 'one:26379, two:7', 'one:1, [::1]:2']);
  expect(describeRedisFailure('one:6379', new Error('Command timed out'))).toBe(
    'Redis at one:6379 does not answer within 3 s',
  );
  expect(describeRedisFailure('one:6379', new Error('Connection is closed.'))).toBe(
    'Redis at one:6379 cannot be reached: Connection is closed.',
  );
});
