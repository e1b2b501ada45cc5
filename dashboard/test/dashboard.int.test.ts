import { describe, expect, test } from 'vitest';
import { openState, screenTests } from './screen-tests.js';
import { useDashboard } from './use-dashboard.js';

// One service and one browser for the tests of all screens, which are in `screens/`.
const dashboard = useDashboard();

describe.skipIf(dashboard.chromium === null)('the dashboard', () => {
  const files = Object.entries(screenTests).filter(([, each]) => each.states ?? each.tests);
  for (const [file, { states = [], tests }] of files) {
    if (states.length === 0 && tests === undefined) continue;
    describe(file, () => {
      test.each(states)('$heading is titled, and without faults', async (state) => {
        const { page } = await openState(dashboard, state);
        expect(await page.title()).toBe(`${state.heading} · Smartlink`);
        expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
      });
      tests?.(dashboard);
    });
  }
});
