import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeEventRow } from '@smartlink/test-support/event-row';
import { addDays } from '@smartlink/visits/analytics';
import { useAdmin } from './run-admin.js';
import { openVisits, type Visited, type Visits } from './visited.js';

type Day = { date: string; clicks: number; scans: number };

const admin = useAdmin();
let visits: Visits;
let visited: Visited;
const today = new Date().toISOString().slice(0, 10);

// Some of what is counted is rolled up, some is not.
beforeAll(async () => {
  visits = openVisits(admin);
  visited = await visits.makeVisited();
  const { userId, smartlinkId } = visited;
  const visit = (daysAgo: number, changes: Parameters<typeof makeEventRow>[2] = {}) =>
    makeEventRow(userId, smartlinkId, { ts: `${addDays(today, -daysAgo)} 00:00:00.000`, ...changes });
  await visits.insert(visit(3, { country: 'DE', referrer_host: '\u001b[2Jx.example' }), visit(2), visit(2));
  await visits.rollUp();
  await visits.insert(
    visit(0, { source: 'scan', country: 'DE' }),
    visit(0, { outcome: 'excluded', exclusion: 'press', button: 'button:3', country: 'DE' }),
  );
  await admin.db.query(`insert into slugs values ('other', 'Other', $1, $2, false)`, [userId, smartlinkId]);
});
afterAll(() => visits.close());

test('stats has the figures of the API, by slug in any case, alias and id', async () => {
  const expected = await visits.count(visited);
  for (const slug of [visited.slug, visited.slug.toUpperCase(), 'oTHER', visited.smartlinkId]) {
    const stats = await admin.json<{ days: Day[]; totals: { excluded: object } }>(
      'stats',
      slug,
      '--days',
      '4',
    );
    expect(stats).toMatchObject({
      smartlinkId: visited.smartlinkId,
      aliases: ['Other'],
      totals: expected.totals,
      countries: { DE: 2, XX: 2 },
      presses: { 'button:3': 1 },
    });
    expect(stats.totals.excluded).toEqual({ bot: 1 });
    expect(stats.days.map(({ date, clicks, scans }) => [date, clicks + scans])).toEqual(
      [3, 2, 1, 0].map((daysAgo) => [addDays(today, -daysAgo), expected.days[addDays(today, -daysAgo)] ?? 0]),
    );
  }
  expect(expected.sum).toBe(8);
});

test('stats draws the days for people, no wider than the terminal, and nothing steers it', async () => {
  const { stdout } = await admin.runIn({ columns: 60 }, { PUBLIC_BASE_URL: 'https://s.example/' }, [
    'stats',
    visited.slug,
    '--days',
    '4',
  ]);
  expect(stdout).toContain(`https://s.example/${visited.slug.toUpperCase()}, also /Other\n`);
  expect(stdout).toContain(`${addDays(today, -2)}  2  ${'█'.repeat(45)}\n${addDays(today, -1)}  0\n`);
  expect(stdout).toContain('\nPresses of buttons, which are no visits: button:3 1\n');
  expect(stdout).toContain('\ufffd[2Jx.example');
  expect(stdout).not.toContain('\u001b');
  const bars = stdout.split('\n').filter((line) => line.includes('█'));
  expect(Math.max(...bars.map((line) => line.length))).toBe(60);
});

test('stats begins with the day of the creation', async () => {
  const smartlinkId = randomUUID();
  await admin.createSmartlink({ userId: visited.userId, smartlinkId, slug: 'new' });
  expect((await admin.run('stats', 'new')).stdout).toContain(`Visits from ${today} to ${today}, `);
});

test.each([[['nothing']], [['no slug!']], [['other', '--days', '0']], [['other', '--days', '367']]])(
  'stats %j is one clear line',
  async (args) => {
    const { exitCode, stdout, stderr } = await admin.run('stats', ...args);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toMatch(/^[^\n]+\.\n$/);
  },
);
