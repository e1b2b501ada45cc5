import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@clickhouse/client';
import { Redis } from 'ioredis';
import { Client } from 'pg';
import { afterEach, beforeEach, expect, inject, it } from 'vitest';
import { z } from 'zod';
import { isRunning } from '../src/child.js';
import { claimDataFolder, type Stack, type StackOptions, startStack } from '../src/stack.js';

let dataDir: string;
const stacks: Stack[] = [];
const report = () => undefined;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'smartlink-stack-'));
});

afterEach(async () => {
  const used = stacks.splice(0);
  for (const stack of used) await stack.stop();
  for (const folder of used.flatMap((stack) => stack.dataDirs))
    rmSync(folder, { recursive: true, force: true });
  rmSync(dataDir, { recursive: true, force: true });
});

async function start(options: { folder?: string; external?: StackOptions['external'] } = {}): Promise<Stack> {
  const dataFolder = await claimDataFolder(options.folder ?? dataDir, report);
  const stack = await startStack({ dataFolder, external: options.external ?? {}, report });
  stacks.push(stack);
  return stack;
}

const processesSchema = z.array(z.object({ name: z.string(), pid: z.int(), startedAt: z.string() }));
const processes = () =>
  processesSchema.parse(JSON.parse(readFileSync(join(dataDir, 'processes.json'), 'utf8')));

async function clickhouse(url: string, query: string): Promise<unknown> {
  const client = createClient({ url });
  try {
    if (!query.startsWith('select')) return await client.command({ query });
    return await (await client.query({ query, format: 'JSONEachRow' })).json();
  } finally {
    await client.close();
  }
}

async function postgres(url: string, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

it('keeps addresses in a private file, locks its folder, leaves no process, and keeps rows over a kill -9 of ClickHouse and a restart', async () => {
  const first = await start();
  const file = join(dataDir, 'stack.json');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
    databaseUrl: first.databaseUrl,
    redisUrl: first.redisUrl,
    clickhouseUrl: first.clickhouseUrl,
  });
  await expect(start()).rejects.toThrow(
    new RegExp(`^Smartlink is already running on .* \\(process ${process.pid}\\)`),
  );

  const withoutDatabase = Object.assign(new URL(first.clickhouseUrl), { pathname: '/' }).href;
  await clickhouse(withoutDatabase, 'create database smartlink');
  await clickhouse(first.clickhouseUrl, 'create table kept (n UInt32) engine = MergeTree order by n');
  await clickhouse(first.clickhouseUrl, 'insert into kept select number from numbers(1000)');
  await postgres(first.databaseUrl, 'create table kept as select 7 as n');
  const redis = new Redis(first.redisUrl);
  await redis.set('kept', 'yes', 'EX', 600);
  redis.disconnect();

  const running = processes();
  expect(running.map((each) => each.name)).toEqual(['postgres', 'redis', 'clickhouse']);
  process.kill(running.find((each) => each.name === 'clickhouse')?.pid ?? 0, 'SIGKILL');
  expect(await first.failed).toContain('clickhouse ended (SIGKILL)');
  await first.stop();
  expect(existsSync(file)).toBe(false);
  expect(running.filter(isRunning)).toEqual([]);

  const second = await start();
  expect(await clickhouse(second.clickhouseUrl, 'select count() as total from kept')).toEqual([
    { total: 1_000 },
  ]);
  expect(await postgres(second.databaseUrl, 'select n from kept')).toEqual([{ n: 7 }]);
  const again = new Redis(second.redisUrl);
  // A snapshot from the disk could be older than what was published since.
  expect(await again.get('kept')).toBeNull();
  again.disconnect();
});

it('uses given engines and starts none for them', async () => {
  const given = inject('stack');
  const stack = await start({ external: { ...given } });
  expect({ ...given }).toEqual({
    databaseUrl: stack.databaseUrl,
    redisUrl: stack.redisUrl,
    clickhouseUrl: stack.clickhouseUrl,
  });
  expect(existsSync(join(dataDir, 'processes.json'))).toBe(false);
});

it('names the fault of an unusable data folder in one line', async () => {
  const file = join(dataDir, 'a-file');
  writeFileSync(file, '');
  await expect(start({ folder: join(file, 'data') })).rejects.toThrow(
    /cannot be created or written \(ENOTDIR\).*SMARTLINK_DATA_DIR/,
  );
  await expect(start({ folder: join(dataDir, 'a{b}') })).rejects.toThrow(/ClickHouse cannot use/);
});

it('refuses damaged passwords instead of locking itself out with new ones', async () => {
  writeFileSync(join(dataDir, 'secrets.json'), '{');
  await expect(start()).rejects.toThrow('secrets.json is damaged');
  expect(existsSync(join(dataDir, 'lock'))).toBe(false);
});
