import { ClickHouseError, ClickHouseLogLevel, createClient } from '@clickhouse/client';
import { Client, DatabaseError } from 'pg';
import { openRedis, whenReady } from '@smartlink/links/redis';
import { DENIED_CODES, LOGIN_CODES, NO_DATABASE_CODES } from '@smartlink/process/database';
import type { Logger } from '@smartlink/process/lifecycle';
import {
  askSchema,
  schemaSources,
  type SchemaSource,
  type SchemaState,
  watchSchema,
} from '@smartlink/process/schema';
import type { RedirectConfig } from '../config.js';

// A start must not wait for a hanging database: visitors are served without it.
const ANSWER_AT_START_MS = 500;
const ANSWER_MS_MAX = 2_000;
const LOOK_AGAIN_MS = 2_000;
const SAY_AGAIN_MS = 60_000;

type SchemaChecks = {
  /** Starts watching databases that did not answer, or have an unknown schema. */
  readonly watch: (options: {
    /** Postgres is back with a schema that this build must not run on. */
    readonly onUnknown: (reason: string) => void;
    /** Events may be sent: called at once, unless ClickHouse has a schema unknown to this build. */
    readonly onClickhouse: () => void;
  }) => void;
  readonly stop: () => void;
};

/**
 * Checks within half a second whether this build knows the databases' schemas. Throws, with a one-line reason, when
 * Postgres has one that it must not run on. A database that does not answer stops nothing. Nor does ClickHouse: while its
 * schema is unknown, events wait in the spool.
 */
export async function checkSchemas(
  config: Pick<RedirectConfig, 'DATABASE_URL' | 'CLICKHOUSE_URL'>,
  log: Logger,
): Promise<SchemaChecks> {
  const { postgres, clickhouse } = sourcesOf(config);
  const [postgresState, clickhouseState] = await Promise.all([
    askSchema(postgres, ANSWER_AT_START_MS),
    askSchema(clickhouse, ANSWER_AT_START_MS),
  ]);
  if (postgresState.kind === 'unknown') throw new Error(postgresState.reason);
  if (postgresState.kind === 'unreachable') {
    const { reason } = postgresState;
    log.warn({ reason }, 'starting without Postgres: its schema will be checked when it answers');
  }
  const stops: (() => void)[] = [];
  return {
    watch({ onUnknown, onClickhouse }) {
      if (postgresState.kind === 'unreachable') {
        stops.push(watchSchema(postgres, { everyMs: LOOK_AGAIN_MS, onUnknown }));
      }
      stops.push(watchClickhouse(clickhouse, clickhouseState, { log, onClickhouse }));
    },
    stop() {
      for (const stop of stops.splice(0)) stop();
    },
  };
}

function watchClickhouse(
  source: SchemaSource,
  state: SchemaState,
  { log, onClickhouse }: { readonly log: Logger; readonly onClickhouse: () => void },
): () => void {
  let saidAt = -Infinity;
  const onUnknown = (reason: string) => {
    if (performance.now() - saidAt < SAY_AGAIN_MS) return;
    saidAt = performance.now();
    log.error({ reason }, 'ClickHouse is not usable: visitors are served, events stay in the spool');
  };
  if (state.kind === 'unknown') {
    onUnknown(state.reason);
    return watchSchema(source, { everyMs: LOOK_AGAIN_MS, onUnknown, onKnown: onClickhouse });
  }
  onClickhouse();
  if (state.kind === 'known') return () => undefined;
  log.warn({ reason: state.reason }, 'ClickHouse does not answer: events stay in the spool');
  return watchSchema(source, { everyMs: LOOK_AGAIN_MS, onUnknown });
}

function sourcesOf(config: Pick<RedirectConfig, 'DATABASE_URL' | 'CLICKHOUSE_URL'>) {
  return schemaSources(config, {
    answerMsMax: ANSWER_MS_MAX,
    applicationName: 'smartlink-redirect-start',
    openPostgres: (settings) => new Client(settings),
    openClickhouse: (settings) => createClient({ ...settings, log: { level: ClickHouseLogLevel.OFF } }),
  });
}

type Addresses = Pick<
  RedirectConfig,
  'DATABASE_URL' | 'DATABASE_REPLICA_URL' | 'REDIS_URL' | 'CLICKHOUSE_URL'
>;

const REDIS_REFUSALS = /WRONGPASS|NOAUTH|NOPERM|without any password configured/;

const isRefusal = (code: string): boolean => LOGIN_CODES.has(code) || NO_DATABASE_CODES.has(code);

/**
 * Tries each login once, for at most 2 s, and names those refused, or null. An absent or slow engine refuses no login:
 * visitors are served without it, and it may be the reason for the restart. Never rejects.
 */
export async function findRefusedLogin(addresses: Addresses): Promise<string | null> {
  const { DATABASE_URL, DATABASE_REPLICA_URL: replicas, REDIS_URL, CLICKHOUSE_URL } = addresses;
  const tries: readonly (readonly [string, Promise<boolean>])[] = [
    ['DATABASE_URL', isRefusedByPostgres(DATABASE_URL)],
    ...replicas.map((url) => ['DATABASE_REPLICA_URL', isRefusedByPostgres(url)] as const),
    ['REDIS_URL', isRefusedByRedis(REDIS_URL)],
    ['CLICKHOUSE_URL', isRefusedByClickhouse(CLICKHOUSE_URL)],
  ];
  const refused: string[] = [];
  for (const [variable, isRefused] of tries) if (await isRefused) refused.push(variable);
  return refused.length === 0 ? null : `the login in ${refused.join(' and in ')} is refused`;
}

async function isRefusedByPostgres(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: ANSWER_MS_MAX });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return false;
  } catch (err) {
    return err instanceof DatabaseError && (isRefusal(err.code ?? '') || DENIED_CODES.has(err.code ?? ''));
  } finally {
    void client.end().catch(() => undefined);
  }
}

async function isRefusedByRedis(url: string): Promise<boolean> {
  const silent = { info: () => undefined, warn: () => undefined };
  const redis = openRedis({ url, log: silent, commandTimeoutMs: ANSWER_MS_MAX });
  try {
    await whenReady(redis, ANSWER_MS_MAX);
    // A server without passwords accepts the connection and refuses the command.
    await redis.ping();
    return false;
  } catch (err) {
    return err instanceof Error && REDIS_REFUSALS.test(err.message);
  } finally {
    redis.disconnect();
  }
}

async function isRefusedByClickhouse(url: string): Promise<boolean> {
  const client = createClient({
    url,
    request_timeout: ANSWER_MS_MAX,
    log: { level: ClickHouseLogLevel.OFF },
  });
  try {
    const result = await client.query({ query: 'select 1', format: 'JSONEachRow' });
    await result.json();
    return false;
  } catch (err) {
    return err instanceof ClickHouseError && isRefusal(err.code);
  } finally {
    void client.close().catch(() => undefined);
  }
}
