import { execFileSync } from 'node:child_process';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { type MediaStore, mediaVariables, openMediaStore } from '@smartlink/media/store';
import { readConfig } from '@smartlink/process/config';
import { createSystemReplies } from '../http/system-replies.js';
import { createVisitCounters, type Tally } from '../metrics/worker-metrics.js';
import { createAnswerMedia } from './media-files.js';

const NAME = `${'0123456789abcdef'.repeat(2)}-96.webp`;
const REPLIES = createSystemReplies({
  publicBaseUrl: 'https://sl.example.com',
  abuseContactUrl: null,
  scriptPath: '/-/assets/p.js',
  shareImagePath: (kind) => `/-/assets/og-${kind}.png`,
});

let folder: string;
let media: string;
let store: MediaStore;
let time: number;
let faults: unknown[];
let answerMedia: ReturnType<typeof createAnswerMedia>;

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'smartlink-media-'));
  media = path.join(folder, 'media');
  store = openMediaStore(readConfig(z.object(mediaVariables), { MEDIA_DIR: media }));
  await store.put(NAME, Buffer.from('picture'));
  time = 1_700_000_000_000;
  faults = [];
  answerMedia = createAnswerMedia({
    store,
    bytesMax: 1e6,
    replies: REPLIES,
    counters: createVisitCounters(),
    now: () => time,
    onFault: (err) => faults.push(err),
  });
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

/** The result of a visit, and whether it was at once. */
function visit(name = NAME): { readonly tally: Tally; readonly answered: Promise<unknown> | null } {
  const tally: Tally = { outcome: null };
  const answer = answerMedia({ name, language: 'en', tally });
  return { tally, answered: answer instanceof Promise ? answer : null };
}
async function resultOf({ tally, answered }: ReturnType<typeof visit>): Promise<string> {
  const isAtOnce = answered === null;
  await answered;
  return `${tally.outcome}${isAtOnce ? ' at once' : ''}`;
}

test('a picture in memory is looked for in the store every 25 s, and unknown once it is gone', async () => {
  expect(await resultOf(visit())).toBe('link_file');
  time += 24_999;
  expect(await resultOf(visit())).toBe('link_file at once');
  time += 1;
  expect(await Promise.all([visit(), visit()].map(resultOf))).toEqual(['link_file', 'link_file']);
  await store.remove(NAME);
  time += 24_999;
  expect(await resultOf(visit())).toBe('link_file at once');
  time += 1;
  expect(await Promise.all([visit(), visit()].map(resultOf))).toEqual(['not_found', 'not_found']);
  expect(await resultOf(visit())).toBe('not_found');
});

test('while the store is away, pictures in memory are served; 5 s later it is asked again', async () => {
  await resultOf(visit());
  renameSync(media, `${media}-away`);
  time += 25_000;
  expect(await resultOf(visit())).toBe('link_file');
  time += 4_999;
  expect(await resultOf(visit())).toBe('link_file at once');
  expect(faults).toEqual([]);
  renameSync(`${media}-away`, media);
  await store.remove(NAME);
  time += 1;
  expect(await resultOf(visit())).toBe('not_found');
});

test('a store that hangs delays the visitors of a picture in memory by a second, once', async () => {
  await resultOf(visit());
  const pipes = ['192', '384'].map((width) => NAME.replace('96', width));
  for (const pipe of pipes) execFileSync('mkfifo', [path.join(media, pipe.slice(0, 2), pipe)]);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const slow = pipes.map((pipe) => visit(pipe));
  time += 25_000;
  const waiting = visit();
  await vi.advanceTimersByTimeAsync(999);
  expect(waiting.tally.outcome).toBeNull();
  await vi.advanceTimersByTimeAsync(1);
  expect(await resultOf(waiting)).toBe('link_file');
  expect(await resultOf(visit())).toBe('link_file at once');
  vi.useRealTimers();
  for (const pipe of pipes) writeFileSync(path.join(media, pipe.slice(0, 2), pipe), 'slow');
  expect(await Promise.all(slow.map(resultOf))).toEqual(['link_file', 'link_file']);
});
