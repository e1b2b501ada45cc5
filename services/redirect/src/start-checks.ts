import { ClickHouseLogLevel, createClient } from '@clickhouse/client';
import type { Logger } from '@smartlink/process/logger';
import { askSchema, watchSchema } from '@smartlink/process/schema-check';
import type { SchemaSource, SchemaState } from '@smartlink/process/schema-check';
import { schemaSources } from '@smartlink/process/schema-sources';
import { Client } from 'pg';
import type { RedirectConfig } from './config.js';

// A start must not wait for a database that hangs: visitors are served without it.
const ANSWER_AT_START_MS = 500;
const ANSWER_MS_MAX = 2_000;
const LOOK_AGAIN_MS = 2_000;
const SAY_AGAIN_MS = 60_000;

export type SchemaChecks = {
  /** Begins to look after databases that had not answered, or not as they should. */
  readonly watch: (options: {
    /** Postgres has come back with a schema that this build must not run on. */
    readonly onUnknown: (reason: string) => void;
    /** Events may be sent: at once, unless ClickHouse is known to have a schema that this build does not know. */
    readonly onClickhouse: () => void;
  }) => void;
  readonly stop: () => void;
};

/**
 * Looks whether the databases have a schema that this build knows; takes half a second at most. Throws, with one line
 * for a person, when Postgres has one that it must not run on. A database that does not answer stops nothing. Nor does
 * ClickHouse ever: while its schema is unknown, events wait in the spool and visitors are served.
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
    log.warn({ reason }, 'starting without Postgres: its schema is looked at when it answers');
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
    log.error(
      { reason },
      'ClickHouse cannot be used: visitors are served, and their events wait in the spool',
    );
  };
  if (state.kind === 'unknown') {
    onUnknown(state.reason);
    return watchSchema(source, { everyMs: LOOK_AGAIN_MS, onUnknown, onKnown: onClickhouse });
  }
  onClickhouse();
  if (state.kind === 'known') return () => undefined;
  log.warn({ reason: state.reason }, 'ClickHouse does not answer: events wait in the spool until it does');
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
