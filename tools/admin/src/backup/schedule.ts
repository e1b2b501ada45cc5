import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { failureMessage } from '@smartlink/process/database';
import { Problem, type Terminal, whileListening } from '../cli/terminal.js';
import { readManifest } from './files.js';

const DAY_MS = 86_400_000;
const RETRY_MS = 3_600_000;
const NAME = /^\d{4}-\d\d-\d\dT\d{6}$/;
const PART = /\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.part$/;
/** No backup takes longer; a younger one may be in progress. */
const PART_AGE_MAX_MS = 2 * DAY_MS;

/** `2026-01-31T021700`, in UTC: names sort by time. */
export const nameBackup = (at: Date): string => at.toISOString().slice(0, 19).replaceAll(':', '');

/** Folders of killed backups in `parent`. */
export async function findUnfinished(parent: string): Promise<readonly string[]> {
  const entries = await readdir(parent, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isDirectory() && PART.test(entry.name)).map(({ name }) => name);
}

/**
 * Deletes all but the newest `keep` complete backups that are named by time, and what killed ones left two days ago or
 * earlier. Returns the deleted names. Folders of other names stay.
 */
export async function pruneBackups(parent: string, keep: number, now: Date): Promise<readonly string[]> {
  const complete: string[] = [];
  for (const name of (await readdir(parent)).filter((each) => NAME.test(each)).toSorted()) {
    const isComplete = await readManifest(join(parent, name)).then(
      () => true,
      () => false,
    );
    if (isComplete) complete.push(name);
  }
  const oldest = nameBackup(new Date(now.getTime() - PART_AGE_MAX_MS));
  const abandoned = (await findUnfinished(parent)).filter(
    (name) => NAME.test(name.slice(0, oldest.length)) && name < oldest,
  );
  const outdated = [...complete.slice(0, -keep), ...abandoned];
  for (const name of outdated) await rm(join(parent, name), { recursive: true });
  return outdated;
}

/** Hours and minutes of `02:17`. Throws Problem. */
export function readTimeOfDay(text: string): number {
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  if (hours === undefined)
    throw new Problem(`--daily ${JSON.stringify(text)}: expected a time like 02:17 (UTC).`);
  return (Number(hours) * 60 + Number(minutes)) * 60_000;
}

/** Time until that time of day in UTC comes, more than 0 and a day at most. */
export const untilTimeOfDay = (timeOfDayMs: number, now: Date): number =>
  DAY_MS - ((now.getTime() - timeOfDayMs) % DAY_MS || 0);

/** Calls `backUp` each day at that time, an hour after a failure too, until the process is asked to end. */
export async function backUpDaily(
  terminal: Terminal,
  timeOfDayMs: number,
  backUp: () => Promise<void>,
): Promise<void> {
  await whileListening(
    terminal,
    () => '',
    async (signal) => {
      let waitMs = untilTimeOfDay(timeOfDayMs, new Date());
      while (!signal.aborted) {
        terminal.stderr(`Next backup: ${new Date(Date.now() + waitMs).toISOString()}\n`);
        const isAwake = await sleep(waitMs, true, { signal }).catch(() => false);
        if (!isAwake) return;
        waitMs = untilTimeOfDay(timeOfDayMs, new Date());
        try {
          await backUp();
        } catch (err) {
          terminal.stderr(`The backup failed: ${failureMessage(err)}\n`);
          waitMs = Math.min(waitMs, RETRY_MS);
        }
      }
    },
  );
}
