import type { BulkOperation, BulkResult } from '@smartlink/client';
import { api } from '../../../app/api.js';

export const BULK_MAX = 100;
/** Largest selection. */
export const SELECTED_MAX = 1_000;
// Deleting a hundred links takes seconds on a busy service.
const TIMEOUT_MS = 30_000;

export type BulkOutcome = {
  readonly succeeded: readonly string[];
  readonly refused: readonly { readonly id: string; readonly error: RefusedError }[];
};

type RefusedError = Extract<BulkResult, { readonly success: false }>['error'];

/** Sends one operation per id, a hundred per call; `onProgress` gets the number done. */
export async function runBulk(
  ids: readonly string[],
  toOperation: (id: string) => BulkOperation,
  onProgress: (done: number) => void,
): Promise<BulkOutcome> {
  const succeeded: string[] = [];
  const refused: { id: string; error: RefusedError }[] = [];
  for (let start = 0; start < ids.length; start += BULK_MAX) {
    const chunk = ids.slice(start, start + BULK_MAX);
    const { data } = await api.smartlinks.bulk(chunk.map(toOperation), {
      timeoutMs: TIMEOUT_MS,
      deadlineMs: 2 * TIMEOUT_MS,
    });
    for (const [index, result] of data.entries()) {
      const id = chunk[index];
      if (id === undefined) continue;
      if (result.success) succeeded.push(id);
      else refused.push({ id, error: result.error });
    }
    onProgress(Math.min(start + BULK_MAX, ids.length));
  }
  return { succeeded, refused };
}
