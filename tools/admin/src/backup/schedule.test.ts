import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { BACKUP_FORMAT } from './files.js';
import { nameBackup, pruneBackups, readTimeOfDay, untilTimeOfDay } from './schedule.js';

const folder = mkdtempSync(path.join(tmpdir(), 'smartlink-schedule-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const at = '2026-01-31T02:17:00.000Z';
const MANIFEST = JSON.stringify({
  format: BACKUP_FORMAT,
  startedAt: at,
  finishedAt: at,
  durationMs: 0,
  postgres: null,
  clickhouse: null,
});
const UNFINISHED = '.0b8f9c1e-2d3a-4b5c-8d6e-7f8091a2b3c4.part';

test('pruning keeps the newest complete backups, whatever it does not know, and a backup in progress', async () => {
  const complete = ['2026-01-28T021700', '2026-01-29T021700', '2026-01-30T021700', '2026-01-31T021700'];
  for (const name of [...complete, '2020-before-upgrade']) {
    mkdirSync(path.join(folder, name));
    writeFileSync(path.join(folder, name, 'manifest.json'), MANIFEST);
  }
  // Folders without a manifest are no backups.
  const others = ['2026-01-27T021700', `2026-01-31T021600${UNFINISHED}`, `other${UNFINISHED}`];
  const abandoned = `2026-01-20T021700${UNFINISHED}`;
  for (const name of [...others, abandoned]) mkdirSync(path.join(folder, name));
  expect(await pruneBackups(folder, 2, new Date(at))).toEqual([...complete.slice(0, 2), abandoned]);
  const left = [...complete.slice(2), '2020-before-upgrade', ...others];
  expect(readdirSync(folder).toSorted()).toEqual(left.toSorted());
  expect(await pruneBackups(folder, 2, new Date(at))).toEqual([]);
});

test.each([
  ['2026-01-31T02:16:59.000Z', 1_000],
  ['2026-01-31T02:17:00.000Z', 86_400_000],
  ['2026-01-31T23:17:00.000Z', 3 * 3_600_000],
])('at %s the next 02:17 comes in %i ms', (now, ms) => {
  expect(untilTimeOfDay(readTimeOfDay('02:17'), new Date(now))).toBe(ms);
  expect(nameBackup(new Date(now))).toBe(now.slice(0, 19).replaceAll(':', ''));
});

test.each(['2:17', '24:00', '02:60', ''])('%j is no time of day', (text) => {
  expect(() => readTimeOfDay(text)).toThrow('expected a time like 02:17');
});
