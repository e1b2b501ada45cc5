import { ClickHouseLogLevel, createClient } from '@clickhouse/client';
import type { Logger } from '@smartlink/process/logger';
import { waitForSchema, watchSchema } from '@smartlink/process/schema-check';
import { schemaSources } from '@smartlink/process/schema-sources';
import { Client } from 'pg';
import type { Config } from './config.js';

/** For so long Postgres is waited for: a restart of it, or of the machine both are on, is over by then. */
export const POSTGRES_WAIT_SECONDS = 30;

const ANSWER_MS_MAX = 3_000;
const LOOK_AGAIN_MS = 2_000;

export type SchemaCheck =
  /** The service may start. `stop` ends what still asks for databases that were away. */
  | { readonly kind: 'passed'; readonly stop: () => void }
  | { readonly kind: 'refused'; readonly reason: string };

/**
 * Looks whether the databases have a schema that this build knows. Postgres is waited for, `waitMs` at most, since
 * nothing works without it. ClickHouse may be away: that is a warning, and it is asked again until it answers.
 * `onUnknown` is told then of a schema that this build must not run on.
 */
export async function checkSchemas(
  config: Pick<Config, 'DATABASE_URL' | 'CLICKHOUSE_URL'>,
  options: { readonly waitMs: number; readonly log: Logger; readonly onUnknown: (reason: string) => void },
): Promise<SchemaCheck> {
  const { log, onUnknown, waitMs } = options;
  const report = (reason: string) => {
    log.warn({ reason }, 'waiting for Postgres');
  };
  const { postgres, clickhouse } = sourcesOf(config);
  const [postgresState, clickhouseState] = await Promise.all([
    waitForSchema(postgres, { limitMs: waitMs, report }),
    clickhouse.check(),
  ]);
  if (postgresState.kind !== 'known') return { kind: 'refused', reason: postgresState.reason };
  if (clickhouseState.kind === 'unknown') return { kind: 'refused', reason: clickhouseState.reason };
  if (clickhouseState.kind === 'known') return { kind: 'passed', stop: () => undefined };
  const { reason } = clickhouseState;
  log.warn({ reason }, 'starting without ClickHouse: analytics answer 503 until it is there');
  return { kind: 'passed', stop: watchSchema(clickhouse, { everyMs: LOOK_AGAIN_MS, onUnknown }) };
}

function sourcesOf(config: Pick<Config, 'DATABASE_URL' | 'CLICKHOUSE_URL'>) {
  return schemaSources(config, {
    answerMsMax: ANSWER_MS_MAX,
    applicationName: 'smartlink-management-start',
    openPostgres: (settings) => new Client(settings),
    openClickhouse: (settings) => createClient({ ...settings, log: { level: ClickHouseLogLevel.OFF } }),
  });
}
