import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import S3rver from 's3rver';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { readConfig } from '@smartlink/process/config';
import { TimeLimitError } from '@smartlink/process/database';
import { mediaVariables, type MediaStore, openMediaStore } from '../src/store.js';

const folder = mkdtempSync(path.join(tmpdir(), 'smartlink-media-'));
const server = new S3rver({
  port: 0,
  address: '127.0.0.1',
  silent: true,
  directory: path.join(folder, 's3'),
  configureBuckets: [{ name: 'pictures', configs: [] }],
});
const stores: Record<string, MediaStore> = {};

beforeAll(async () => {
  const { port } = await server.run();
  const schema = z.object(mediaVariables);
  stores['folder'] = openMediaStore(readConfig(schema, { MEDIA_DIR: path.join(folder, 'media') }));
  stores['bucket'] = openMediaStore(
    readConfig(schema, {
      MEDIA_S3_BUCKET: 'pictures',
      MEDIA_S3_ENDPOINT: `http://127.0.0.1:${port}`,
      MEDIA_S3_ACCESS_KEY_ID: 'S3RVER',
      MEDIA_S3_SECRET_ACCESS_KEY: 'S3RVER',
      MEDIA_S3_PREFIX: 'media/',
    }),
  );
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

const NAME = `${'0123456789abcdef'.repeat(2)}-96.webp`;

describe.each(['folder', 'bucket'])('a %s', (kind) => {
  test('keeps files by name, until they are removed', async () => {
    const store = stores[kind];
    expect(await store?.get(NAME)).toBeNull();
    await store?.put(NAME, Buffer.from('picture'));
    await store?.put(NAME, Buffer.from('picture'));
    expect(await store?.get(NAME)).toEqual(Buffer.from('picture'));
    expect(await store?.has(NAME)).toBe(true);
    await store?.remove(NAME);
    await store?.remove(NAME);
    expect(await store?.get(NAME)).toBeNull();
    expect(await store?.has(NAME)).toBe(false);
  });
});

test('a folder shows no unfinished file', async () => {
  await stores['folder']?.put(NAME, Buffer.alloc(1024 * 1024));
  expect(readdirSync(path.join(folder, 'media', '01'))).toEqual([NAME]);
});

test('a file is in a folder for good when its write ends: file and folders are synchronised', async () => {
  const media = path.join(folder, 'new', 'media');
  const probe = await open(folder, 'r');
  const handles = Object.getPrototypeOf(probe) as FileHandle;
  await probe.close();
  const real = handles.sync;
  const seen: number[] = [];
  const sync = vi.spyOn(handles, 'sync').mockImplementation(async function (this: FileHandle) {
    await real.call(this);
    seen.push((await this.stat()).ino);
  });
  const store = openMediaStore(readConfig(z.object(mediaVariables), { MEDIA_DIR: media }));
  const inodes = async (...names: string[]) =>
    Promise.all(
      names.map(async (name) => {
        await using handle = await open(name, 'r');
        return (await handle.stat()).ino;
      }),
    );
  await store.put(NAME, Buffer.from('picture'));
  const file = path.join(media, '01', NAME);
  expect(seen).toEqual(await inodes(file, path.dirname(file), media, path.dirname(media), folder));
  sync.mockRestore();
});

test('two reads of a folder run at once, and others wait up to 5 s', async () => {
  const media = path.join(folder, 'slow');
  const store = openMediaStore(readConfig(z.object(mediaVariables), { MEDIA_DIR: media }));
  const pipes = ['192', '384'].map((width) => NAME.replace('96', width));
  mkdirSync(path.join(media, '01'), { recursive: true });
  for (const pipe of pipes) execFileSync('mkfifo', [path.join(media, '01', pipe)]);
  await store.put(NAME, Buffer.from('picture'));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  // A read of a pipe waits for a writer.
  const slow = pipes.map((pipe) => store.get(pipe));
  const late = store.get(NAME).catch((err: unknown) => err);
  await vi.advanceTimersByTimeAsync(4_999);
  const waiting = store.get(NAME);
  await vi.advanceTimersByTimeAsync(1);
  expect(await late).toBeInstanceOf(TimeLimitError);
  vi.useRealTimers();
  for (const pipe of pipes) writeFileSync(path.join(media, '01', pipe), 'slow');
  expect(await Promise.all([...slow, waiting])).toEqual(
    ['slow', 'slow', 'picture'].map((text) => Buffer.from(text)),
  );
});

test('a folder that is away is a failure where a file was known', async () => {
  const media = path.join(folder, 'media');
  await stores['folder']?.put(NAME, Buffer.from('picture'));
  renameSync(media, `${media}-away`);
  await expect(stores['folder']?.has(NAME)).rejects.toThrow('ENOENT');
  renameSync(`${media}-away`, media);
});

test('a bucket that cannot be reached is a failure, and no missing file', async () => {
  const config = { MEDIA_S3_BUCKET: 'pictures', MEDIA_S3_ENDPOINT: 'http://127.0.0.1:1' };
  const store = openMediaStore(
    readConfig(z.object(mediaVariables), {
      ...config,
      MEDIA_S3_ACCESS_KEY_ID: 'key',
      MEDIA_S3_SECRET_ACCESS_KEY: 'not a placeholder',
    }),
  );
  await expect(store.get(NAME)).rejects.toThrow();
  await expect(store.has(NAME)).rejects.toThrow();
});
