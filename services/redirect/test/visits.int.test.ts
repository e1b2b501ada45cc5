import { createTestDatabases } from '@smartlink/embedded/test-databases';
import type { TestDatabases } from '@smartlink/embedded/test-databases';
import { Redis } from 'ioredis';
import { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createLinkStore } from './link-store.js';
import type { LinkStore } from './link-store.js';
import { buildRedirect, startRedirect } from './start-redirect.js';
import type { Redirect } from './start-redirect.js';

let databases: TestDatabases;
let pool: Pool;
let redis: Redis;
let links: LinkStore;
let redirect: Redirect;

beforeAll(async () => {
  buildRedirect();
  databases = await createTestDatabases(inject('stack'));
  pool = new Pool({ connectionString: databases.databaseUrl, max: 2 });
  redis = new Redis(databases.redisUrl);
  links = await createLinkStore(pool, redis, databases.redisKeyPrefix);
  redirect = await startRedirect(databases);
});

afterAll(async () => {
  await redirect.stop();
  redis.disconnect();
  await pool.end();
  await databases.drop();
});

const visit = (path: string, init: RequestInit = {}) =>
  fetch(`${redirect.url}${path}`, { redirect: 'manual', ...init });

test('a known slug answers 302 with exactly the promised headers', async () => {
  await links.insert({ slug: 'Docs1', url: 'https://example.org/docs?a=1#top' });
  const response = await visit('/Docs1');
  expect(response.status).toBe(302);
  expect(Object.fromEntries(response.headers)).toEqual({
    'cache-control': 'private, no-store',
    'content-length': '0',
    date: expect.any(String),
    location: 'https://example.org/docs?a=1#top',
    'referrer-policy': 'strict-origin-when-cross-origin',
    uwebsockets: '20',
    'x-robots-tag': 'noindex',
  });
});
