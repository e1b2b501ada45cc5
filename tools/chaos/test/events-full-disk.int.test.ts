import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClosers } from '@smartlink/test-support/closers';
import { recordFigure, recordSkip } from '@smartlink/test-support/record-figure';
import { trialSize } from '@smartlink/test-support/trial-size';
import { until } from '@smartlink/test-support/until';
import { parseSegmentName } from '../../../services/redirect/src/events/spool-files.js';
import {
  readSegment,
  ROW_LENGTH_BYTES,
  splitRows,
} from '../../../services/redirect/src/events/spool-segment.js';
import { mountSmallDisk } from '../../../services/redirect/test/events-clickhouse.js';
import {
  type FaultyGateway,
  startFaultyGateway,
} from '../../../services/redirect/test/events-faulty-gateway.js';
import { readStored } from '../../../services/redirect/test/events-fixtures.js';
import { useTrial } from '../../../services/redirect/test/serve.js';
import { startRedirect } from '../../../services/redirect/test/start-redirect.js';
import { createCrowd, waitUntilSettled } from './events-harness.js';

const MIB = 1024 ** 2;
const DISK_BYTES = 24 * MIB;
const BUFFER_BYTES = 2 * 4 * MIB;
const RECOVERY_MS_MAX = 5_000;
const DROPS = trialSize(500, 20_000);
// Long rows fill the buffers with few visits.
const LONG_TEXT_BYTES = 128;
const LONG_QUERY = ['source', 'medium', 'campaign', 'term']
  .map((name) => `&utm_${name}=${'x'.repeat(LONG_TEXT_BYTES)}`)
  .join('');

const trial = useTrial({ clickhouse: 'own' });
let gateway: FaultyGateway;

beforeAll(async () => {
  gateway = await startFaultyGateway(trial.databases.clickhouseUrl);
});
afterAll(() => gateway.close());

/**
 * Flips one bit in the first frame of a sealed segment. Returns how many events that frame holds, and what the longest
 * row of the segment took of a buffer.
 */
function damageSegment(spoolDir: string): { readonly events: number; readonly rowBytesMax: number } {
  const name = sealed(spoolDir)[0] ?? '';
  const bytes = readFileSync(path.join(spoolDir, name));
  const { frames } = readSegment(bytes, parseSegmentName(name)?.nonce ?? 0);
  const at = bytes.indexOf('xxxx');
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  writeFileSync(path.join(spoolDir, name), bytes);
  const rowBytes = frames.flatMap(splitRows).map((row) => row.length + ROW_LENGTH_BYTES);
  return { events: frames[0]?.rowCount ?? 0, rowBytesMax: Math.max(...rowBytes) };
}

const sealed = (spoolDir: string) => readdirSync(spoolDir).filter((name) => name.endsWith('.seg'));

/** Takes all that is free on a disk, to the last page. */
function fill(file: string): void {
  for (let bytes = DISK_BYTES; bytes >= 4_096; bytes /= 2) {
    try {
      for (;;) writeFileSync(file, Buffer.alloc(bytes), { flag: 'a' });
    } catch {
      // What did not fit is tried in smaller pieces.
    }
  }
}

test(
  'a full disk and a damaged segment: visits go on, every event is delivered or counted, writes go on by themselves',
  { timeout: 240_000 },
  async ({ skip }) => {
    const disk = mountSmallDisk(DISK_BYTES);
    const what = 'the spool’s disk is full, under visits';
    if (!disk) {
      for (const promise of ['E6', 'E8', 'E11']) {
        recordSkip({ promise, trial: what, skipped: 'a small disk can be mounted on Linux by root only' });
      }
      return skip();
    }
    const spoolDir = path.join(disk.folder, 'spool');
    const filler = path.join(disk.folder, 'filler');
    const settings = { ...trial.databases, clickhouseUrl: gateway.clickhouseUrl };
    const closers = createClosers();
    closers.add(disk.remove);
    try {
      const redirect = await startRedirect(settings, { SPOOL_DIR: spoolDir, REDIRECT_PROCESSES: '1' });
      closers.add(redirect.stop);
      const crowd = createCrowd(redirect.port);
      closers.add(crowd.close);
      const dropped = () => redirect.metric('smartlink_redirect_events_total{fate="dropped_spool_error"}');
      await trial.links.insert({ slug: 'full', url: 'https://example.org/' });
      gateway.fault = () => 'cut before';
      const load = { slug: 'full', query: LONG_QUERY, connections: 8 };
      await crowd.visitMeanwhile({ ...load, pauseMs: 10 }, () =>
        until(() => sealed(spoolDir).length > 0, 'a segment is sealed'),
      );
      const damaged = damageSegment(spoolDir);

      fill(filler);
      let bufferedMax = 0;
      await crowd.visitMeanwhile({ ...load, pauseMs: 0 }, () =>
        until(
          async () => {
            const count = await dropped();
            bufferedMax = Math.max(bufferedMax, await redirect.metric('smartlink_redirect_events_buffered'));
            return count >= DROPS;
          },
          'dropping events',
          60_000,
        ),
      );
      let recoveredMs = Infinity;
      await crowd.visitMeanwhile({ ...load, pauseMs: 10 }, async () => {
        const before = spooledBytes(spoolDir);
        rmSync(filler);
        const freedAt = performance.now();
        await until(() => spooledBytes(spoolDir) > before, 'events are written', 30_000);
        recoveredMs = performance.now() - freedAt;
      });
      gateway.fault = () => 'none';

      const visits = crowd.redirected.size;
      const balance = await waitUntilSettled(redirect, visits);
      expect(crowd.failed()).toBe(0);
      expect(damaged.events).toBeGreaterThan(0);
      expect(balance).toMatchObject({ torn: damaged.events, quarantined: 0, discarded: 0 });
      expect(balance.dropped).toBeGreaterThanOrEqual(DROPS);
      const stored = await readStored(trial.databases.clickhouseUrl);
      expect(stored.rows).toBe(balance.delivered);
      expect(stored.numbers.size).toBe(stored.rows);
      expect([...stored.numbers].filter((number) => !crowd.redirected.has(number))).toEqual([]);
      recordFigure({
        promise: 'E6',
        trial: `${what}: ${visits} of ${visits} answered`,
        measured:
          `${balance.accepted} accepted − ${balance.delivered} delivered = ${balance.dropped} dropped + ` +
          `${balance.torn} torn, exactly; written again ${Math.round(recoveredMs)} ms after space returned`,
        holds: recoveredMs <= RECOVERY_MS_MAX,
      });
      recordFigure({
        promise: 'E8',
        trial: 'one bit of a segment flipped under the running service',
        measured: `the ${balance.torn} events of its frame torn, no other; the metrics add up to the last event`,
        holds: true,
      });
      // The visits are all alike, but that the numbers of later ones have a few digits more.
      const bufferedBytesMax = bufferedMax * damaged.rowBytesMax;
      expect(damaged.rowBytesMax).toBeGreaterThan(4 * LONG_TEXT_BYTES);
      expect(bufferedBytesMax).toBeLessThanOrEqual(BUFFER_BYTES);
      recordFigure({
        promise: 'E11',
        trial: `buffers of a process that cannot write, ${balance.dropped} events dropped`,
        measured:
          `${bufferedMax} events of ${damaged.rowBytesMax} bytes (${(bufferedBytesMax / MIB).toFixed(1)} MiB) at most, ` +
          'in buffers of 8 MiB',
        holds: true,
      });
    } finally {
      await closers.close();
    }
  },
);

function spooledBytes(spoolDir: string): number {
  // One that is sealed meanwhile has another name.
  const sizes = readdirSync(spoolDir).map((name) =>
    statSync(path.join(spoolDir, name), { throwIfNoEntry: false }),
  );
  return sizes.reduce((sum, stat) => sum + (stat?.isFile() === true ? stat.size : 0), 0);
}
