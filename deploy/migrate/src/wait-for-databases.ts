import { createClient, ClickHouseLogLevel } from '@clickhouse/client';
import { waitForSchema } from '@smartlink/process/schema-check';
import type { SchemaSource } from '@smartlink/process/schema-check';
import { schemaSources } from '@smartlink/process/schema-sources';
import { Client } from 'pg';

// A database that starts answers or refuses at once; one that is silent is asked again.
const ANSWER_MS_MAX = 5_000;

/**
 * Resolves once both databases answer, in whatever state their schema is. Each that does not is asked again for
 * `limitMs`, told by `report` at the first failure and every 10 s; one that runs and refuses the login, or has no such
 * database, is not. Throws the last failure, in one line.
 */
export async function waitForDatabases(options: {
  readonly databaseUrl: string;
  readonly clickhouseUrl: string;
  readonly limitMs: number;
  readonly report: (line: string) => void;
}): Promise<void> {
  const startedAt = performance.now();
  for (const source of sourcesOf(options)) {
    const limitMs = Math.max(0, options.limitMs - (performance.now() - startedAt));
    const state = await waitForSchema(source, { limitMs, report: options.report, endsOnRefusal: true });
    if (state.kind !== 'unreachable') continue;
    // ClickHouse's is made when it is missing.
    const hint = state.refuses === 'database' ? `: create database ${databaseOf(options.databaseUrl)}` : '';
    throw new Error(`${state.reason}${hint}`);
  }
}

/** Returns the name of the database as SQL has it. */
function databaseOf(databaseUrl: string): string {
  const name = decodeURIComponent(new URL(databaseUrl).pathname.slice(1));
  return /^[a-z_][a-z0-9_]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`;
}

function sourcesOf({
  databaseUrl,
  clickhouseUrl,
}: {
  readonly databaseUrl: string;
  readonly clickhouseUrl: string;
}): readonly SchemaSource[] {
  const { postgres, clickhouse } = schemaSources(
    { DATABASE_URL: databaseUrl, CLICKHOUSE_URL: clickhouseUrl },
    {
      answerMsMax: ANSWER_MS_MAX,
      applicationName: 'smartlink-migrate-start',
      openPostgres: (settings) => new Client(settings),
      openClickhouse: (settings) => createClient({ ...settings, log: { level: ClickHouseLogLevel.OFF } }),
    },
  );
  return [postgres, clickhouse];
}
