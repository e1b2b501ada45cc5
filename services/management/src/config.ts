import {
  baseUrlVariable,
  integerVariable,
  keyPrefixVariable,
  listVariable,
  logLevelVariable,
  portVariable,
  urlVariable,
} from '@smartlink/process/config';
import { z } from 'zod';

export const configSchema = z.object({
  DATABASE_URL: urlVariable('postgres:', 'postgresql:').describe('address of the Postgres database'),
  REDIS_URL: urlVariable('redis:', 'rediss:').describe(
    'address of Redis; no RDB or AOF, or dumps kept for a day at most: it holds keys of visitor ids',
  ),
  CLICKHOUSE_URL: urlVariable('http:', 'https:').describe(
    'address of ClickHouse, with the database as its path',
  ),
  REDIS_KEY_PREFIX: keyPrefixVariable('smartlink:').describe('first part of every Redis key and channel'),
  MANAGEMENT_PORT: portVariable(3000).describe('port of the API'),
  MANAGEMENT_HOST: z.string().default('127.0.0.1').describe('address the API listens on'),
  PUBLIC_BASE_URL: baseUrlVariable()
    .default('http://127.0.0.1:8080')
    .describe('what every short link begins with'),
  CORS_ORIGINS: listVariable().describe(
    'origins, comma-separated, whose pages may call the API; none by default',
  ),
  POSTGRES_CONNECTIONS_MAX: integerVariable(10, 2, 200).describe('most connections to Postgres at once'),
  TOTALS_AGE_MAX_MS: integerVariable(1_000, 0, 5_000).describe(
    'how old the totals in lists and fetches may be, in ms',
  ),
  EVENTS_KEPT_MONTHS: integerVariable(13, 0, 1_200).describe(
    'whole months for which single visits are kept; figures by UTC day stay for ever; 0 keeps everything',
  ),
  ROLLUP_INTERVAL_SECONDS: integerVariable(30, 1, 3_600).describe(
    'how often days that are over, and late visits, are rolled up, by one process at a time',
  ),
  LOG_LEVEL: logLevelVariable().describe('fatal, error, warn, info, debug, trace or silent'),
});

export type Config = Readonly<z.output<typeof configSchema>>;
