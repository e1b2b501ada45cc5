import { expect, test } from 'vitest';
import { addressSecretProblem, isLoopback, secretProblem } from './config-secrets.js';

test.each([
  ...'postgres://db.internal/smartlink postgres://smartlink@db.internal/smartlink'.split(' '),
  ...'postgres://smartlink:smartlink@db.internal/smartlink'.split(' '),
  ...'postgres://app:postgres@10.0.0.5:5432/smartlink postgres://app:PassWord@db/smartlink'.split(' '),
  ...'postgres://app:change-me-please@db/smartlink postgres://app:%3Cpassword%3E@db/smartlink'.split(' '),
  ...'postgres://app:$%7BDB_PASSWORD%7D@db/smartlink postgres://app:xxxxxxxx@db/smartlink'.split(' '),
  ...'postgres://app:postgres@/db?host=db.internal postgres://app@127.0.0.1/db?host=db.internal'.split(' '),
  ...'postgres://app@db.internal/db?password=changeme http://default:@clickhouse:8123/smartlink'.split(' '),
  ...'http://default:clickhouse@clickhouse:8123/smartlink'.split(' '),
  ...'redis+cluster://:redis@127.0.0.1:6379,node-2:6379'.split(' '),
])('refuses %s', (url) => {
  expect(addressSecretProblem(url)).not.toBeNull();
});

test.each([
  ...'postgres://postgres:postgres@127.0.0.1:5432/smartlink'.split(' '),
  ...'postgres://postgres@localhost/smartlink postgres://postgres@[::1]:5432/smartlink'.split(' '),
  ...'postgres:///smartlink?host=/run/postgresql'.split(' '),
  ...'postgres://app:V9mZ2wq-long-and-random@db.internal/smartlink'.split(' '),
  ...'postgres://app@db.internal/db?password=V9mZ2wq-long-and-random'.split(' '),
  ...'postgres://app@db.internal/smartlink?sslmode=verify-full&sslcert=/run/app.crt&sslkey=/run/app.key'.split(
    ' ',
  ),
  ...'redis+sentinel://:V9mZ2wq-long-and-random@one:26379,two:26379/main'.split(' '),
  'no address at all',
])('accepts %s', (url) => {
  expect(addressSecretProblem(url)).toBeNull();
});

test('a Redis may have no password, but not a well-known one', () => {
  const redis = { mayLackPassword: true };
  expect(addressSecretProblem('redis://cache:6379', redis)).toBeNull();
  expect(addressSecretProblem('redis://:changeme@cache:6379', redis)).not.toBeNull();
});

test('no message contains a password', () => {
  expect(addressSecretProblem('postgres://app:letmein@db/x')).not.toContain('letmein');
  expect(secretProblem('a-key-that-is-too-short')).not.toContain('a-key-that');
});

test('a secret has 32 bytes and is not a placeholder', () => {
  expect(secretProblem('3f'.repeat(16))).toBeNull();
  expect(secretProblem('ä3f9'.repeat(6) + 'xy')).toBeNull();
  expect(secretProblem('3f'.repeat(15))).toMatch(/32 bytes/);
  expect(secretProblem('change-me-to-something-that-is-long-enough')).toMatch(/placeholder/);
  expect(secretProblem('a'.repeat(64))).toMatch(/placeholder/);
});

test('recognises loopback addresses', () => {
  expect(['127.0.0.1', '127.9.9.9', 'localhost', '::1', '[::1]', ''].every(isLoopback)).toBe(true);
  expect(['0.0.0.0', '::', '10.0.0.1', 'localhost.example.com', '127.example.com'].some(isLoopback)).toBe(
    false,
  );
});
