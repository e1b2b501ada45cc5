import { createHash, randomInt, randomUUID } from 'node:crypto';
import { createLogger } from '@smartlink/process/logger';
import { readConfig } from '@smartlink/process/config';
import { apiKeyDisplayPrefix, generateApiKey } from '@smartlink/smartlink/api-key';
import { createTestDatabases } from '@smartlink/embedded/test-databases';
import type { TestDatabases } from '@smartlink/embedded/test-databases';
import type { EventRow } from '@smartlink/test-support/event-row';
import type { FastifyInstance, InjectOptions } from 'fastify';
import type { Redis } from 'ioredis';
import { inject as provided } from 'vitest';
import { buildApp } from '../src/app.js';
import { configSchema } from '../src/config.js';
import type {} from '../src/plugins/postgres.js';
import type {} from '../src/plugins/redis.js';
import type {} from '../src/plugins/clickhouse.js';
import type { UrlSafety } from '../src/url-safety/url-safety.js';

export const PUBLIC_BASE_URL = 'https://sl.example.com';

export type TestService = {
  readonly app: FastifyInstance;
  readonly databases: TestDatabases;
  /** Every log line so far. */
  readonly logLines: string[];
  readonly createUser: (plan?: string) => Promise<TestUser>;
  readonly close: () => Promise<void>;
};

export type TestUser = { readonly userId: string; readonly email: string; readonly apiKey: string };

/** Starts the service on databases of its own; `env` overrides its variables. The caller closes it. */
export async function startService(
  env: Record<string, string> = {},
  urlSafety?: UrlSafety,
): Promise<TestService> {
  const databases = await createTestDatabases(provided('stack'));
  const service = await startServiceOn(databases, env, urlSafety);
  return {
    ...service,
    close: async () => {
      await service.app.close();
      await databases.drop();
    },
  };
}

/** Starts the service with one Enterprise user and returns a caller with their key. The caller closes `service`. */
export async function startServiceWithUser(
  env: Record<string, string> = {},
): Promise<{ service: TestService; user: TestUser; api: Caller }> {
  const service = await startService(env);
  const user = await service.createUser();
  return { service, user, api: caller(service.app, user.apiKey) };
}

/** Starts a service on databases that others use too. The caller closes `app`. */
export async function startServiceOn(
  databases: TestDatabases,
  env: Record<string, string> = {},
  urlSafety?: UrlSafety,
): Promise<Omit<TestService, 'close'>> {
  const logLines: string[] = [];
  const log = createLogger({
    service: 'management',
    level: 'debug',
    destination: { write: (line: string) => logLines.push(line) },
  });
  const config = readConfig(configSchema, {
    DATABASE_URL: databases.databaseUrl,
    REDIS_URL: databases.redisUrl,
    CLICKHOUSE_URL: databases.clickhouseUrl,
    REDIS_KEY_PREFIX: databases.redisKeyPrefix,
    PUBLIC_BASE_URL,
    // A test that adds visits looks at once.
    TOTALS_AGE_MAX_MS: '0',
    // Tests put visits into days that are long over, and look for them at once.
    ROLLUP_INTERVAL_SECONDS: '3600',
    ...env,
  });
  const app = await buildApp(config, log, urlSafety);
  return { app, databases, logLines, createUser: (plan = 'Enterprise') => createUser(app, plan) };
}

async function createUser(app: FastifyInstance, plan: string): Promise<TestUser> {
  const userId = randomUUID();
  const email = `${userId}@example.com`;
  await app.pg.query('insert into users (id, email, plan) values ($1, $2, $3)', [userId, email, plan]);
  const apiKey = await addKey(app, userId);
  return { userId, email, apiKey };
}

/** Returns the service's connection to Redis with every command: the Redis of tests is a single one. */
export const redisOf = (app: FastifyInstance): Redis => app.redis as Redis;

/** Stores a new key of a user and returns it. */
export async function addKey(
  app: FastifyInstance,
  userId: string,
  expiresAt: Date | null = null,
): Promise<string> {
  const apiKey = generateApiKey(randomInt);
  await app.pg.query(
    `insert into api_keys (id, user_id, key_sha256, display_prefix, name, expires_at)
     values ($1, $2, $3, $4, 'test', $5)`,
    [
      randomUUID(),
      userId,
      createHash('sha256').update(apiKey).digest(),
      apiKeyDisplayPrefix(apiKey),
      expiresAt,
    ],
  );
  return apiKey;
}

export type Caller = ReturnType<typeof caller>;

/** Returns a caller of the API with one user's key. */
export function caller(app: FastifyInstance, apiKey: string) {
  const call = async (method: InjectOptions['method'], url: string, body?: unknown, headers = {}) => {
    const res = await app.inject({
      method: method ?? 'GET',
      url: `/api/v1${url}`,
      headers: {
        authorization: `Bearer ${apiKey}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const isJson = String(res.headers['content-type']).startsWith('application/json');
    const answer = isJson && res.body !== '' ? res.json() : null;
    return { status: res.statusCode, headers: res.headers, text: res.body, body: answer };
  };
  return {
    get: (url: string, headers = {}) => call('GET', url, undefined, headers),
    post: (url: string, body?: unknown, headers = {}) => call('POST', url, body, headers),
    patch: (url: string, body?: unknown, headers = {}) => call('PATCH', url, body, headers),
    delete: (url: string, body?: unknown, headers = {}) => call('DELETE', url, body, headers),
    call,
  };
}

/** Returns the paths of a failure's details. */
export const faultsOf = (res: { body: { error: { details: { path: string }[] } } }): string[] =>
  res.body.error.details.map(({ path }) => path);

/** Stores rows of visits, readable at once. */
export async function addEvents(app: FastifyInstance, values: readonly EventRow[]): Promise<void> {
  await app.clickhouse.insert({
    table: 'events',
    format: 'JSONEachRow',
    values,
    clickhouse_settings: { async_insert: 0 },
  });
}

/** Returns a valid body of a Url smartlink with some members replaced. */
export const urlSmartlink = (configuration: object = {}, shortener: object = {}, rest: object = {}) => ({
  configuration: { smartlinkName: 'Docs', smartlinkType: 'Url', ...configuration },
  shortener: { url: 'https://example.org/', ...shortener },
  ...rest,
});
