import { expect, test } from 'vitest';
import { adviseReaching, type DoctorCheck, judgeClock, ok, runDoctor } from './check.js';
import { describeRedisFailure, judgePassword, serversOf } from './redis.js';
import { findBytesMax, judgeDrops } from './spool.js';

const CONTEXT = { env: {}, isEmbedded: false, isBeforeInstall: false, publicUrl: undefined, now: () => 0 };

test('a check that hangs or throws is a problem, and delays no other', async () => {
  let isAborted = false;
  const checks: readonly DoctorCheck[] = [
    {
      name: 'endless',
      run: ({ signal }) => {
        signal.addEventListener('abort', () => (isAborted = true));
        return new Promise(() => undefined);
      },
    },
    { name: 'broken', run: () => Promise.reject(new Error('it broke')) },
    { name: 'good', run: () => Promise.resolve({ good: ok('fine') }) },
  ];
  const findings = await runDoctor(checks, CONTEXT, 10);
  expect(findings.map(({ check, state }) => [check, state])).toEqual([
    ['endless', 'problem'],
    ['broken', 'problem'],
    ['good', 'ok'],
  ]);
  expect(findings[1]?.seen).toBe('it broke');
  expect(isAborted).toBe(true);
});

test.each([
  [10_050, 'ok'],
  [9_000, 'ok'],
  [8_999, 'warning'],
  [11_100, 'ok'],
  [11_101, 'warning'],
])('a clock that says %i, asked between 10,000 and 10,100, is %s', async (theirs, state) => {
  const times = [10_000, 10_100];
  const now = () => times.shift() ?? 0;
  expect((await judgeClock(now, () => Promise.resolve(theirs))).state).toBe(state);
});

const failure = (code: string, message = '') => Object.assign(new Error(message), { code });

// As the clients were seen to say it, but for the names and certificates, which need another host.
test.each([
  [failure('28P01'), 'Correct the user and password in X.'],
  [failure('28000', 'role "app" is not permitted to log in'), 'Correct the user and password in X.'],
  [new Error('SASL: client password must be a string'), 'Correct the user and password in X.'],
  [new Error('WRONGPASS invalid username-password pair'), 'Correct the user and password in X.'],
  [new Error('NOAUTH HELLO must be called with'), 'Correct the user and password in X.'],
  [failure('516'), 'Correct the user and password in X.'],
  [failure('81'), 'Correct the name of the database in X.'],
  [failure('3D000'), 'Correct the name of the database in X.'],
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
  [new Error('connect ETIMEDOUT'), 'It may hang'],
  [new Error('Command timed out'), 'It may hang'],
  [new Error('The user aborted a request.'), 'It may hang'],
  [new Error('Redis is not reachable within 3000 ms'), 'It may hang'],
  [failure('53300', 'too many clients'), 'See its log'],
])('%s: %s', (err, advice) => {
  expect(adviseReaching('X', err).startsWith(advice)).toBe(true);
});

test.each([
  ['redis://user:secret@one', 'Command timed out', 'one:6379 does not answer within 3 s'],
  ['rediss+sentinel://:secret@one,two:7/main', 'broken', 'one:26379, two:7 cannot be reached: broken'],
  ['redis+cluster://user:secret@one:1,[::1]:2', 'broken', 'one:1, [::1]:2 cannot be reached: broken'],
])('a failure of %s names every host and port, and no login', (url, message, line) => {
  expect(describeRedisFailure(url, new Error(message))).toBe(`Redis at ${line}`);
});

test('each node of a cluster is checked with the login and TLS of the address', () => {
  expect(serversOf('rediss+cluster://user:p%40ss@one,[::1]:2')).toEqual([
    { name: 'Redis one:6379', url: 'rediss://user:p%40ss@one:6379', isCluster: true },
    { name: 'Redis [::1]:2', url: 'rediss://user:p%40ss@[::1]:2', isCluster: true },
  ]);
});

test.each([
  ['redis://10.0.0.5:6379', 'warning'],
  ['redis+cluster://10.0.0.5,10.0.0.6', 'warning'],
  ['redis://:Zm9yLWV5ZXMtb25seQ@10.0.0.5', undefined],
  ['redis://127.0.0.1:6379', undefined],
])('%s: a password that is lacking beyond this machine is a %s', (url, state) => {
  expect(judgePassword(url)[0]?.state).toBe(state);
});

const metrics = (full: number) => `# TYPE smartlink_redirect_events_total counter
smartlink_redirect_events_total{fate="written"} 500
smartlink_redirect_events_total{fate="dropped_buffer_full"} 3
smartlink_redirect_events_total{fate="dropped_spool_full"} ${full}
smartlink_redirect_events_total{fate="dropped_closed"} 0
`;

test('events dropped by redirect are reported by reason', () => {
  expect(judgeDrops(metrics(9_109))).toMatchObject({
    state: 'warning',
    seen: '9112 since redirect started (buffer_full 3, spool_full 9109)',
  });
  expect(judgeDrops(metrics(0).replaceAll(' 3', ' 0')).state).toBe('ok');
});

test('metrics of other programs are ignored', () => {
  expect(judgeDrops('http_requests_total{code="200"} 1').state).toBe('unknown');
});

test('the limit is the one that redirect runs with', () => {
  expect(findBytesMax('a 1\nsmartlink_redirect_spool_bytes_max 1048576\n')).toBe(1_048_576);
  expect(findBytesMax(null)).toBeNull();
});
