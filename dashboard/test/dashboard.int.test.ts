import { describe, expect, test } from 'vitest';
import { openState, type ScreenState, screenTests } from './screen-tests.js';
import { useDashboard } from './use-dashboard.js';

// One service and one browser for the tests of all screens, in `screens/`.
const dashboard = useDashboard();

describe.skipIf(dashboard.chromium === null)('the dashboard', () => {
  const files = Object.entries(screenTests).filter(([, each]) => each.states ?? each.tests);
  for (const [file, { states = [], tests }] of files) {
    describe(file, () => {
      test.each(states.filter(isFirstOfItsScreen))(
        '$heading is titled, and without faults',
        async (state) => {
          const { page } = await openState(dashboard, state);
          expect(await page.title()).toBe(`${state.heading} · Smartlink`);
          expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
        },
      );
      tests?.(dashboard);
    });
  }
});

/** `npm test` opens each screen once; dashboard.full.test.ts opens all states. */
function isFirstOfItsScreen(
  { heading }: ScreenState,
  index: number,
  states: readonly ScreenState[],
): boolean {
  const isRefusal = heading === 'You may only look';
  return !isRefusal && states.findIndex((other) => other.heading === heading) === index;
}
