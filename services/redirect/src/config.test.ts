import { expect, test } from 'vitest';
import { readConfig } from '@smartlink/process/config';
import { redirectConfigSchema } from './config.js';

const ENGINES = {
  DATABASE_URL: 'postgres://smartlink@127.0.0.1/smartlink',
  REDIS_URL: 'redis://127.0.0.1',
  CLICKHOUSE_URL: 'http://127.0.0.1:8123/smartlink',
};

test.each<Readonly<Record<string, string>>>([
  { ASSET_LINKS: '[]', APPLE_APP_SITE_ASSOCIATION: '{}', ABUSE_CONTACT_URL: 'mailto:' },
  { ASSET_LINKS: '{}', APPLE_APP_SITE_ASSOCIATION: 'applinks', DEFAULT_LANGUAGE: 'fr' },
  { PUBLIC_BASE_URL: 'https://sl.example.com/path', ABUSE_CONTACT_URL: 'javascript:alert(1)' },
  { PUBLIC_BASE_URL: 'https://user@sl.example.com' },
  { PUBLIC_BASE_URL: 'https://sl.example.com?x=1' },
])('%j are all refused, each by its name', (env) => {
  expect(() => readConfig(redirectConfigSchema, ENGINES)).not.toThrow();
  for (const variable of Object.keys(env)) {
    expect(() => readConfig(redirectConfigSchema, { ...ENGINES, ...env })).toThrow(variable);
  }
});
