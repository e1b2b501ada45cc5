import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readConfig } from '@smartlink/process/config';
import { redirectConfigSchema } from '@smartlink/redirect/config';

const DEPLOY = path.resolve(import.meta.dirname, '../../../deploy');
const MEBIBYTES: Readonly<Record<string, number>> = { M: 1, G: 1024 };

function find(file: string, pattern: RegExp): readonly string[] {
  const found = pattern.exec(readFileSync(path.join(DEPLOY, file), 'utf8'))?.slice(1);
  if (found === undefined) throw new Error(`${file} lacks ${pattern.source}`);
  return found;
}

const mebibytes = (size = ''): number =>
  Number.parseFloat(size) * (MEBIBYTES[size.replace(/[\d.]/g, '').charAt(0).toUpperCase()] ?? Number.NaN);

const chart = (name: string) =>
  find(
    `kubernetes/smartlink/${name}.yaml`,
    /^redirect:[^]*?requests: \{ cpu: '(\d+)'[^]*?limits: \{ memory: (\w+)/m,
  );

/** Processes and the memory limit of all, of each way to deploy redirect. */
const LIMITS: readonly (readonly string[])[] = [
  ...['values', 'values-small', 'values-production'].map(chart),
  find('compose.yaml', /REDIRECT_PROCESSES:-(\d+)\}[^]*?memory: (\w+)/),
  find('systemd/smartlink-redirect.service', /REDIRECT_PROCESSES=(\d+)\nMemoryMax=(\w+)/),
];

test('a redirect process has the same memory however it is deployed, and more than the alert takes for normal', () => {
  const perProcess = LIMITS.map(([processes, limit]) => mebibytes(limit) / Number(processes));
  expect(new Set(perProcess)).toEqual(new Set([768]));
  const engines = {
    DATABASE_URL: 'postgres://u@127.0.0.1/d',
    REDIS_URL: 'redis://127.0.0.1',
    CLICKHOUSE_URL: 'http://127.0.0.1/d',
  };
  const { L1_BYTES_MAX, PAGES_BYTES_MAX } = readConfig(redirectConfigSchema, engines);
  const [factor, base] = find(
    'monitoring/prometheus/rules/alerts.yml',
    /> (\d) \* \(smartlink_redirect_cache_bytes_max \+ smartlink_redirect_pages_bytes_max\) \+ (\w+) \* smartlink_redirect_workers_max/,
  );
  const normal = Number(factor) * (L1_BYTES_MAX + PAGES_BYTES_MAX) + Number(base);
  expect(768 * 1024 * 1024).toBeGreaterThan(normal);
});

test('a management process has the same memory however it is deployed', () => {
  const management = (name: string) =>
    find(`kubernetes/smartlink/${name}.yaml`, /^management:[^]*?limits: \{ memory: (\w+)/m);
  const limits = [
    ...['values', 'values-small', 'values-production'].map(management),
    find('compose.yaml', /512 MiB of it are for [^]*?memory: (\w+)/),
    find('systemd/smartlink-management.service', /MemoryMax=(\w+)/),
  ];
  expect(new Set(limits.map(([limit]) => mebibytes(limit)))).toEqual(new Set([1280]));
});
