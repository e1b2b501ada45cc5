import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@clickhouse/client';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { migrateClickhouse, migratePostgres } from '@smartlink/migrate/migrate';
import { until } from '@smartlink/test-support/until';

// Databases of this file's own, because those of createTestDatabases are migrated already.
const NAME = `migrate_${String(process.pid)}`;
const stack = inject('stack');
const at = (url: string, database: string) => Object.assign(new URL(url), { pathname: `/${database}` }).href;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'smartlink-migrations-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});
const write = (name: string, sql: string) => {
  writeFileSync(join(folder, name), sql);
};

describe('postgres', () => {
  const databaseUrl = at(stack.databaseUrl, NAME);
  const admin = new Client({ connectionString: stack.databaseUrl });
  beforeAll(() => admin.connect());
  afterAll(() => admin.end());
  beforeEach(() => admin.query(`create database ${NAME}`));
  afterEach(() => admin.query(`drop database ${NAME} with (force)`));

  const tables = async () => {
    const client = new Client({ connectionString: databaseUrl });
    await client.connect();
    const { rows } = await client.query<{ relname: string }>(
      "select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1",
    );
    await client.end();
    return rows.map((row) => row.relname);
  };

  it('applies each file once, in order, also when five run at the same time', async () => {
    write('0001_links.sql', 'create table link (id integer); insert into link values (1);');
    write('0002_more.sql', 'alter table link add column name text; create table visit (id integer);');
    const runs = await Promise.all(Array.from({ length: 5 }, () => migratePostgres({ databaseUrl, folder })));
    expect(runs.map((applied) => applied.length).toSorted()).toEqual([0, 0, 0, 0, 2]);
    expect(await tables()).toEqual(['link', 'schema_migration', 'visit']);
  });

  it('rolls back a whole file when a statement fails, and continues there once it is corrected', async () => {
    write('0001_links.sql', 'create table link (id integer);');
    write('0002_broken.sql', 'create table half (id integer); select nothing_like_this;');
    await expect(migratePostgres({ databaseUrl, folder })).rejects.toThrow('0002_broken.sql failed');
    expect(await tables()).toEqual(['link', 'schema_migration']);
    write('0002_broken.sql', 'create table half (id integer);');
    expect(await migratePostgres({ databaseUrl, folder })).toEqual(['0002_broken.sql']);
  });

  it('refuses an edited file and a newer database', async () => {
    write('0001_links.sql', 'create table link (id integer);');
    write('0002_more.sql', 'create table visit (id integer);');
    await migratePostgres({ databaseUrl, folder });
    write('0001_links.sql', 'create table link (id bigint);');
    await expect(migratePostgres({ databaseUrl, folder })).rejects.toThrow('0001_links.sql has changed');
    rmSync(join(folder, '0002_more.sql'));
    await expect(migratePostgres({ databaseUrl, folder })).rejects.toThrow('knows only 1');
  });
});

describe('clickhouse', () => {
  const clickhouseUrl = at(stack.clickhouseUrl, NAME);
  afterEach(async () => {
    const client = createClient({ url: at(stack.clickhouseUrl, '') });
    await client.command({ query: `drop database if exists ${NAME} sync` });
    await client.close();
  });

  it('creates the database, applies each file once and keeps the hash', async () => {
    write(
      '0001_events.sql',
      '-- two tables;\ncreate table if not exists a {on_cluster} (n UInt8) engine = {engine_prefix}MergeTree order by n;\ncreate table if not exists b {on_cluster} (n UInt8) engine = {engine_prefix}MergeTree order by n;\n',
    );
    expect(await migrateClickhouse({ clickhouseUrl, folder })).toEqual(['0001_events.sql']);
    expect(await migrateClickhouse({ clickhouseUrl, folder })).toEqual([]);
    const client = createClient({ url: clickhouseUrl });
    const result = await client.query({ query: 'show tables', format: 'JSONEachRow' });
    expect(await result.json()).toEqual([{ name: 'a' }, { name: 'b' }, { name: 'schema_migration' }]);
    await client.close();
    write('0001_events.sql', 'select 2');
    await expect(migrateClickhouse({ clickhouseUrl, folder })).rejects.toThrow('has changed');
  });

  it('reports repeatedly that a statement is still running', async () => {
    const lines: string[] = [];
    const report = (line: string) => lines.push(line);
    // The statement runs until this answers, after two reports.
    const server = createServer((_, response) => {
      void until(() => lines.length > 2, 'the statement is reported').finally(() => response.end('1'));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    write('0001_slow.sql', `select * from url('http://127.0.0.1:${port}/', 'LineAsString')`);
    await migrateClickhouse({ clickhouseUrl, folder, report, progressIntervalMs: 20 });
    server.close();
    server.closeAllConnections();
    expect(lines[0]).toBe('clickhouse: 0001_slow.sql');
    expect(lines[2]).toMatch(/^clickhouse: 0001_slow\.sql, statement 1, has been running for \d+ s$/);
  });

  it('names the statement that fails', async () => {
    write('0001_events.sql', 'select 1;\nselect nothing_like_this;\n');
    await expect(migrateClickhouse({ clickhouseUrl, folder })).rejects.toThrow(
      '0001_events.sql, statement 2, failed',
    );
  });
});
