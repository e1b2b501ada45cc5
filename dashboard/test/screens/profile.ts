import { expect, test } from 'vitest';
import type { ScreenState } from '../screen-tests.js';
import type { Dashboard } from '../use-dashboard.js';

const PATH = '/dashboard/settings/profile';

export const states: readonly ScreenState[] = [{ path: PATH, heading: 'Profile' }];

export function full(dashboard: Dashboard): void {
  test('statement 40: "Language" changes the page at once, stays after a reload, and is kept with the person', async () => {
    const { page, account } = await dashboard.open(PATH);
    const language = async () => {
      const { rows } = await dashboard.service.app.pg.query<{ language: string }>(
        'select language from people where id = $1',
        [account.personId],
      );
      return rows[0]?.language;
    };
    for (const [name, code, heading] of [
      ['Azərbaycanca', 'az', 'Profil'],
      ['Русский', 'ru', 'Профиль'],
      ['Türkçe', 'tr', 'Profil'],
    ] as const) {
      const saved = page.waitForResponse(/\/auth\/session$/);
      await page.locator('select').first().selectOption(name);
      await saved;
      await page.locator(`html[lang=${code}]`).waitFor();
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(heading);
      expect(await language()).toBe(code);
    }
    await page.reload();
    await page.locator('html[lang=tr]').waitFor();
    await page.getByRole('heading', { level: 1, name: 'Profil' }).waitFor();
  });

  test('the theme is that of the choice, whatever the system has', async () => {
    const { page } = await dashboard.open(PATH, { colorScheme: 'light' });
    const background = () => page.evaluate('getComputedStyle(document.documentElement).backgroundColor');
    expect(await background()).toBe('rgb(247, 247, 247)');
    await page.getByRole('radio', { name: 'Dark' }).check();
    expect(await background()).toBe('rgb(16, 16, 16)');
    await page.reload();
    await page.getByRole('radio', { name: 'Dark' }).waitFor();
    expect(await background()).toBe('rgb(16, 16, 16)');
  });
}
