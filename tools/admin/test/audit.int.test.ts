import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findAuditEntries } from '../src/accounts/audit.js';
import { explainQueries, useAdmin } from './run-admin.js';

type Entry = {
  id: number;
  at: string;
  actor: string;
  key: { name: string; displayPrefix: string } | null;
  action: string;
  userId: string | null;
  email: string | null;
  smartlinkId: string | null;
  details: object;
};

const admin = useAdmin();
beforeEach(() => admin.db.query('truncate audit_entries'));

const list = (...args: string[]) => admin.json<Entry[]>('audit', 'list', ...args);

/** Notes a change of a smartlink as the API does. */
async function note(entry: {
  actor?: string;
  action?: string;
  userId?: string;
  smartlinkId?: string;
  at?: string;
}): Promise<void> {
  const { actor = 'admin', action = 'smartlink.update', userId, smartlinkId, at } = entry;
  await admin.db.query(
    `insert into audit_entries (actor, action, user_id, smartlink_id, details, at)
     values ($1, $2, $3, $4, '{"changed":["shortener.url"]}', coalesce($5::timestamptz, now()))`,
    [actor, action, userId ?? null, smartlinkId ?? null, at ?? null],
  );
}

/** Notes `count` changes, one a minute, two of each minute, from 2026-01-01 on. */
async function noteMany(count: number): Promise<void> {
  await admin.db.query(
    `insert into audit_entries (actor, action, at)
     select 'admin', 'smartlink.update', timestamptz '2026-01-01Z' + (n / 2) * interval '1 minute'
     from generate_series(1, $1) as n`,
    [count],
  );
}

test('every change by the command is listed, newest first, with who, when, what and whose', async () => {
  const before = Date.now();
  const { userId, email } = await admin.createUser();
  await admin.json('users', 'set-plan', email, 'Starter');
  const { keyId } = await admin.json<{ keyId: string }>('keys', 'create', email, '--name', 'ci');
  await admin.json('keys', 'rotate', keyId);
  await admin.json('plans', 'create', 'Team');
  await admin.json('plans', 'set', 'Team', '--smartlinks', '7');
  await admin.json('plans', 'delete', 'Team');
  await admin.json('users', 'delete', userId, '--yes');

  const entries = await list();
  expect(entries.map((entry) => entry.action)).toEqual([
    'user.delete',
    'plan.delete',
    'plan.set',
    'plan.create',
    'key.create',
    'key.revoke',
    'key.create',
    'user.set-plan',
    'key.create',
    'member.create',
    'user.create',
  ]);
  expect(entries.every((entry) => entry.actor === 'admin' && Date.parse(entry.at) >= before)).toBe(true);
  expect(entries.filter((entry) => entry.userId === userId)).toHaveLength(8);
  expect(JSON.stringify(entries)).not.toMatch(/slk_live_[0-9A-Za-z]{9}/);
  // Of a user who is gone the address is gone too.
  expect(JSON.stringify(entries)).not.toContain(email);
  expect(await list('--email', userId)).toHaveLength(8);
});

test('the key that made a change is shown by name and beginning while it is there, and by its id afterwards', async () => {
  const { userId, email } = await admin.createUser();
  type Key = { keyId: string; apiKey: string };
  const { keyId, apiKey } = await admin.json<Key>('keys create --name laptop', email);
  const displayPrefix = apiKey.slice(0, 17);
  const smartlinkId = randomUUID();
  await note({ actor: `key ${keyId}`, userId, smartlinkId });

  const [entry] = await list('--smartlink', smartlinkId);
  expect(entry).toMatchObject({
    actor: `key ${keyId}`,
    key: { name: 'laptop', displayPrefix },
    email,
    userId,
    smartlinkId,
    details: { changed: ['shortener.url'] },
  });
  const text = (await admin.run('audit', 'list', '--smartlink', smartlinkId)).stdout;
  expect(text).toMatch(/^ENTRY +TIME \(UTC\) +ACTOR +ACTION +USER +WHAT\n/);
  expect(text).toContain(`key ${displayPrefix}… laptop`);
  expect(text).toContain(`smartlink ${smartlinkId}, shortener.url`);
  expect(text).toContain(email);

  await admin.json('users', 'delete', email, '--yes');
  const gone = (await admin.run('audit', 'list', '--smartlink', smartlinkId)).stdout;
  expect(gone).toContain(`key ${keyId}`);
  expect(gone).toContain(userId);
  expect(gone).not.toContain(email);
});

test('each filter leaves out everything else, and they hold together', async () => {
  const [ann, bob] = [await admin.createUser(), await admin.createUser()];
  await admin.db.query('truncate audit_entries');
  const [one, two] = [randomUUID(), randomUUID()];
  await note({ userId: ann.userId, smartlinkId: one, at: '2026-01-01T00:00:00Z' });
  await note({
    userId: ann.userId,
    smartlinkId: one,
    at: '2026-01-02T00:00:00Z',
    action: 'smartlink.delete',
  });
  await note({ userId: bob.userId, smartlinkId: two, at: '2026-01-03T00:00:00Z' });
  const times = async (...args: string[]) => (await list(...args)).map((entry) => entry.at.slice(0, 10));

  expect(await times()).toEqual(['2026-01-03', '2026-01-02', '2026-01-01']);
  expect(await times('--email', ann.email.toUpperCase())).toEqual(['2026-01-02', '2026-01-01']);
  expect(await times('--smartlink', two)).toEqual(['2026-01-03']);
  expect(await times('--action', 'smartlink.update')).toEqual(['2026-01-03', '2026-01-01']);
  expect(await times('--since', '2026-01-02')).toEqual(['2026-01-03', '2026-01-02']);
  const all = ['--smartlink', one, '--action', 'smartlink.delete', '--since', '2026-01-02'];
  expect(await times('--email', ann.email, ...all)).toEqual(['2026-01-02']);
  expect((await admin.run('audit', 'list', '--since', '1h')).stdout).toBe('There are no such entries.\n');
});

test('pages by --before give every entry once, also where several were made in the same moment', async () => {
  await noteMany(25);
  const seen: number[] = [];
  for (let page = await list('--limit', '3'); page.length > 0;) {
    seen.push(...page.map((entry) => entry.id));
    page = await list('--limit', '3', '--before', String(page.at(-1)?.id));
  }
  const all = (await list()).map((entry) => entry.id);
  expect(all).toHaveLength(25);
  expect(seen).toEqual(all);
});

test('50 entries are listed by default, 1000 at the most, and how to list older ones', async () => {
  await noteMany(1_001);
  expect(await list()).toHaveLength(50);
  const lines = (await admin.run('audit', 'list', '--limit', '1000')).stdout.trimEnd().split('\n');
  expect(lines).toHaveLength(1_002);
  const [oldestShown = ''] = lines.at(-2)?.split(' ') ?? [];
  expect(lines.at(-1)).toBe(`There are older ones: add --before ${oldestShown}.`);
  expect((await admin.run('audit', 'list', '--before', oldestShown)).stdout).not.toContain('older ones');
});

test.each([
  ['--limit', '1001'],
  ['--since', 'yesterday'],
  ['--smartlink', 'promo'],
  ['--action', 'drop table'],
  ['--before', '0'],
  ['--before', '99999999999999999999'],
  ['--email', 'nobody@example.com'],
])('audit list %s %s is one clear line', async (option, value) => {
  const stderr = await admin.refused('audit', 'list', option, value);
  expect(stderr).toContain(value);
});

test('a list reads no more of a long log than an index finds for it', async () => {
  const [userId, smartlinkId] = [randomUUID(), randomUUID()];
  await admin.db.query(
    `insert into audit_entries (actor, action, user_id, smartlink_id, at)
     select 'admin', 'smartlink.update', gen_random_uuid(), gen_random_uuid(), now() - n * interval '1 minute'
     from generate_series(1, 20000) as n`,
  );
  await note({ userId, smartlinkId, action: 'plan.set', at: '2001-01-01T00:00:00Z' });
  await admin.db.query('analyze audit_entries');
  const before = { at: new Date('2001-01-02T00:00:00Z'), id: '999999999' };
  for (const filter of [
    {},
    { userId },
    { smartlink: smartlinkId },
    { action: 'plan.set' },
    { since: new Date() },
    { before },
  ]) {
    const { explaining, plans } = explainQueries(admin.db);
    await findAuditEntries(explaining, filter, 50);
    expect(plans.join(), JSON.stringify(filter)).toMatch(
      /Index Scan.* on audit_entries|Bitmap Index Scan on audit_entries_/,
    );
    expect(plans.join(), JSON.stringify(filter)).not.toContain('Seq Scan on audit_entries');
  }
});

describe('a change that cannot be noted is not made', () => {
  beforeAll(() =>
    admin.db.query(`
      create function refuse_entry() returns trigger language plpgsql as $$ begin raise exception 'no entry'; end $$;
      create trigger refuse before insert on audit_entries for each row execute function refuse_entry();
      alter table audit_entries disable trigger refuse`),
  );
  afterAll(() => admin.db.query('drop trigger refuse on audit_entries'));

  test.each([
    ['users', 'create', '--email', 'new@example.com'],
    ['users', 'set-plan', 'EMAIL', 'Starter'],
    ['users', 'delete', 'EMAIL', '--yes'],
    ['keys', 'create', 'EMAIL'],
    ['keys', 'revoke', 'KEY'],
    ['keys', 'rotate', 'KEY'],
    ['plans', 'create', 'Unnoted'],
    ['plans', 'set', 'Starter', '--smartlinks', '99'],
    ['plans', 'delete', 'Professional', '--yes'],
  ])('%s %s', async (...args) => {
    const { email, apiKey } = await admin.createUser();
    const named = args.map((arg) => arg.replace('EMAIL', email).replace('KEY', apiKey.slice(0, 17)));
    const readTables = async () => {
      const { rows } = await admin.db.query<object>(
        `select (select json_agg(u order by id) from users u) as users,
                (select json_agg(k order by id) from api_keys k) as keys,
                (select json_agg(p order by name) from plans p) as plans`,
      );
      return rows;
    };
    const before = await readTables();
    await admin.db.query('alter table audit_entries enable trigger refuse');
    const output = await admin.run(...named);
    await admin.db.query('alter table audit_entries disable trigger refuse');
    expect(output).toEqual({ exitCode: 1, stdout: '', stderr: 'The command failed: no entry\n' });
    expect(await readTables()).toEqual(before);
  });
});
