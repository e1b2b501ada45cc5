import { createHash, randomInt, randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance, InjectOptions } from 'fastify';
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, inject as provided } from 'vitest';
import { readConfig } from '@smartlink/process/config';
import { createLogger } from '@smartlink/process/lifecycle';
import { apiKeyDisplayPrefix, generateApiKey } from '@smartlink/smartlink/credentials';
import type { EventRow } from '@smartlink/test-support/event-row';
import {
  createTestDatabases,
  type TestDatabases,
  type TestDatabasesOptions,
} from '@smartlink/test-support/test-databases';
import { until } from '@smartlink/test-support/until';
import type { Role } from '../src/accounts/roles.js';
import { addSession } from '../src/accounts/sessions.js';
import { buildApp } from '../src/app.js';
import { configSchema } from '../src/config.js';
import type {} from '../src/plugins/engines.js';
import type {} from '../src/plugins/metrics.js';
import type {} from '../src/smartlinks/publishing/format-gate.js';
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

/** What a test file asks of its service. */
export type ServiceOptions = TestDatabasesOptions & {
  /** Overrides variables of the service. */
  readonly env?: Record<string, string>;
  readonly urlSafety?: UrlSafety;
  /** Whether users may make as many requests a minute as a test likes. Default: `lifted`. */
  readonly rateLimits?: 'lifted' | 'kept';
  /** Waits until members that need the newest snapshot format can be written: two seconds. */
  readonly takesNewMembers?: true;
};

/** Starts the service on a Postgres database of its own. The caller closes it. */
export async function startService({
  env = {},
  urlSafety,
  clickhouse = 'shared',
  rateLimits = 'lifted',
  takesNewMembers,
}: ServiceOptions = {}): Promise<TestService> {
  const databases = await createTestDatabases(provided('stack'), { clickhouse });
  const service = await startServiceOn(databases, env, urlSafety);
  if (rateLimits === 'lifted') {
    await service.app.pg.query('update plans set requests_per_minute = 10000000');
  }
  if (takesNewMembers) await until(() => service.app.formatGate.state() === 'open', 'the gate is open');
  return {
    ...service,
    close: async () => {
      await service.app.close();
      rmSync(mediaFolder(databases), { recursive: true, force: true });
      await databases.drop();
    },
  };
}

/**
 * Starts a service with one Enterprise user before the tests of the file, and closes it after them. `api` calls it with
 * the user's key. The objects have their members from `beforeAll` on.
 */
export function useService(options: ServiceOptions = {}): {
  readonly service: TestService;
  readonly user: TestUser;
  readonly api: Caller;
} {
  let started: { service: TestService; user: TestUser; api: Caller } | undefined;
  beforeAll(async () => {
    const service = await startService(options);
    const user = await service.createUser();
    started = { service, user, api: caller(service.app, user.apiKey) };
  });
  afterAll(() => started?.service.close());
  return {
    service: onceStarted(() => started?.service),
    user: onceStarted(() => started?.user),
    api: onceStarted(() => started?.api),
  };
}

/** Starts another process's service on the databases of `service` before the tests of the file, closed before that one. */
export function useSecondService(
  service: TestService,
  env: Record<string, string> = {},
  urlSafety?: UrlSafety,
): Omit<TestService, 'close'> {
  let second: Omit<TestService, 'close'> | undefined;
  beforeAll(async () => {
    second = await startServiceOn(service.databases, env, urlSafety);
  });
  afterAll(() => second?.app.close());
  return onceStarted(() => second);
}

/** An object whose members are those of what `find` returns, which must be there when one is read. */
function onceStarted<T extends object>(find: () => T | undefined): T {
  return new Proxy({} as T, {
    get(_target, key) {
      const started = find();
      if (started === undefined) throw new Error('The service is started in beforeAll');
      return Reflect.get(started, key) as unknown;
    },
  });
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
    // No name server answers, unless a test has one.
    DOMAIN_DNS_SERVERS: '127.0.0.1:1',
    // A test that adds visits looks at once.
    TOTALS_AGE_MAX_MS: '0',
    MEDIA_DIR: mediaFolder(databases),
    // Tests put visits into days that are long over, and look for them at once.
    ROLLUP_INTERVAL_SECONDS: '3600',
    ...env,
  });
  const app = await buildApp(config, log, { urlSafety });
  return { app, databases, logLines, createUser: (plan = 'Enterprise') => createUser(app, plan) };
}

const mediaFolder = ({ redisKeyPrefix }: TestDatabases): string =>
  join(tmpdir(), `smartlink-media-${redisKeyPrefix.replaceAll(/\W/g, '')}`);

async function createUser(app: FastifyInstance, plan: string): Promise<TestUser> {
  const userId = randomUUID();
  const email = `${userId}@example.com`;
  await app.pg.query('insert into users (id, email, plan) values ($1, $2, $3)', [userId, email, plan]);
  const apiKey = await addKey(app, userId);
  return { userId, email, apiKey };
}

/** The service's connection to Redis with every command: the Redis of tests is a single one. */
export const redisOf = (app: FastifyInstance): Redis => app.redis as Redis;

/** Forgets the requests of the last minute: those of persons are limited on every plan. */
export async function forgetUsage({ app, databases }: TestService): Promise<void> {
  const keys = await redisOf(app).keys(`${databases.redisKeyPrefix}usage:*`);
  for (const key of keys) await redisOf(app).del(key);
}

export const metricsOf = (app: FastifyInstance): Promise<string> => app.metrics.registry.metrics();

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

export async function revokeKey(app: FastifyInstance, apiKey: string): Promise<void> {
  const prefix = apiKeyDisplayPrefix(apiKey);
  await app.pg.query('update api_keys set revoked_at = now() where display_prefix = $1', [prefix]);
}

export type TestPerson = { readonly personId: string; readonly email: string };

/** Stores a person, a member of the given accounts by id. */
export async function createPerson(
  app: FastifyInstance,
  { roles = {}, isOperator = false }: { roles?: Readonly<Record<string, Role>>; isOperator?: boolean } = {},
): Promise<TestPerson> {
  const personId = randomUUID();
  const email = `${personId}@example.com`;
  const person = [personId, email, isOperator];
  await app.pg.query('insert into people (id, email, is_operator) values ($1, $2, $3)', person);
  for (const [userId, role] of Object.entries(roles)) {
    const membership = [userId, personId, role];
    await app.pg.query('insert into memberships (user_id, person_id, role) values ($1, $2, $3)', membership);
  }
  return { personId, email };
}

/** The headers of a signed-in person's requests, writes too. */
export const sessionHeaders = (token: string) => ({
  cookie: `smartlink_session=${token}`,
  origin: 'http://localhost',
  'sec-fetch-site': 'same-origin',
});

/** Starts a session of a person in an account, or in none, and returns its token and a caller with its cookie. */
export async function signIn(
  app: FastifyInstance,
  { personId }: Pick<TestPerson, 'personId'>,
  userId: string | null,
  device = 'Firefox on Linux',
): Promise<{ readonly token: string; readonly api: Caller }> {
  const { rows } = await app.pg.query<{ passwordHash: string | null }>(
    'select password_hash as "passwordHash" from people where id = $1',
    [personId],
  );
  const { passwordHash = null } = rows[0] ?? {};
  const session = await addSession(app.pg, { personId, passwordHash, userId, device, country: null });
  if (session === null) throw new Error('The person is disabled');
  return { token: session.token, api: callerWith(app, sessionHeaders(session.token)) };
}

export type Caller = ReturnType<typeof caller>;

/** A caller of the API with one user's key. */
export const caller = (app: FastifyInstance, apiKey: string) =>
  callerWith(app, { authorization: `Bearer ${apiKey}` });

/** A caller with headers of its own. `base` is what its paths begin with. */
export function callerWith(
  app: FastifyInstance,
  ownHeaders: Readonly<Record<string, string>>,
  base = '/api/v1',
) {
  const call = async (method: InjectOptions['method'], url: string, body?: unknown, headers = {}) => {
    const res = await app.inject({
      method: method ?? 'GET',
      url: `${base}${url}`,
      headers: {
        ...ownHeaders,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined
        ? {}
        : { payload: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body) }),
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

/** The paths of a failure's details. */
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

/** A valid body of a Url smartlink with some members replaced. */
export const urlSmartlink = (configuration: object = {}, shortener: object = {}, rest: object = {}) => ({
  configuration: { smartlinkName: 'Docs', smartlinkType: 'Url', ...configuration },
  shortener: { url: 'https://example.org/', ...shortener },
  ...rest,
});

/** Creates a smartlink, which must succeed. */
export async function createSmartlink(api: Caller, body: object = urlSmartlink()) {
  const res = await api.post('/smartlink', body);
  expect([res.status, res.body.error]).toEqual([201, undefined]);
  const { data } = res.body;
  return {
    id: data.id as string,
    slug: data.configuration.smartlinkUrl as string,
    etag: String(res.headers.etag),
    data,
  };
}
