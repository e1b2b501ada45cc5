import { describe, expect, test } from 'vitest';
import { openState, screenTests } from './screen-tests.js';
import { useDashboard } from './use-dashboard.js';

const dashboard = useDashboard();
const WIDTHS = [320, 768, 1440];
const LOCALES = ['az', 'ru', 'tr'];

describe.skipIf(dashboard.chromium === null)('the dashboard', () => {
  for (const [file, { states = [], full }] of Object.entries(screenTests)) {
    describe(file, () => {
      for (const state of states) {
        test.each(
          WIDTHS.flatMap((width) => [
            { width, colorScheme: 'light' as const },
            { width, colorScheme: 'dark' as const },
          ]),
        )(`${state.heading} has no fault and no sideways scroll at $width, $colorScheme`, async (look) => {
          const { page } = await openState(dashboard, state, look);
          const isWide = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';
          expect(await page.evaluate(isWide)).toBe(false);
        });
        test.each(LOCALES)(`${state.heading} is there in %s`, async (locale) => {
          const { page } = await openState(dashboard, state, { locale });
          expect(await page.evaluate('document.documentElement.lang')).toBe(locale);
        });
      }
      full?.(dashboard);
    });
  }
});
