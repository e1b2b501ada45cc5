import type { Page } from 'playwright-core';
import { expect } from 'vitest';

export const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
export const said = (page: Page, text: string) => page.getByRole('status').getByText(text).waitFor();

/** Reads the secret in a field and presses "Done", after which the page must no longer contain it. */
export async function takeSecret(page: Page, name: string): Promise<string> {
  const field = page.getByRole('textbox', { name });
  const secret = await field.inputValue();
  await press(page, 'Done');
  await field.waitFor({ state: 'detached' });
  expect(await page.content()).not.toContain(secret);
  return secret;
}
