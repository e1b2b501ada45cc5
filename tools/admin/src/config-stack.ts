import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Env } from './addresses.js';

/**
 * Returns what the running stack of npm start gives its services, by the names of variables; nothing where DATABASE_URL
 * is given, or no stack runs. `stack.json` is described in deploy/embedded.
 */
export function readStackVariables(env: Env): Env {
  if ((env['DATABASE_URL'] ?? '') !== '' || (env['DATABASE_URL_FILE'] ?? '') !== '') return {};
  const folder = resolve(env['SMARTLINK_DATA_DIR'] ?? '.data');
  const file = join(folder, 'stack.json');
  if (!existsSync(file)) return {};
  const stack: unknown = JSON.parse(readFileSync(file, 'utf8'));
  const text = (name: string): string | undefined => {
    const value: unknown = typeof stack === 'object' && stack !== null ? Reflect.get(stack, name) : undefined;
    return typeof value === 'string' ? value : undefined;
  };
  return {
    DATABASE_URL: text('databaseUrl'),
    REDIS_URL: text('redisUrl'),
    CLICKHOUSE_URL: text('clickhouseUrl'),
    PUBLIC_BASE_URL: text('publicBaseUrl'),
    MANAGEMENT_PORT: portOf(text('managementUrl')),
    REDIRECT_PORT: portOf(text('publicBaseUrl')),
    METRICS_PORT: portOf(text('metricsUrl')),
    // Of a stack that is still starting, or of a version that did not say, it is where it is by default.
    SPOOL_DIR: text('spoolDir') ?? join(folder, 'spool'),
  };
}

function portOf(url: string | undefined): string | undefined {
  const port = url === undefined || !URL.canParse(url) ? '' : new URL(url).port;
  return port === '' ? undefined : port;
}
