import { expect, test } from 'vitest';
import { judgePassword } from './doctor-redis.js';

test.each([
  ['redis://10.0.0.5:6379', 'warning'],
  ['redis+cluster://10.0.0.5,10.0.0.6', 'warning'],
  ['redis://:Zm9yLWV5ZXMtb25seQ@10.0.0.5', undefined],
  ['redis://127.0.0.1:6379', undefined],
])('%s: a password that is lacking beyond this machine is a %s', (url, state) => {
  expect(judgePassword(url)[0]?.state).toBe(state);
});
