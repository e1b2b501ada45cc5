import type { MediaStore } from '@smartlink/media/store';
import type { Queryable } from '@smartlink/process/database';
import { type Job, type Logger, startJob } from '@smartlink/process/lifecycle';
import { endRemoval, fileNames, listRemovals, removeUnfinished, removeUnused } from './queries.js';

const INTERVAL_MS = 30_000;
const PICTURES_MAX = 100;
const ACCOUNTS_MAX = 20;

/** Removes unused and unfinished pictures, and the files of removed ones. Any number of processes may do so. */
export async function removePictures(
  { pg, store }: { readonly pg: Queryable; readonly store: Pick<MediaStore, 'remove'> },
  signal?: AbortSignal,
): Promise<void> {
  await removeUnfinished(pg);
  await removeUnused(pg, ACCOUNTS_MAX);
  for (const removal of await listRemovals(pg, PICTURES_MAX)) {
    if (signal?.aborted === true) return;
    for (const name of fileNames(removal)) await store.remove(name);
    await endRemoval(pg, removal.hash);
  }
}

export function startRemovals(pg: Queryable, store: MediaStore, log: Logger): Job {
  return startJob({
    everyMs: INTERVAL_MS,
    jitter: 0.5,
    run: (signal) => removePictures({ pg, store }, signal),
    failure: 'pictures could not be removed',
    log,
  });
}
