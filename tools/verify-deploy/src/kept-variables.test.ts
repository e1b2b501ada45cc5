import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { keptVariables } from './kept-variables.js';

// Every variable that Smartlink reads stands in the example, most of them behind a comment sign.
const EXAMPLE = readFileSync(new URL('../../../.env.example', import.meta.url), 'utf8');
const OURS = [...EXAMPLE.matchAll(/^#? ?([A-Z][A-Z\d_]+)=/gm)].map(([, name = '']) => name);

test('no variable of Smartlink reaches a check, nor the file that stands for it', () => {
  expect(OURS.length).toBeGreaterThan(20);
  expect(OURS).toContain('DATABASE_URL');
  const exported = OURS.flatMap((name) => [name, `${name}_FILE`]).map((name) => [name, 'theirs']);
  expect(keptVariables(Object.fromEntries(exported) as NodeJS.ProcessEnv)).toEqual({});
});

test('nor does what libraries read of engines, clusters and Node', () => {
  const env = {
    PGHOST: 'theirs',
    PGPASSWORD: 'theirs',
    KUBECONFIG: 'theirs',
    NODE_OPTIONS: '--require theirs',
    SMARTLINK_TEST_SIZE: 'full',
    GOOGLE_APPLICATION_CREDENTIALS: 'theirs',
  };
  expect(keptVariables(env)).toEqual({});
});

test('what programs and registries need stays', () => {
  const env = {
    PATH: '/usr/bin',
    HOME: '/home/somebody',
    https_proxy: 'http://127.0.0.1:3128',
    NO_PROXY: 'localhost',
    npm_config_registry: 'http://127.0.0.1:4873',
    PIP_INDEX_URL: 'http://127.0.0.1:3141',
    GOPROXY: 'off',
    XDG_CACHE_HOME: '/var/cache',
  };
  expect(keptVariables(env)).toEqual(env);
});
