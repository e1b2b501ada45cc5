import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client';
import fp from 'fastify-plugin';
import { Client, Pool } from 'pg';
import { openRedis, type RedisConnection } from '@smartlink/links/redis';
import { failureMessage, withTimeLimit } from '@smartlink/process/database';
import type { Logger } from '@smartlink/process/lifecycle';
import { schemaSources } from '@smartlink/process/schema';
import type {} from './tracing.js';

declare module 'fastify' {
  interface FastifyInstance {
    pg: Pool;
    redis: RedisConnection;
    clickhouse: ClickHouseClient;
  }
}

// No request waits longer: a client is better off with a 503 than with a minute of silence.
const CONNECT_TIMEOUT_MS = 3_000;
const STATEMENT_TIMEOUT_MS = 5_000;
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 10_000;

/** `app.pg`: a pool, closed after the last request. */
export const postgres = fp<{ databaseUrl: string; connectionsMax: number }>(
  (app, { databaseUrl, connectionsMax }, done) => {
    const pool = new Pool({
      connectionString: databaseUrl,
      max: connectionsMax,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      // If Postgres itself hangs, statement_timeout has no effect.
      query_timeout: STATEMENT_TIMEOUT_MS + 1_000,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
      application_name: 'smartlink-management',
    });
    pool.on('error', (err) => {
      app.log.warn({ err: { message: failureMessage(err) } }, 'idle postgres connection lost');
    });
    // The pool does not listen to a connection in use, so a reset between two statements would be an uncaught exception.
    // The next statement on it rejects anyway.
    pool.on('connect', (client) => {
      client.on('error', () => undefined);
    });
    app.decorate('pg', pool);
    app.addHook('onClose', async () => {
      await pool.end();
    });
    done();
  },
  { name: 'postgres' },
);

// Enough for the relay's batches; publishing by a request has its own budget of 150 ms.
const COMMAND_TIMEOUT_MS = 1_000;

/** `app.redis`, closed after the last request. */
export const redis = fp<{ redisUrl: string; log: Logger }>(
  (app, { redisUrl, log }, done) => {
    const redis = openRedis({ url: redisUrl, log, commandTimeoutMs: COMMAND_TIMEOUT_MS });
    app.decorate('redis', redis);
    app.addHook('onClose', () => {
      redis.disconnect();
    });
    done();
  },
  { name: 'redis' },
);

// The longest limit; each query sets a shorter one.
const REQUEST_TIMEOUT_MS = 5_000;

/** `app.clickhouse`, closed after the last request. */
export const clickhouse = fp<{ clickhouseUrl: string }>(
  (app, { clickhouseUrl }, done) => {
    const clickhouse = createClient({
      url: clickhouseUrl,
      application: 'smartlink-management',
      request_timeout: REQUEST_TIMEOUT_MS,
      max_open_connections: 10,
      ...(app.tracer === null ? {} : { tracer: app.tracer }),
      // Its own lines are not JSON and hold parameters; the callers log failures.
      log: { level: ClickHouseLogLevel.OFF },
      // Counts are sent as numbers: they stay far below 2^53.
      clickhouse_settings: { output_format_json_quote_64bit_integers: 0, max_execution_time: 5 },
    });
    app.decorate('clickhouse', clickhouse);
    app.addHook('onClose', async () => {
      await clickhouse.close();
    });
    done();
  },
  { name: 'clickhouse', dependencies: ['tracing'] },
);

/** For one answer of a database that is checked. */
export const ANSWER_MS_MAX = 3_000;

/** The schema checks of both databases, on connections of their own. */
export const schemasOf = (addresses: { readonly DATABASE_URL: string; readonly CLICKHOUSE_URL: string }) =>
  schemaSources(addresses, {
    answerMsMax: ANSWER_MS_MAX,
    applicationName: 'smartlink-management-schema',
    openPostgres: (settings) => new Client(settings),
    openClickhouse: (settings) => createClient({ ...settings, log: { level: ClickHouseLogLevel.OFF } }),
  });

const CHECK_LIMIT_MS = 1_000;

/**
 * /-/live: the process answers. /-/ready: it can serve. Nothing can be served without Postgres. Without Redis changes are
 * published later, without ClickHouse only analytics are refused: both are reported, but the service stays ready.
 */
export const health = fp(
  (app, _options, done) => {
    let isClosing = false;
    app.addHook('preClose', (next) => {
      isClosing = true;
      next();
    });
    app.get('/-/live', () => ({ status: 'live' }));
    app.get('/-/ready', async (_request, reply) => {
      const [postgres, redis, clickhouse] = await Promise.all([
        checkEngine(app.pg.query('select 1')),
        checkEngine(app.redis.ping()),
        checkEngine(
          app.clickhouse.ping().then((result) => {
            if (!result.success) throw result.error;
          }),
        ),
      ]);
      const isReady = !isClosing && postgres === 'ok';
      const status = isClosing ? 'shutting down' : isReady ? 'ready' : 'not ready';
      return reply.code(isReady ? 200 : 503).send({ status, checks: { postgres, redis, clickhouse } });
    });
    done();
  },
  { name: 'health', dependencies: ['postgres', 'redis', 'clickhouse'] },
);

async function checkEngine(check: Promise<unknown>): Promise<string> {
  try {
    await withTimeLimit(CHECK_LIMIT_MS, check);
    return 'ok';
  } catch (err) {
    return err instanceof Error && err.message !== '' ? `down: ${err.message}` : 'down';
  }
}
