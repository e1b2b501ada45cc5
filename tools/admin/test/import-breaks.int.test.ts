import { randomUUID } from 'node:crypto';
import { appendFileSync, readFileSync, truncateSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Candidate, storeBatch } from '@smartlink/import/store';
import { startBreakableProxy } from '@smartlink/test-support/breakable-proxy';
import { trialSize } from '@smartlink/test-support/trial-size';
import { until } from '@smartlink/test-support/until';
import type { Terminal } from '../src/cli/terminal.js';
import { PUBLIC_BASE_URL, exportedBody, importFrame, urlBodies } from './import-frame.js';

const own = importFrame();

const STORE_LOCK = 77;

/**
 * The result of `begin`, which cannot store the smartlink `slug` until `work` has ended: an import is held in the middle,
 * however fast the machine is.
 */
function whileHeldAt<T>(slug: string, begin: () => Promise<T>, work: () => Promise<void>): Promise<T> {
  const { db } = own.admin;
  const event = `before insert on smartlinks for each row when (new.slug = '${slug}')`;
  const wait = `perform pg_advisory_xact_lock_shared(${STORE_LOCK}); return new;`;
  return own.withTrigger(event, wait, async () => {
    await db.query(`select pg_advisory_lock(${STORE_LOCK})`);
    const held = begin();
    const ended = Promise.allSettled([held]);
    try {
      await work();
    } finally {
      await db.query(`select pg_advisory_unlock(${STORE_LOCK})`);
      await ended;
    }
    return held;
  });
}

/** Every address once, each with all that belongs to it, and every row counted once. */
async function expectWhole(userId: string, wanted: { created: number; refused: number }): Promise<void> {
  const slugs = (await own.linksOf(userId)).map(({ slug }) => slug);
  expect(slugs).toHaveLength(wanted.created);
  const ofUser = 'smartlink_id in (select id from smartlinks where user_id = $1)';
  expect(await own.count('slugs', ofUser, userId)).toBe(wanted.created);
  expect(await own.count('audit_entries', ofUser, userId)).toBe(wanted.created);
  expect(await own.count('smartlink_totals', ofUser, userId)).toBe(wanted.created);
  const outbox = 'slug_key in (select key from slugs where user_id = $1)';
  expect(await own.count('publish_outbox', outbox, userId)).toBe(wanted.created);
  const { rows } = await own.admin.db.query(
    `select created_count::integer as created, refused_count::integer as refused from imports where user_id = $1`,
    [userId],
  );
  expect(rows).toEqual([wanted]);
}

const ROWS = 2_100;

/** Smartlinks with totals, and one of a hundred refused. */
const rows = (prefix: string) =>
  Array.from({ length: ROWS }, (_, i) => {
    const body = exportedBody(`${prefix}${i}`, { totals: { clicks: i + 1, scans: 0, fallbacks: 0 } });
    return i % 100 === 7 ? { ...body, shortener: { url: 'nowhere' } } : body;
  });
// Counted in pieces sent, not by time, so that a cut is at the same place on a busy machine.
const FIRST_CUT = 3;
const CUT_STEP = trialSize(15, 3);
const WANTED = { created: ROWS - 21, refused: 21 };

test('cut off from Postgres at any statement, an import loses and doubles nothing, and continues where it was', async () => {
  const owner = await own.createOwner();
  const file = own.write('cut.json', JSON.stringify(rows('cut')));
  const gate = await startBreakableProxy(own.admin.databases.databaseUrl);
  const import_ = (more: Partial<Terminal> = {}) =>
    own.admin.runIn(more, { PUBLIC_BASE_URL, DATABASE_URL: gate.url }, [
      'import',
      file,
      '--email',
      owner.email,
    ]);
  try {
    let resumed = 0;
    for (let round = 0; ; round += 1) {
      expect(round).toBeLessThan(60);
      // Later in every round, so that the import ends.
      gate.killAfter(FIRST_CUT + round * CUT_STEP);
      const run = await import_();
      await gate.restore();
      if (run.stderr.includes('Continuing after row')) resumed += 1;
      // Or cut off when all was done, and only said to be done already.
      if (run.stderr.endsWith('21 rows refused.\n') || run.stderr.includes('was imported for')) break;
      expect(run.stderr).toMatch(
        /The same command continues after them|Postgres|Connection|connection|ECONN/,
      );
      // The server may notice a moment later that its client is gone, and has the lock until then.
      await until(
        async () =>
          (await own.count(
            'pg_stat_activity',
            `application_name = 'smartlink-admin' and datname = current_database()`,
          )) === 0,
        'the connection has ended',
      );
    }
    expect(resumed).toBeGreaterThan(0);
  } finally {
    await gate.close();
  }
  await expectWhole(owner.id, WANTED);
  // The report covers all runs.
  const reported = readFileSync(`${file}.report.csv`, 'utf8').trimEnd().split('\r\n').slice(1);
  expect(reported.map((line) => Number(line.split(',')[0]))).toEqual(
    Array.from({ length: 21 }, (_, i) => i * 100 + 8),
  );
  expect(await own.count('import_remarks', 'true')).toBe(0);
  expect(await own.count('carried_totals', 'true')).toBe(0);
});

test('at Ctrl-C the stored rows stay, and the same command continues after them', async () => {
  const owner = await own.createOwner();
  const file = own.write('stop.json', JSON.stringify(rows('stop')));
  let interrupt: () => void = () => undefined;
  const onInterrupt = (listener: () => void) => {
    interrupt = listener;
    return () => undefined;
  };
  const stopped = await whileHeldAt(
    'stop1700',
    () => own.admin.runIn({ onInterrupt }, { PUBLIC_BASE_URL }, ['import', file, '--email', owner.email]),
    async () => {
      await until(
        async () => (await own.count('smartlinks', 'user_id = $1', owner.id)) > 0,
        'some are stored',
      );
      interrupt();
    },
  );
  expect(stopped.exitCode).toBe(1);
  const done = Number(/^Interrupted\. (\d+) rows of the file are done;/.exec(stopped.stderr)?.[1]);
  expect(done % 500).toBe(0);
  expect(done).toBeLessThan(ROWS);
  const run = await own.run('import', file, '--email', owner.email);
  expect(run).toMatchObject({ exitCode: 1 });
  expect(run.stderr).toContain(`Continuing after row ${done}:`);
  await expectWhole(owner.id, WANTED);
});

test('of two imports of one file at once, the second is refused', async () => {
  const owner = await own.createOwner();
  const file = own.write('twice.json', JSON.stringify(rows('twice')));
  const import_ = () => own.run('import', file, '--email', owner.email);
  const first = await whileHeldAt('twice1700', import_, async () => {
    await until(async () => (await own.count('smartlinks', 'user_id = $1', owner.id)) > 0, 'some are stored');
    const second = await import_();
    expect(second.exitCode).toBe(1);
    expect(second.stderr).toMatch(
      /twice\.json is being imported for .* by another process: wait until it ends\.\n/,
    );
  });
  expect(first).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(/^21 rows refused\.\n$/m) });
  await expectWhole(owner.id, WANTED);
});

test('two files with the same addresses at once: each address becomes one link', async () => {
  const [ann, bob] = [await own.createOwner(), await own.createOwner()];
  const bodies = urlBodies('race', 600);
  const files = [
    own.write('a.json', JSON.stringify(bodies)),
    own.write('b.json', JSON.stringify(bodies.toReversed())),
  ];
  const [a, b] = await Promise.all([
    own.json('import', files[0]!, '--email', ann.email),
    own.json('import', files[1]!, '--email', bob.email),
  ]);
  expect(a.created + b.created).toBe(600);
  expect(a.refused + b.refused).toBe(600);
  expect(await own.count('smartlinks', `slug like 'race%'`)).toBe(600);
});

test('a file that changes while it is read is refused, and nothing of it is stored', async () => {
  const owner = await own.createOwner();
  const file = own.write('changing.json', JSON.stringify(urlBodies('changing', 600)));
  for (const change of [
    () => {
      appendFileSync(file, ' ');
    },
    () => {
      truncateSync(file, 20_000);
    },
  ]) {
    // Changed as soon as it was fingerprinted: that is when Postgres is asked first.
    const env = {
      PUBLIC_BASE_URL,
      get DATABASE_URL() {
        change();
        return own.admin.databases.databaseUrl;
      },
    };
    const run = await own.admin.runIn({ env }, {}, ['import', file, '--email', owner.email]);
    expect(run).toMatchObject({ exitCode: 1, stdout: '' });
    expect(run.stderr).toMatch(/changing\.json has changed while it was read/);
  }
  expect(await own.linksOf(owner.id)).toEqual([]);
});

test('a smartlink with a taken former slug is refused, or imported without it', async () => {
  const owner = await own.createOwner();
  const items = [
    exportedBody('kept', { aliases: ['formerly'] }),
    exportedBody('other', { aliases: ['Formerly', 'mineStill'] }),
  ];
  const file = own.write('aliases.json', JSON.stringify(items));
  const strict = await own.json('import', file, '--email', owner.email);
  expect(strict).toMatchObject({ created: 1, refusedBy: { 'export.aliases: Already taken: Formerly': 1 } });
  expect(await own.count('slugs', `key in ('other', 'minestill')`)).toBe(0);
  const lenient = own.write('aliases2.json', JSON.stringify(items.slice(1)));
  const summary = await own.json('import', lenient, '--email', owner.email, '--assign-slugs');
  expect(summary).toMatchObject({ created: 1, refused: 0 });
  expect((await own.linksOf(owner.id)).map(({ slug }) => slug)).toEqual(['kept', 'other']);
  expect(await own.count('slugs', `key = 'minestill' and not is_primary`)).toBe(1);
});

test('a batch for a deleted owner fails with one clear line', async () => {
  const id = randomUUID();
  const state = { id, format: 'json', rowsDone: 0, created: 0, refused: 0, readdressed: 0 };
  const smartlink = {
    id,
    type: 'Url',
    name: 'n',
    slug: 'gone',
    domain: null,
    content: { Url: {} },
    past: {},
  };
  const candidate = {
    addressReason: null,
    folder: null,
    host: null,
    otherAliases: [],
    losses: [],
    smartlink,
  };
  const candidates = [candidate as unknown as Candidate];
  await expect(
    storeBatch(
      own.admin.db,
      { userId: randomUUID(), assignSlugs: false, actor: 'admin', placed: new Map() },
      { ...state, finishedAt: null },
      { candidates, refusals: [] },
    ),
  ).rejects.toThrow('Another process continued the import, or its owner was deleted.');
});
