import { clickhouseSchema, postgresSchema } from './schema-check.js';
import type { ClickhouseClient, PostgresClient, SchemaSource } from './schema-check.js';

/** What a client of pg is made of: it gives up after `connectionTimeoutMillis` to connect and `query_timeout` to answer. */
export type PostgresSettings = {
  readonly connectionString: string;
  readonly connectionTimeoutMillis: number;
  readonly query_timeout: number;
  readonly application_name: string;
};

/** What a client of ClickHouse is made of; `request_timeout` in milliseconds. */
export type ClickhouseSettings = { readonly url: string; readonly request_timeout: number };

/**
 * Returns what asks both databases for their schema, each answer within `answerMsMax`. Postgres lists the connections
 * under `applicationName`. The clients are opened by the caller, since this package depends on no engine, and are closed
 * here after each answer.
 */
export function schemaSources(
  addresses: { readonly DATABASE_URL: string; readonly CLICKHOUSE_URL: string },
  options: {
    readonly answerMsMax: number;
    readonly applicationName: string;
    readonly openPostgres: (settings: PostgresSettings) => PostgresClient;
    readonly openClickhouse: (settings: ClickhouseSettings) => ClickhouseClient;
  },
): { readonly postgres: SchemaSource; readonly clickhouse: SchemaSource } {
  const { DATABASE_URL, CLICKHOUSE_URL } = addresses;
  const { answerMsMax, applicationName, openPostgres, openClickhouse } = options;
  return {
    postgres: postgresSchema(
      DATABASE_URL,
      () =>
        openPostgres({
          connectionString: DATABASE_URL,
          connectionTimeoutMillis: answerMsMax,
          query_timeout: answerMsMax,
          application_name: applicationName,
        }),
      answerMsMax,
    ),
    clickhouse: clickhouseSchema(
      CLICKHOUSE_URL,
      () => openClickhouse({ url: CLICKHOUSE_URL, request_timeout: answerMsMax }),
      answerMsMax,
    ),
  };
}
