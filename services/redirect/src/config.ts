import { availableParallelism } from 'node:os';
import {
  baseUrlVariable,
  flagVariable,
  integerVariable,
  keyPrefixVariable,
  listVariable,
  logLevelVariable,
  portVariable,
  urlVariable,
} from '@smartlink/process/config';
import { z } from 'zod';
import { parseTrustedProxies } from './client-address.js';

const MEBIBYTE = 1024 * 1024;

/** The variables of the redirect service. Both the primary and its workers read them once, in main.ts. */
export const redirectConfigSchema = z.object({
  REDIRECT_PORT: portVariable(8080).describe('port of the public side; 0 takes a free one'),
  REDIRECT_HOST: z.string().default('127.0.0.1').describe('address the public side listens on'),
  REDIRECT_PROCESSES: integerVariable(availableParallelism(), 1, 256).describe(
    'number of processes that answer visitors; one per core by default',
  ),
  PUBLIC_BASE_URL: baseUrlVariable()
    .optional()
    .describe('address visitors see; http://127.0.0.1:$REDIRECT_PORT by default'),
  DATABASE_URL: urlVariable('postgres:', 'postgresql:').describe('address of the Postgres database'),
  REDIS_URL: urlVariable('redis:', 'rediss:').describe('address of Redis'),
  CLICKHOUSE_URL: urlVariable('http:', 'https:').describe(
    'address of ClickHouse, with the database as its path',
  ),
  REDIS_KEY_PREFIX: keyPrefixVariable('smartlink:').describe('first part of every Redis key and channel'),
  SPOOL_DIR: z
    .string()
    .default('.data/spool')
    .describe('folder where events wait for ClickHouse; on a disk that survives a restart'),
  SPOOL_BYTES_MAX: integerVariable(4096 * MEBIBYTE, MEBIBYTE, Number.MAX_SAFE_INTEGER).describe(
    'bytes the spool may take; what does not fit is dropped, counted by reason',
  ),
  EVENTS_STRICT: flagVariable(false).describe('answer a visit only after its event is written to the spool'),
  COOKIE_SECRETS: listVariable()
    .refine((secrets) => secrets.every((secret) => secret.length >= 16), 'each needs 16 characters or more')
    .describe('comma-separated keys of unlock cookies: the first signs, all verify; random when not given'),
  METRICS_PORT: portVariable(9464).describe('port of the metrics, on 127.0.0.1; 0 takes a free one'),
  ROOT_REDIRECT_URL: urlVariable('http:', 'https:')
    .transform((value) => new URL(value).href)
    .optional()
    .describe('where / leads; a small page by default'),
  REDIRECT_STATUS: z
    .enum(['301', '302', '307', '308'], 'expected 301, 302, 307 or 308')
    .default('302')
    .transform(Number)
    .describe(
      'status of redirects; browsers keep 301 and 308, and visits they answer themselves are not counted',
    ),
  FORWARD_QUERY: flagVariable(true).describe("add the visitor's parameters to the target of Url links"),
  TRUSTED_PROXIES: listVariable()
    .refine((ranges) => parseTrustedProxies(ranges) !== null, 'expected addresses or CIDR ranges')
    .describe('comma-separated CIDR ranges of proxies whose X-Forwarded-For is believed; none by default'),
  L1_ENTRIES_MAX: integerVariable(100_000, 100, 10_000_000).describe('links each process keeps ready'),
  L1_BYTES_MAX: integerVariable(64 * MEBIBYTE, MEBIBYTE, 64 * 1024 * MEBIBYTE).describe(
    'bytes each process may keep links in, roughly',
  ),
  LOG_LEVEL: logLevelVariable().describe('fatal, error, warn, info, debug, trace or silent'),
});

export type RedirectConfig = Readonly<z.output<typeof redirectConfigSchema>>;
