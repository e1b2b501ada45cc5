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

/** Chooses a file by the button of a picture field, from the keyboard. */
export async function uploadPicture(page: Page, name: string, type: string, buffer: Buffer): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: `Upload picture for ${name}`, exact: true }).press('Enter');
  await (await chooser).setFiles({ name: 'picture', mimeType: type, buffer });
}

export const editorOf = (id: string): string => `/dashboard/links/${id}/edit`;
