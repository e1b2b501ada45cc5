import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { TestAccount } from './use-dashboard.js';

// What tests of the editor do on its page.

export const NEW = '/dashboard/links/new';

export const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
export const preview = (page: Page) => page.frameLocator('iframe[title="Preview"]');
export const shown = (page: Page, heading: string) =>
  preview(page).getByRole('heading', { name: heading, exact: true }).waitFor();
export const focused = (page: Page, attribute: string): Promise<string | null> =>
  page.evaluate<string | null>(`document.activeElement.getAttribute('${attribute}')`);

export async function createLink({ api }: TestAccount, body: object): Promise<string> {
  const { status, body: answer } = await api.post('/smartlink', body);
  expect([status, answer.error]).toEqual([201, undefined]);
  return answer.data.id;
}

/** Drags the part at `from`, counted from 0, of a list to its start. */
export async function dragUp(page: Page, list: string, from: number): Promise<void> {
  const grips = page.getByRole('list', { name: list }).locator('li span:first-child[aria-hidden]');
  await grips.nth(from).scrollIntoViewIfNeeded();
  const [start, end] = [await grips.nth(from).boundingBox(), await grips.nth(0).boundingBox()];
  if (start === null || end === null) throw new Error('The grips are not drawn');
  await page.mouse.move(start.x + 4, start.y + 4);
  await page.mouse.down();
  await page.mouse.move(start.x + 4, start.y - 20, { steps: 4 });
  await page.mouse.move(end.x + 4, end.y - 8, { steps: 8 });
  await page.mouse.up();
}

/** Chooses a file by the button of a picture field, from the keyboard. */
export async function uploadPicture(page: Page, name: string, type: string, buffer: Buffer): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: `Upload picture for ${name}`, exact: true }).press('Enter');
  await (await chooser).setFiles({ name: 'picture', mimeType: type, buffer });
}

export const editorOf = (id: string): string => `/dashboard/links/${id}/edit`;
