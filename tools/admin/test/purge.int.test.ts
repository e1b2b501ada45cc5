import { expect, test } from 'vitest';
import { makeEventRow } from '@smartlink/test-support/event-row';
import { addDays } from '@smartlink/visits/analytics';
import { noteForgotten, withRollupLock } from '@smartlink/visits/rollup';
import type { Admin } from './run-admin.js';
import { frameWithVisits, type Visited } from './visited.js';

const own = frameWithVisits();

test('a purge of days removes exactly them from every figure, and no rollup restores them', async () => {
  const visited = await own.visits.makeVisited();
  const other = await own.visits.makeVisited();
  await own.visits.rollUp();
  await own.admin.db.query('insert into smartlink_totals values ($1, 3, 1, 1), ($2, 3, 1, 1)', [
    visited.smartlinkId,
    other.smartlinkId,
  ]);
  const before = await own.visits.count(other);
  expect(before).toMatchObject({ sum: 4, days: { '2026-02-27': 1, '2026-03-10': 2, '2026-03-12': 1 } });

  const range = ['--smartlink', visited.slug, '--from', '2026-03-10', '--to', '2026-03-11'];
  const goes = { events: 3, rolledUpDays: 2 };
  expect(await own.admin.json('events', 'purge', ...range, '--dry-run')).toEqual({ ...goes, deleted: false });
  expect((await own.admin.run('events', 'purge', ...range)).stderr).toBe(
    'Deleting visits cannot be undone: add --yes.\n',
  );
  expect(await own.visits.count(visited)).toEqual(before);
  expect(await own.admin.json('events', 'purge', ...range, '--yes')).toEqual({ ...goes, deleted: true });

  const left = {
    days: { '2026-02-27': 1, '2026-03-12': 1 },
    sum: 2,
    totals: { clicks: 2, scans: 0, fallbacks: 0 },
  };
  expect(await own.visits.count(visited)).toMatchObject(left);
  // Late events of a purged day are deleted on arrival, also when everything is rolled up again.
  const late = makeEventRow(visited.userId, visited.smartlinkId, { ts: '2026-03-10 12:00:00.000' });
  for (const query of ['select 1', 'truncate table rollup_state']) {
    await own.visits.clickhouse.command({ query });
    await own.visits.insert(late);
    await own.visits.rollUp();
    expect(await own.visits.count(visited)).toMatchObject(left);
  }
  expect(await own.visits.count(other)).toEqual(before);

  const { rows } = await own.admin.db.query(
    `select clicks::int, scans::int, fallbacks::int from smartlink_totals where smartlink_id = $1`,
    [visited.smartlinkId],
  );
  expect(rows).toEqual([left.totals]);
  const audited = await own.admin.json('audit', 'list', '--smartlink', visited.smartlinkId);
  expect(audited).toMatchObject([
    {
      action: 'events.purge',
      userId: visited.userId,
      details: { days: '2026-03-10 to 2026-03-11', ...goes },
    },
  ]);
});

test('purged visits stay deleted when they are sent again, and visits made after the purge count', async () => {
  const visited = await own.visits.makeVisited();
  const other = await own.visits.makeVisited();
  const visitNow = () =>
    makeEventRow(visited.userId, visited.smartlinkId, {
      ts: new Date().toISOString().replace('T', ' ').replace('Z', ''),
    });
  await own.visits.insert(visitNow());
  await own.visits.rollUp();
  const before = await own.visits.count(other);
  const sent = await own.visits.findEvents(visited.userId);
  expect(await own.admin.json('events', 'purge', '--user', visited.email, '--yes')).toMatchObject({
    events: 6,
  });
  expect((await own.visits.count(visited)).sum).toBe(0);

  await own.visits.insert(visitNow());
  await own.visits.insert(...sent.slice(4));
  await own.visits.rollUp();
  expect(await own.visits.count(visited)).toMatchObject({ sum: 1, totals: { clicks: 1 } });
  expect(await own.visits.findEvents(visited.userId)).toHaveLength(1);
  expect(await own.visits.count(other)).toEqual(before);
});

test('a rolled-up day of a purge keeps its later visits, and an interrupted purge is completed', async () => {
  const mixed = await own.visits.makeVisited();
  const early = await own.visits.makeVisited();
  const other = await own.visits.makeVisited();
  const day = addDays(new Date().toISOString().slice(0, 10), -2);
  const visit = ({ userId, smartlinkId }: Visited, time: string) =>
    makeEventRow(userId, smartlinkId, { ts: `${day} ${time}` });
  for (const visited of [mixed, early, other]) await own.visits.insert(visit(visited, '11:59:59.999'));
  await own.visits.insert(visit(mixed, '12:00:00.000'), visit(mixed, '12:00:00.001'));
  await own.visits.rollUp();
  expect((await own.visits.count(mixed)).days[day]).toBe(3);

  for (const { userId } of [mixed, early]) {
    const untilMs = Date.parse(`${day}T12:00:00Z`);
    await noteForgotten(own.visits.clickhouse, { ownerId: userId, smartlinkId: null, from: day, untilMs });
  }
  await own.visits.rollUp();
  expect(await own.visits.count(mixed)).toMatchObject({ sum: 6, days: { [day]: 2, '2026-03-10': 2 } });
  expect(await own.visits.count(early)).toMatchObject({ sum: 4, totals: { clicks: 3 } });
  expect((await own.visits.count(other)).sum).toBe(5);
});

test('a purge reaches days whose events are gone already, and waits for a rollup that is under way', async () => {
  const visited = await own.visits.makeVisited();
  await own.visits.rollUp();
  await own.visits.clickhouse.command({ query: 'truncate table events' });
  let purged: ReturnType<Admin['run']> | undefined;
  await withRollupLock(own.admin.databases.databaseUrl, async () => {
    const waiting = own.admin.waitForStderr(['events', 'purge', '--user', visited.email, '--yes']);
    purged = waiting.exit;
    expect(await waiting.firstStderr).toMatch(/being rolled up/);
    expect((await own.visits.count(visited)).sum).toBe(4);
  });
  expect((await purged)?.stdout).toMatch(/^Deleted 0 events and 4 rolled-up days of .*, all days\.\n/);
  expect(await own.visits.count(visited)).toEqual({ days: {}, sum: 0, totals: null });
});

test('--all-before deletes the earlier days of all users, and keeps that day', async () => {
  const [one, two] = [await own.visits.makeVisited(), await own.visits.makeVisited()];
  await own.visits.rollUp();
  await own.admin.json('events', 'purge', '--all-before', '2026-03-11', '--yes');
  for (const visited of [one, two])
    expect((await own.visits.count(visited)).days).toEqual({ '2026-03-11': 0, '2026-03-12': 1 });
});

test('users delete also deletes rollups', async () => {
  const visited = await own.visits.makeVisited();
  const other = await own.visits.makeVisited();
  await own.visits.rollUp();
  const sent = await own.visits.findEvents(visited.userId);
  await own.admin.json('users', 'delete', visited.userId, '--yes');
  expect((await own.visits.count(visited)).sum).toBe(0);
  // Of one who is gone, visits made later go as well.
  await own.visits.insert(
    ...sent.slice(0, 1),
    makeEventRow(visited.userId, visited.smartlinkId, { ts: '2199-01-01 00:00:00.000' }),
  );
  await own.visits.rollUp();
  expect((await own.visits.count(visited)).sum).toBe(0);
  expect(await own.visits.findEvents(visited.userId)).toEqual([]);
  expect((await own.visits.count(other)).sum).toBe(4);
});
