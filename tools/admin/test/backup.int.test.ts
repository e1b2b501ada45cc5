import { createHash, randomUUID } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { makeEventRow } from '@smartlink/test-support/event-row';
import { applyRoles } from '@smartlink/test-support/test-databases';
import { until } from '@smartlink/test-support/until';
import { withRollupLock } from '@smartlink/visits/rollup';
import { CLICKHOUSE_TABLES } from '../src/backup/clickhouse.js';
import type { BackupManifest } from '../src/backup/files.js';
import type { Env } from '../src/cli/terminal.js';
import { rowsOf, type Side, snapshotsOf, visitRowsOf } from './backup-rows.js';
import { fillPostgres } from './backup-source.js';
import { type Admin, openAdmin } from './run-admin.js';
import { openVisits, type Visited } from './visited.js';

let source: Side;
let target: Side;
let folder: string;
/** The backup of the source. */
let whole: string;
let visited: readonly Visited[];

async function open(): Promise<Side> {
  const admin = await openAdmin();
  return { admin, visits: openVisits(admin) };
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'smartlink-backup-'));
  [source, target] = await Promise.all([open(), open()]);
  visited = [await source.visits.makeVisited(), await source.visits.makeVisited()];
  const [first, second] = visited;
  if (first === undefined || second === undefined) throw new Error('unreachable');
  await fillPostgres(source.admin, first);
  await source.visits.rollUp();
  await source.admin.json('events', 'purge', '--smartlink', second.slug, '--to', '2026-03-01', '--yes');
  // A visit that comes late for a day that is rolled up, and one that is sent twice.
  const late = makeEventRow(first.userId, first.smartlinkId, { ts: '2026-03-12 11:00:00.000' });
  await source.visits.insert(late);
  await source.visits.insert(late);
  await applyRoles(inject('stack'), target.admin.databases.databaseUrl);
  whole = await save('whole');
});

afterAll(async () => {
  for (const { admin, visits } of [source, target]) {
    await visits.close();
    await admin.close();
  }
  rmSync(folder, { recursive: true });
});

const save = async (name: string, ...options: string[]): Promise<string> => {
  const out = join(folder, name);
  expect((await source.admin.run('backup', '--out', out, ...options)).stderr).toBe('');
  return out;
};

const readManifest = (out: string) =>
  JSON.parse(readFileSync(join(out, 'manifest.json'), 'utf8')) as BackupManifest;

/** The same database by a login of deploy/postgres/roles.sql. */
function as(role: 'owner' | 'management', { admin: { databases } }: Side): Env {
  const url = new URL(databases.databaseUrl);
  url.searchParams.set('options', `-c role=smartlink_${role}`);
  return { DATABASE_URL: url.href };
}

const restoreAs = (role: 'owner' | 'management', out: string) =>
  target.admin.runWith(as(role, target), 'restore', out);

async function isEmpty(side: Side): Promise<boolean> {
  const rows = [await rowsOf(side, 'users')];
  for (const { name } of CLICKHOUSE_TABLES) rows.push(await visitRowsOf(side, name, ['1']));
  return rows.flat().every((row) => row === '');
}

test('a backup that lacks a sequence is refused, and nothing in a manifest steers the terminal', async () => {
  const out = join(folder, 'lacking');
  mkdirSync(out);
  const manifest = readManifest(whole);
  const left = manifest.postgres?.sequences.pop()?.name ?? '';
  writeFileSync(join(out, 'manifest.json'), JSON.stringify(manifest));
  expect((await restoreAs('owner', out)).stderr).toBe(`The backup has no sequence ${left}.\n`);
  writeFileSync(join(out, 'manifest.json'), JSON.stringify({ ...manifest, '\u001b]0;x\u0007\nDone': 1 }));
  const { stderr } = await restoreAs('owner', out);
  expect(stderr).toMatch(/manifest\.json is damaged.*\ufffd\]0;x\ufffd\ufffdDone.*\n$/);
  expect(stderr).not.toMatch(/[^\P{Cc}\n]|\n./u);
});

test('a login that may not restore is refused with the name of one that may, and nothing has changed', async () => {
  expect(await restoreAs('management', whole)).toMatchObject({
    exitCode: 1,
    stderr: expect.stringMatching(
      /^The login smartlink_management of DATABASE_URL may not restore: it lacks .*smartlink_owner/,
    ) as string,
  });
  expect(await isEmpty(target)).toBe(true);
});

test('a file that was changed or cut is found, and a restore of it leaves both databases empty', async () => {
  const out = join(folder, 'damaged');
  cpSync(whole, out, { recursive: true });
  const manifest = readManifest(out);
  const users = manifest.postgres?.tables.find(({ name }) => name === 'users')?.files[0];
  if (users === undefined) throw new Error('no users were saved');
  const path = join(out, users.file);
  const content = readFileSync(path);
  writeFileSync(path, content.subarray(0, -9));
  const cut = await source.admin.run('backup', 'verify', out);
  expect(cut).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(/users.* is damaged/) as string });
  // Damage is found although the manifest agrees with the file.
  users.sha256 = createHash('sha256').update(content).digest('hex');
  users.rows += 1;
  writeFileSync(path, content);
  writeFileSync(join(out, 'manifest.json'), JSON.stringify(manifest));
  const restored = await restoreAs('owner', out);
  expect(restored).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(/rows instead of/) as string });
  expect(await isEmpty(target)).toBe(true);
});

/** Restores the backup while another restore is refused: the first one waits for a lock of the test. */
async function restoreAndRefuseAnother() {
  const { db } = target.admin;
  await db.query('begin; lock table users in access exclusive mode');
  const restoring = restoreAs('owner', whole);
  const ended = Promise.allSettled([restoring]);
  try {
    await until(async () => {
      const { rows } = await db.query(
        `select 1 from pg_locks where database = (select oid from pg_database where datname = current_database())
         and relation = 'users'::regclass and not granted`,
      );
      return rows.length > 0;
    }, 'the first one waits');
    expect(await restoreAs('owner', whole)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/^Another restore fills/) as string,
    });
  } finally {
    await db.query('rollback');
    await ended;
  }
  return restoring;
}

test('a restored stack has every row, answers every visit and has the same figures', async () => {
  const before = await Promise.all(visited.map((one) => source.visits.count(one)));
  expect(await source.admin.json('backup', 'verify', whole)).toMatchObject({ folder: whole });
  expect(await restoreAndRefuseAnother()).toMatchObject({
    exitCode: 0,
    stderr: '',
    stdout: expect.not.stringContaining('no user') as string,
  });

  const manifest = readManifest(whole);
  const changed = ['smartlinks', 'webhook_deliveries', 'audit_entries', 'plans', 'domains_version'];
  for (const { name, files } of manifest.postgres?.tables ?? []) {
    const [present, restored] = [await rowsOf(source, name), await rowsOf(target, name)];
    // A backup is recorded when it is complete.
    const saved = present.filter((row) => !row.includes('database.backup'));
    expect(files.map(({ rows }) => rows)).toEqual([saved.length]);
    if (!changed.includes(name)) expect(restored, name).toEqual(saved);
  }
  expect(new Set(await rowsOf(target, 'plans'))).toEqual(new Set(await rowsOf(source, 'plans')));
  for (const { name, columns } of manifest.clickhouse?.tables ?? []) {
    const saved = await visitRowsOf(source, name, columns);
    expect(saved.length, name).toBeGreaterThan(1);
    expect(await visitRowsOf(target, name, columns), name).toEqual(saved);
  }
  // Not in the backup: filled by a view.
  const counts = ['visits_daily_counts final', ['smartlink_id', 'date', 'clicks', 'version']] as const;
  const [copied, copiedAgain] = [await visitRowsOf(source, ...counts), await visitRowsOf(target, ...counts)];
  expect(copied.length).toBeGreaterThan(1);
  expect(copiedAgain).toEqual(copied);
  expect(await Promise.all(visited.map((one) => target.visits.count(one)))).toEqual(before);
  await target.visits.rollUp();
  expect(await Promise.all(visited.map((one) => target.visits.count(one)))).toEqual(before);

  const AHEAD = 1_000_000_000;
  const ahead = [...(await snapshotsOf(source))].map(([key, snapshot]) =>
    snapshot instanceof Error || key === 'gone'
      ? [key, snapshot]
      : [key, { ...snapshot, version: snapshot.version + AHEAD }],
  );
  expect([...(await snapshotsOf(target))]).toEqual(ahead);
});

test('a restored stack continues: new versions and ids are beyond all, every address is published, no old message is sent', async () => {
  const { db } = target.admin;
  const ask = async (query: string) => (await db.query<Record<string, unknown>>(query)).rows[0];
  expect(
    await ask(`select nextval('smartlink_version') > (select max(version) from smartlinks) as ahead`),
  ).toEqual({ ahead: true });
  // Redirect processes may know a version that was given out after the backup.
  expect(
    await ask(
      `select version >= 1000000000 as ahead, nextval('domains_number_seq') > (select max(number) from domains) as unused
       from domains_version`,
    ),
  ).toEqual({ ahead: true, unused: true });
  expect(
    await ask(
      `select count(*)::int as waiting, count(distinct slug_key)::int as addresses from publish_outbox`,
    ),
  ).toEqual({ waiting: 9, addresses: 9 });
  expect(
    await ask(`select array_agg(status order by status) as all, max(error) as error from webhook_deliveries`),
  ).toEqual({
    all: ['Delivered', 'Failed'],
    error: expect.stringMatching(/^Restored from a backup/) as string,
  });
  const { userId } = await target.admin.createUser('Mine');
  const entry = await ask('select action, user_id from audit_entries order by id desc limit 1');
  expect(entry).toMatchObject({ user_id: userId });
  expect(await ask(`select count(*)::int as n from audit_entries where action = 'database.restore'`)).toEqual(
    { n: 1 },
  );
});

test('a folder that is there, a database that is not empty, and another schema are refused', async () => {
  const out = join(folder, 'refused');
  cpSync(whole, out, { recursive: true });
  expect((await source.admin.run('backup', '--out', out)).stderr).toMatch(
    /exists already: a backup takes a new/,
  );
  expect((await source.admin.run('restore', out)).stderr).toMatch(/^Postgres is not empty: .* has rows\./);
  expect((await source.admin.run('restore', out, '--only', 'clickhouse')).stderr).toMatch(
    /^ClickHouse is not empty: events has rows\./,
  );
  const manifest = readManifest(out);
  manifest.postgres?.migrations.pop();
  writeFileSync(join(out, 'manifest.json'), JSON.stringify(manifest));
  expect((await target.admin.run('restore', out)).stderr).toMatch(
    /^The backup is of schema \d+ of Postgres, and the database of schema \d+: restore it with the version/,
  );
  rmSync(join(out, 'manifest.json'));
  expect((await target.admin.run('restore', out)).stderr).toMatch(/is no backup: it has no manifest\.json/);
});

test('a backup is readable by its owner alone, and one that breaks off leaves nothing', async () => {
  const out = await save('only', '--only', 'postgres');
  const files = readdirSync(join(out, 'postgres'));
  expect(statSync(out).mode & 0o777).toBe(0o700);
  for (const file of files) expect(statSync(join(out, 'postgres', file)).mode & 0o777).toBe(0o600);
  expect(readManifest(out).clickhouse).toBeNull();

  const { exitCode, stderr } = await source.admin.interrupted('backup', '--out', join(folder, 'broken'));
  expect({ exitCode, stderr }).toEqual({
    exitCode: 1,
    stderr: 'Interrupted: the backup was not finished, and nothing is left of it.\n',
  });
  expect(readdirSync(folder).filter((name) => name.startsWith('broken'))).toEqual([]);
});

test('the next backup names the folder of a killed one, and keeps it', async () => {
  const left = join(folder, `earlier.${randomUUID()}.part`);
  mkdirSync(left);
  const { exitCode, stderr } = await source.admin.run(
    'backup --out',
    join(folder, 'next'),
    '--only',
    'postgres',
  );
  expect({ exitCode, stderr }).toEqual({
    exitCode: 0,
    stderr: `Unfinished backups: ${left}. Delete those that no other process is writing.\n`,
  });
  expect(existsSync(left)).toBe(true);
  rmSync(left, { recursive: true });
});

test('backups made one after the other are pruned and recorded', async () => {
  const into = join(folder, 'daily');
  mkdirSync(into);
  mkdirSync(join(into, 'mine'));
  mkdirSync(join(into, '2026-01-30T021700'));
  cpSync(whole, join(into, '2026-01-31T021700'), { recursive: true });
  const made = await source.admin.run('backup', '--into', into, '--keep', '1');
  expect(made).toMatchObject({ exitCode: 0, stderr: 'Deleted 2026-01-31T021700.\n' });
  const [unknown, name = '', mine] = readdirSync(into).toSorted();
  expect([unknown, mine]).toEqual(['2026-01-30T021700', 'mine']);
  expect(await source.admin.json('backup', 'verify', join(into, name))).toMatchObject({
    folder: join(into, name),
  });
  const { rows } = await source.admin.db.query(
    `select details, now() - at < interval '1 minute' as "isNew" from audit_entries
     where action = 'database.backup' order by id desc limit 1`,
  );
  expect(rows).toEqual([{ details: { rows: expect.any(Number) as number }, isNew: true }]);
  const first = await source.admin.run('backup', '--into', join(folder, 'new'), '--only', 'postgres');
  expect(first).toMatchObject({ exitCode: 0, stderr: '' });
  for (const options of [[], ['--out', 'a', '--into', 'b'], ['--out', 'a', '--keep', '1']]) {
    expect(await source.admin.run('backup', ...options)).toMatchObject({ exitCode: 1 });
  }
});

test('a backup waits for a rollup that is under way', async () => {
  let saved: ReturnType<Admin['run']> | undefined;
  const out = join(folder, 'waited');
  await withRollupLock(source.admin.databases.databaseUrl, async () => {
    const waiting = source.admin.waitForStderr(['backup', '--out', out]);
    saved = waiting.exit;
    expect(await waiting.firstStderr).toMatch(/being rolled up/);
    expect(existsSync(out)).toBe(false);
  });
  expect(await saved).toMatchObject({ exitCode: 0 });
});

test('every table that the migrations make in ClickHouse is saved, or filled by what is saved', async () => {
  const result = await source.visits.clickhouse.query({
    query: `
select name from system.tables
where database = currentDatabase() and name not in ('schema_migration', 'visits_daily_counts', 'visits_daily_to_counts')
order by name`,
    format: 'JSONEachRow',
  });
  const names = (await result.json<{ name: string }>()).map(({ name }) => name);
  expect(names).toEqual(CLICKHOUSE_TABLES.map(({ name }) => name).toSorted());
});
