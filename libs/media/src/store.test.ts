import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import S3rver from 's3rver';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { readConfig } from '@smartlink/process/config';
import { mediaVariables, type MediaStore, openMediaStore } from './store.js';

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
    await store?.remove(NAME);
    await store?.remove(NAME);
    expect(await store?.get(NAME)).toBeNull();
  });
});

test('a folder shows no unfinished file', async () => {
  await stores['folder']?.put(NAME, Buffer.alloc(1024 * 1024));
  expect(readdirSync(path.join(folder, 'media', '01'))).toEqual([NAME]);
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
});
