import { expect, test } from 'vitest';
import { parseRedisAddress, redisAddressProblem } from './redis-address.js';

test('a single Redis has a host, a port, a user and a database', () => {
  expect(parseRedisAddress('redis://localhost')).toEqual({
    topology: 'single',
    isTls: false,
    node: { host: 'localhost', port: 6379 },
    database: 0,
  });
  expect(parseRedisAddress('rediss://smart:p%40ss%2F@redis.example.com:7000/3')).toEqual({
    topology: 'single',
    isTls: true,
    username: 'smart',
    password: 'p@ss/',
    node: { host: 'redis.example.com', port: 7000 },
    database: 3,
  });
  expect(parseRedisAddress('redis://:secret@[::1]:7000/')).toMatchObject({
    password: 'secret',
    node: { host: '::1', port: 7000 },
  });
});

test('a cluster has several hosts', () => {
  expect(parseRedisAddress('rediss+cluster://smart:secret@a:7000,b.example,[::1]:7002')).toEqual({
    topology: 'cluster',
    isTls: true,
    username: 'smart',
    password: 'secret',
    nodes: [
      { host: 'a', port: 7000 },
      { host: 'b.example', port: 6379 },
      { host: '::1', port: 7002 },
    ],
  });
});

test('sentinels have a master by name, and a user of their own', () => {
  expect(
    parseRedisAddress(
      'redis+sentinel://:secret@a,b:26380/my%20master/2?sentinelUsername=watch&sentinelPassword=se%26cret',
    ),
  ).toEqual({
    topology: 'sentinel',
    isTls: false,
    password: 'secret',
    sentinels: [
      { host: 'a', port: 26379 },
      { host: 'b', port: 26380 },
    ],
    masterName: 'my master',
    database: 2,
    sentinel: { username: 'watch', password: 'se&cret' },
  });
});

test.each([
  ['http://secret', 'starts with redis://, redis+cluster:// or redis+sentinel://'],
  ['redis+clustr://secret', 'starts with redis://'],
  ['redis://', 'expected hosts'],
  ['redis://secret:99999', 'expected hosts'],
  ['redis://secret:0', 'expected hosts'],
  ['redis://a secret', 'expected hosts'],
  ['redis://secret@host', 'user:password@'],
  ['redis://secret1,secret2', 'redis+cluster://'],
  ['redis://secret/one', 'number of a database'],
  ['redis://secret/1/2', 'database number and nothing else'],
  ['redis://secret?db=3', 'nothing behind a question mark'],
  ['redis://:%secret@host', 'hexadecimal'],
  ['redis+cluster://secret/1', 'no path'],
  ['redis+cluster://secret,', 'expected hosts'],
  ['redis+sentinel://secret', "master's name"],
  ['redis+sentinel://secret/', "master's name"],
  ['redis+sentinel://secret/a/1/2', "master's name"],
  ['redis+sentinel://secret/a/b', 'number of a database'],
  ['redis+sentinel://secret/a?password=secret', 'nothing but sentinelUsername'],
])('names the fault of %s without repeating the value', (url, problem) => {
  expect(redisAddressProblem(url)).toContain(problem);
  expect(redisAddressProblem(url)).not.toContain('secret');
});

test('accepts usable addresses', () => {
  expect(redisAddressProblem('redis+sentinel://a:26379,b:26379/main')).toBeNull();
});
