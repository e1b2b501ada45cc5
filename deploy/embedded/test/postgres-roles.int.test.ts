import { Client } from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { migratePostgres } from '@smartlink/migrate/migrate';
import { applyRoles, createTestDatabases, type TestDatabases } from '@smartlink/test-support/test-databases';

// deploy/postgres/roles.sql, run before the migrations and after them, as compose.yaml does.

const ROLES = ['owner', 'management', 'redirect'] as const;
type Role = (typeof ROLES)[number];

let databases: TestDatabases;
let freshUrl: string;

beforeAll(async () => {
  databases = await createTestDatabases(inject('stack'), { clickhouse: 'shared' });
  const fresh = `${new URL(databases.databaseUrl).pathname.slice(1)}_fresh`;
  await query(databases.databaseUrl, `create database ${fresh}`);
  freshUrl = withDatabase(databases.databaseUrl, fresh);
  await makeRoles(freshUrl);
  await migratePostgres({ databaseUrl: as('owner', freshUrl) });
  await makeRoles(freshUrl);
});

afterAll(async () => {
  await query(databases.databaseUrl, `drop database ${new URL(freshUrl).pathname.slice(1)} with (force)`);
  await databases.drop();
});

test('the owner of the schema runs all migrations, and is no superuser', async () => {
  const rows = await query(
    as('owner', freshUrl),
    `select rolsuper from pg_roles where rolname = current_user`,
  );
  expect(rows).toEqual([{ rolsuper: false }]);
  const strangers = `select relname from pg_class where relnamespace = 'public'::regnamespace
    and relkind in ('r', 'S') and relowner <> 'smartlink_owner'::regrole`;
  expect(await query(freshUrl, strangers)).toEqual([]);
});

test('the redirect service reads links, domains and the outbox, and nothing else', async () => {
  expect(await privilegesOf('redirect', freshUrl)).toEqual({
    select: [
      ...[
        'domains',
        'domains_version',
        'link_changes',
        'publish_outbox',
        'schema_migration',
        'slugs',
        'smartlinks',
      ],
    ],
    insert: [],
    update: [],
    delete: [],
  });
  await expect(query(as('redirect', freshUrl), 'select 1 from api_keys')).rejects.toThrow(
    /permission denied/,
  );
});

test('the redirect service takes visits of limited links, and no other login but the owner may', async () => {
  const take = `select take_visits('00000000-0000-0000-0000-000000000000', 1) as granted`;
  for (const url of [freshUrl, databases.databaseUrl]) {
    await makeRoles(url);
    expect(await query(as('redirect', url), take)).toEqual([{ granted: 0 }]);
    await expect(query(as('management', url), take)).rejects.toThrow(/permission denied/);
    const facts = `select proowner::regrole::text as owner, prosecdef, proconfig from pg_proc where proname = 'take_visits'`;
    expect(await query(url, facts)).toEqual([
      { owner: 'smartlink_owner', prosecdef: true, proconfig: ['search_path=pg_catalog, pg_temp'] },
    ]);
  }
});

test('management reads and writes rows, but deletes no slug and changes no audit entry', async () => {
  const { select, insert, update, delete: deletable } = await privilegesOf('management', freshUrl);
  const all = await tablesOf(freshUrl);
  const without = (...names: string[]) => all.filter((name) => !names.includes(name));
  expect(select).toEqual(all);
  expect(insert).toEqual(without('schema_migration'));
  expect(update).toEqual(without('audit_entries', 'schema_migration'));
  expect(deletable).toEqual(without('audit_entries', 'schema_migration', 'slugs'));
  const url = as('management', freshUrl);
  await expect(query(url, 'create table mine ()')).rejects.toThrow(/permission denied/);
  await expect(query(url, 'drop table imports')).rejects.toThrow(/must be owner/);
});

test('tables of a later migration are open to management at once, and not to the redirect service', async () => {
  await query(
    as('owner', freshUrl),
    'create table later (id bigint generated always as identity, word text)',
  );
  await query(as('management', freshUrl), `insert into later (word) values ('new')`);
  await expect(query(as('redirect', freshUrl), 'select 1 from later')).rejects.toThrow(/permission denied/);
});

test('a database migrated by another login is handed over, with the same rights', async () => {
  await makeRoles(databases.databaseUrl);
  expect(await privilegesOf('redirect', databases.databaseUrl)).toEqual(
    await privilegesOf('redirect', freshUrl),
  );
  await query(as('owner', databases.databaseUrl), 'alter table smartlinks add column later text');
});

test('neither service makes a large object', async () => {
  for (const role of ['management', 'redirect'] as const)
    for (const made of ['lo_create(0)', 'lo_creat(-1)', `lo_from_bytea(0, 'x')`])
      await expect(query(as(role, freshUrl), `select ${made}`)).rejects.toThrow(/permission denied/);
});

test('a password that is not given stays, and no other role may connect', async () => {
  await applyRoles(inject('stack'), freshUrl);
  await expect(query(as('redirect', freshUrl), 'select 1 as one')).resolves.toEqual([{ one: 1 }]);
  const open = `select has_database_privilege('public', current_database(), 'connect') as open`;
  expect(await query(freshUrl, open)).toEqual([{ open: false }]);
});

async function privilegesOf(role: Role, url: string): Promise<Record<string, string[]>> {
  const tables = await tablesOf(url);
  const rows = await query(
    url,
    `select privilege, name from unnest(array['${tables.join("', '")}']) as name,
       unnest(array['select', 'insert', 'update', 'delete']) as privilege
     where has_table_privilege('smartlink_${role}', name, privilege) order by name`,
  );
  const held = (privilege: string) =>
    rows.filter((row) => row['privilege'] === privilege).map((row) => String(row['name']));
  return { select: held('select'), insert: held('insert'), update: held('update'), delete: held('delete') };
}

// Without the one that a test adds.
async function tablesOf(url: string): Promise<string[]> {
  const list = `select tablename from pg_tables where schemaname = 'public' and tablename <> 'later' order by 1`;
  return (await query(url, list)).map((row) => String(row['tablename']));
}

async function makeRoles(url: string): Promise<void> {
  const passwords = ROLES.map((role) => `set smartlink.${role}_password = '${passwordOf(role)}'`);
  await applyRoles(inject('stack'), url, passwords.join(';'));
}

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const result = await client.query<Record<string, unknown>>(text);
    return Array.isArray(result) ? [] : result.rows;
  } finally {
    await client.end();
  }
}

function as(role: Role, url: string): string {
  const copy = new URL(url);
  copy.username = `smartlink_${role}`;
  copy.password = passwordOf(role);
  return copy.href;
}

function passwordOf(role: Role): string {
  return `password-of-${role}`;
}

function withDatabase(url: string, database: string): string {
  const copy = new URL(url);
  copy.pathname = `/${database}`;
  return copy.href;
}
