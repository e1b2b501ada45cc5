import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ClickHouseLogLevel, createClient } from '@clickhouse/client';
import { beforeEach, expect, test } from 'vitest';
import { type EventRow, makeEventRow } from '@smartlink/test-support/event-row';
import type { Env } from '../src/cli/terminal.js';
import { tailVisits } from '../src/visits/tail.js';
import { frameWithVisits, type Visited } from './visited.js';

const own = frameWithVisits();

let visited: Visited;

beforeEach(async () => {
  visited = await own.visits.makeVisited();
});

const timeAt = (timeMs: number) => new Date(timeMs).toISOString().replace('T', ' ').replace('Z', '');
const visitAt = (timeMs: number, changes: EventRow = {}) =>
  makeEventRow(visited.userId, visited.smartlinkId, { ts: timeAt(timeMs), slug: 'here', ...changes });

/** A tail in another process's terminal: `printed` waits for a number of lines, `interrupt` is Ctrl-C. */
function startTail(
  args: readonly string[],
  terminal: { isColoured?: boolean; stderr?: (text: string) => void } = {},
  env: Env = {},
) {
  const lines: string[] = [];
  const events = new EventEmitter();
  const exit = own.admin.runIn(
    {
      isStdoutTerminal: terminal.isColoured === true,
      stderr: terminal.stderr ?? (() => undefined),
      stdout: (text) => {
        lines.push(...text.trimEnd().split('\n'));
        events.emit('printed');
      },
      // Called after the first query, from which on visits are shown.
      stdoutReady: () => Promise.resolve(events.emit('listening') || true),
      onInterrupt: (listener) => {
        events.once('interrupt', listener);
        return () => undefined;
      },
    },
    env,
    ['tail', ...args],
  );
  return {
    exit,
    listening: once(events, 'listening'),
    interrupt: () => events.emit('interrupt'),
    printed: async (count: number) => {
      while (lines.length < count) await once(events, 'printed');
      return lines;
    },
  };
}

test('tail shows the visits of its user as they arrive, until Ctrl-C, without control characters', async () => {
  const other = await own.visits.makeVisited();
  const ofUser = ['--user', visited.email];
  const tails = {
    plain: startTail(ofUser),
    coloured: startTail(['--smartlink', visited.slug], { isColoured: true }),
    json: startTail([...ofUser, '--json'], { isColoured: true }),
  };
  await Promise.all(Object.values(tails).map((tail) => tail.listening));
  const timeMs = Date.now();
  const hostile = '\u001b[31m\u009b2J\u202e\n\u2028.example';
  await own.visits.insert(
    visitAt(timeMs, { referrer_host: hostile, browser: 'Firefox', country: 'DE', device: 'desktop' }),
    visitAt(timeMs + 1, { outcome: 'excluded', exclusion: 'bot', source: 'scan' }),
    visitAt(timeMs + 2, { outcome: 'excluded', exclusion: 'press', button: 'contact:1' }),
    makeEventRow(other.userId, other.smartlinkId, { ts: timeAt(timeMs) }),
  );
  const ended = Object.values(tails).map(async (tail) => {
    await tail.printed(3);
    tail.interrupt();
    const { exitCode, stdout, stderr } = await tail.exit;
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    return stdout.split('\n');
  });
  const [plain = [], coloured = [], json = []] = await Promise.all(ended);
  for (const lines of [plain, coloured, json]) expect(lines).toHaveLength(4);
  for (const line of [...plain, ...json]) expect(line).not.toMatch(/\p{Cc}|\p{Bidi_Control}|\u2028/u);
  expect(plain[0]).toMatch(
    new RegExp(`^${timeAt(timeMs).slice(11)} +here +click +target +DE +desktop +Firefox +\ufffd\\[31m`),
  );
  expect(plain[1]).toMatch(/here +scan +excluded \(bot\) /);
  expect(plain[2]).toMatch(/here +click +press contact:1 /);
  expect(coloured[0]).toContain('\u001b[32mtarget');
  expect(coloured[0]).not.toMatch(/\u009b|\p{Bidi_Control}/u);
  const { smartlinkId } = visited;
  expect(JSON.parse(json[0] ?? '')).toMatchObject({ smartlinkId, referrerHost: hostile, outcome: 'target' });
});

test('a visit that is shipped late, or looked at again after an outage, is shown once', async () => {
  const startMs = Date.parse('2026-03-20T12:00:00Z');
  const [early, late] = [randomUUID(), randomUUID()];
  const shown: string[] = [];
  const outages: unknown[] = [];
  const ended = new AbortController();
  let look = 0;
  const rename = (from: string, to: string) =>
    own.visits.clickhouse.command({ query: `rename table ${from} to ${to}` });
  // What happens after some looks, a minute each; the outage is of an hour and a half.
  const afterLook: Readonly<Record<number, () => unknown>> = {
    1: () => own.visits.insert(visitAt(startMs + 1_000, { event_id: early })),
    3: () => rename('events', 'events_away'),
    4: () => (look += 90),
    95: () => rename('events_away', 'events'),
    97: () => own.visits.insert(visitAt(startMs + 2_000, { event_id: late })),
    99: () => {
      ended.abort();
    },
  };
  const step = async () => {
    look += 1;
    await afterLook[look]?.();
  };
  await tailVisits({
    connect: () =>
      createClient({ url: own.admin.databases.clickhouseUrl, log: { level: ClickHouseLogLevel.OFF } }),
    scope: { ownerId: null, smartlinkId: null },
    signal: ended.signal,
    now: () => startMs + look * 60_000,
    pause: step,
    show: (seen) => {
      shown.push(...seen.map((visit) => visit.eventId));
      return Promise.resolve(true);
    },
    onOutage: (err) => outages.push(err),
  });
  expect(outages).toHaveLength(1);
  expect(shown).toEqual([early, late]);
});

test('tail continues after the stack was restarted on other ports', async () => {
  const { databaseUrl, redisUrl, clickhouseUrl } = own.admin.databases;
  const folder = mkdtempSync(join(tmpdir(), 'smartlink-tail-'));
  const writeStack = (url: string) => {
    writeFileSync(join(folder, 'stack.json'), JSON.stringify({ databaseUrl, redisUrl, clickhouseUrl: url }));
  };
  try {
    // Nothing listens there.
    writeStack('http://127.0.0.1:1/nothing');
    let tellOutage: (text: string) => void = () => undefined;
    const outage = new Promise<string>((resolve) => (tellOutage = resolve));
    const tail = startTail(
      ['--user', visited.email],
      { stderr: tellOutage },
      { DATABASE_URL: undefined, SMARTLINK_DATA_DIR: folder },
    );
    expect(await outage).toMatch(/^ClickHouse does not answer, waiting for it: .*\n$/);
    writeStack(clickhouseUrl);
    await own.visits.insert(visitAt(Date.now()));
    expect(await tail.printed(1)).toHaveLength(1);
    tail.interrupt();
    expect((await tail.exit).exitCode).toBe(0);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
