import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EventRow, makeEventRow } from '@smartlink/test-support/event-row';
import { findSpans } from '../src/events/commands.js';
import { frameWithVisits } from './visited.js';

const own = frameWithVisits();

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'smartlink-events-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

test('what was exported and lost is the same after a replay, however often; what was purged or is gone stays so', async () => {
  const visited = await own.visits.makeVisited();
  const other = await own.visits.makeVisited();
  await own.visits.rollUp();
  const before = await own.visits.count(visited);
  const file = join(folder, 'visits.ndjson.gz');
  const exported = await own.admin.run('events', 'export', '--user', visited.email, '--out', file);
  expect(exported).toEqual({ exitCode: 0, stdout: `Exported 5 events to ${file}.\n`, stderr: '' });
  const lines = gunzipSync(readFileSync(file)).toString().trimEnd().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as EventRow).ts)).toEqual([
    '2026-02-27 23:59:59.999',
    '2026-03-10 00:00:00.000',
    '2026-03-10 23:59:59.999',
    '2026-03-11 00:00:00.000',
    '2026-03-12 10:00:00.000',
  ]);
  expect(lines[0]).toContain('"visitor_id":"18446744073709551615"');

  const ofOther = await own.visits.findEvents(other.userId);
  await own.visits.clear();
  await own.visits.insert(...ofOther);
  for (let round = 0; round < 2; round += 1) {
    expect(await own.admin.json('events', 'replay', file)).toMatchObject({ inserted: 5, refused: 0 });
    expect(await own.visits.count(visited)).toEqual(before);
  }
  await own.visits.rollUp();
  expect(await own.visits.count(visited)).toEqual(before);
  expect((await own.visits.count(other)).sum).toBe(4);

  await own.admin.json('events', 'purge', '--smartlink', visited.slug, '--to', '2026-03-10', '--yes');
  const replayed = await own.admin.run('events', 'replay', file);
  expect(replayed.stdout).toMatch(
    /^Sent 2 events; .*once\.\n3 skipped: they were purged on \d{4}-\d\d-\d\d\.\n$/,
  );
  expect((await own.visits.count(visited)).sum).toBe(1);
  await own.admin.db.query('delete from users where id = $1', [visited.userId]);
  const gone = { inserted: 0, gone: 5, purged: 0 };
  expect(await own.admin.json('events', 'replay', file)).toMatchObject(gone);
});

test('days and smartlinks choose what is exported; as CSV no cell is a formula, and nothing steers a terminal', async () => {
  const { smartlinkId, userId } = await own.visits.makeVisited();
  await own.visits.insert(
    makeEventRow(userId, smartlinkId, { ts: '2026-03-13 10:00:00.000', utm_term: '=1+1,"x"\r\n' }),
  );
  const days = ['--from', '2026-03-12', '--to', '2026-03-13'];
  const { stdout, stderr } = await own.admin.run(
    'events export --smartlink',
    smartlinkId,
    ...days,
    '--format',
    'csv',
  );
  expect(stderr).toBe('Exported 2 events.\n');
  expect(stdout).toMatch(/^ts,event_id,owner_id,/);
  expect(stdout).toContain(`,"'=1+1,""x""\r\n",`);
  expect(stdout.split('\r\n')).toHaveLength(5);

  await own.visits.insert(
    makeEventRow(userId, smartlinkId, { ts: '2026-03-14 10:00:00.000', utm_term: '\u001b[2J\u009b' }),
  );
  const shown = await own.admin.runIn({ isStdoutTerminal: true }, {}, [
    'events',
    'export',
    '--all',
    '--format',
    'csv',
  ]);
  expect(shown.stdout).toContain('\ufffd[2J\ufffd');
  expect(shown.stdout).not.toMatch(/[^\P{Cc}\n]/u);
});

test('an export reads spans that leave out no minute, of few rows but for a busy minute', async () => {
  const { userId, smartlinkId } = await own.visits.makeVisited();
  await own.visits.clear();
  const visits = { '12:00:59.999': 3, '12:01:00.000': 4, '12:07:30.000': 20, '12:08:00.000': 1 };
  for (const [time, count] of Object.entries(visits)) {
    const ts = `2026-03-10 ${time}`;
    await own.visits.insert(
      ...Array.from({ length: count }, () => makeEventRow(userId, smartlinkId, { ts })),
    );
  }
  const scope = { ownerId: userId, smartlinkId: null, from: '2026-03-10', until: '2026-03-11' };
  const at = (minutes: number) => Date.parse('2026-03-10T12:00:00Z') + minutes * 60_000;
  expect(await findSpans(own.visits.clickhouse, scope, 7)).toEqual([
    { fromMs: at(0), untilMs: at(7), rows: 7 },
    { fromMs: at(7), untilMs: at(8), rows: 20 },
    { fromMs: at(8), untilMs: at(12 * 60), rows: 1 },
  ]);
});

test('an export that fails leaves no file behind, and what was there before', async () => {
  await own.visits.makeVisited();
  const file = join(folder, 'kept.ndjson');
  writeFileSync(file, 'before');
  const kept = await own.admin.run('events', 'export', '--all', '--out', file);
  expect(kept).toMatchObject({
    exitCode: 1,
    stderr: `${file} exists already: add --force to replace it.\n`,
  });
  const interrupted = await own.admin.interrupted('events', 'export', '--all', '--force', '--out', file);
  expect(interrupted).toMatchObject({ exitCode: 1, stderr: 'Interrupted: nothing is kept of it.\n' });
  expect(readFileSync(file, 'utf8')).toBe('before');
  expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
  const nowhere = await own.admin.run('events', 'export', '--all', '--out', join(folder, 'none', 'x.ndjson'));
  expect(nowhere.stderr).toMatch(/x\.ndjson cannot be written: its folder does not exist\.\n$/);
});

test('a replay writes invalid lines to a file, and skips final days', async () => {
  const { email, userId } = await own.visits.makeVisited();
  const { stdout } = await own.admin.run('events', 'export', '--user', email);
  const [first = '', ...rest] = stdout.trimEnd().split('\n');
  const event = JSON.parse(first) as Record<string, string>;
  const bad = [
    'no json',
    JSON.stringify({ ...event, surprise: '1' }),
    JSON.stringify({ ...event, owner_id: 'nobody' }),
  ];
  const file = join(folder, 'mixed.ndjson');
  writeFileSync(file, [first, ...bad, 'x'.repeat(70_000), ...rest].join('\r\n'));
  // Everything before March may be gone, so February is final.
  await own.visits.clickhouse.command({
    query: `insert into rollup_state values (1, '2026-03-01', '2026-03-01', 0, 0, '1970-01-01', 1, '1970-01-01', 1)`,
  });
  await own.visits.clickhouse.command({ query: 'truncate table events' });

  const replayed = await own.admin.run('events', 'replay', file);
  expect(replayed.exitCode).toBe(1);
  expect(replayed.stdout).toBe(
    'Sent 4 events; what was there already counts once.\n1 skipped: the figures of their days are final.\n',
  );
  expect(replayed.stderr.split('\n')).toEqual([
    `${file}:2: is not JSON`,
    expect.stringMatching(/:3: .*surprise/) as string,
    expect.stringMatching(/:4: owner_id: must be a UUID/) as string,
    `${file}:5: is longer than 65536 bytes`,
    `4 were refused: see ${file}.refused.`,
    '',
  ]);
  expect(readFileSync(`${file}.refused`, 'utf8').trimEnd().split('\n')).toEqual(bad);
  const counted = await own.visits.clickhouse.query({
    query: `select count() as events from events final where owner_id = '${userId}'`,
    format: 'JSONEachRow',
  });
  expect(await counted.json()).toEqual([{ events: 4 }]);
});

test('files that cannot be replayed are one clear line each', async () => {
  const csv = join(folder, 'visits.csv');
  await own.admin.run('events', 'export', '--all', '--format', 'csv', '--out', csv);
  const damaged = join(folder, 'damaged.ndjson.gz');
  writeFileSync(damaged, gzipSync('x'.repeat(1_000)).subarray(0, 15));
  const missing = join(folder, 'missing.ndjson');
  const refused = (file: string) => own.admin.refused('events', 'replay', file);
  expect(await refused(csv)).toBe(`${csv} is CSV: only ndjson can be replayed.\n`);
  expect(await refused(missing)).toBe(`${missing} does not exist.\n`);
  for (const file of [damaged, folder]) expect(await refused(file)).toContain(`${file} cannot be read: `);
});

test('rows of a quarantine are inserted, and refused ones are kept', async () => {
  const { smartlinkId, userId } = await own.visits.makeVisited();
  const spool = join(folder, 'spool');
  const quarantine = join(spool, 'quarantine');
  mkdirSync(quarantine, { recursive: true });
  const id = (uuid: string) => {
    const hex = uuid.replaceAll('-', '');
    // RowBinary has a UUID as two little-endian halves.
    const half = (text: string) => Buffer.from(text, 'hex').reverse();
    return Buffer.concat([half(hex.slice(0, 16)), half(hex.slice(16))]);
  };
  const ts = Buffer.alloc(8);
  ts.writeBigInt64LE(BigInt(Date.parse('2026-03-12T11:00:00Z')));
  const columns = ['ts', 'event_id', 'owner_id', 'smartlink_id', 'source', 'outcome'];
  const row = Buffer.concat([ts, id(randomUUID()), id(userId), id(smartlinkId), Buffer.from([1, 1])]);
  const put = (name: string, bytes: Buffer, explained: readonly string[]) => {
    writeFileSync(join(quarantine, `${name}.rowbinary`), bytes);
    writeFileSync(join(quarantine, `${name}.json`), JSON.stringify({ code: '60', columns: explained }));
  };
  put('good', row, columns);
  const goneRow = Buffer.concat([row.subarray(0, 40), id(randomUUID()), row.subarray(56)]);
  put('gone', goneRow, columns);
  put('short', row.subarray(0, 40), columns);
  put('forged', row, ['ts) select 1 --']);
  const segment = '1773312000000-000001-w1-4242-abc-0000002a.7.seg';
  writeFileSync(join(quarantine, segment), '');

  const replayed = await own.admin.run('events', 'replay', '--quarantine', quarantine);
  expect(replayed).toMatchObject({
    exitCode: 1,
    stdout:
      'Sent 1 event; what was there already counts once.\n' +
      'Moved 1 segment back into the spool.\n1 skipped: their smartlink is gone.\n',
    stderr: expect.stringMatching(
      /forged\.rowbinary.*\n.*short\.rowbinary.*\n2 were refused: see .*quarantine\.\n$/,
    ) as string,
  });
  expect((await own.visits.count({ userId, smartlinkId })).days['2026-03-12']).toBe(2);
  expect(readdirSync(spool)).toEqual([segment, 'quarantine']);
  expect(readdirSync(quarantine).sort()).toEqual([
    'forged.json',
    'forged.rowbinary',
    'short.json',
    'short.rowbinary',
  ]);
  const nowhere = await own.admin.run('events', 'replay', '--quarantine', join(folder, 'none'));
  expect(nowhere).toEqual({ exitCode: 0, stdout: 'Nothing is in quarantine.\n', stderr: '' });
});

test.each([
  [['export']],
  [['export', '--all', '--user', 'ann@example.com']],
  [['export', '--all', '--format', 'xml']],
  [['export', '--user', 'nobody@example.com']],
  [['export', '--smartlink', 'nothing']],
  [['export', '--all', '--from', '2026-02-30']],
  [['purge', '--yes']],
  [['purge', '--all-before', '2026-01-01', '--user', 'ann@example.com', '--yes']],
  [['purge', '--all-before', 'yesterday', '--yes']],
  [['purge', '--smartlink', 'a', '--user', 'ann@example.com', '--yes']],
  [['purge', '--user', 'ann@example.com', '--from', '2026-01-02', '--to', '2026-01-01', '--yes']],
  [['replay']],
])('events %j is one clear line and exit code 1', async (args) => {
  await own.admin.refused('events', ...args);
});
