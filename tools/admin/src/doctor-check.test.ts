import { expect, test } from 'vitest';
import { judgeClock, ok, runDoctor } from './doctor-check.js';
import type { DoctorCheck } from './doctor-check.js';

const CONTEXT = { env: {}, isEmbedded: false, isBeforeInstall: false, publicUrl: undefined, now: () => 0 };

test('a check that does not come to an end or throws is a problem, and holds up no other', async () => {
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
    { name: 'good', run: () => Promise.resolve([ok('good', 'fine')]) },
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
])('a clock that says %i, asked between 10,000 and 10,100, is %s', (theirs, state) => {
  expect(judgeClock('clock', theirs, 10_000, 10_100).state).toBe(state);
});
