import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { type ClickHouseClient, createClient } from '@clickhouse/client';
import { createLogger } from '@smartlink/process/lifecycle';
import { until } from '@smartlink/test-support/until';
import { makeVisitEvent } from '@smartlink/test-support/visit-event';
import type { VisitEvent } from '@smartlink/visits/event';
import {
  createEventRecorder,
  type EventRecorder,
  type EventRecorderOptions,
} from '../src/events/event-recorder.js';
import { createShipper, type Shipper, type ShipperOptions } from '../src/events/shipper.js';
import { parseSegmentName } from '../src/events/spool-files.js';
import {
  FRAME_HEADER_BYTES,
  frameSeed,
  readSegment,
  sealFrame,
  splitRows,
} from '../src/events/spool-segment.js';

const log = createLogger({ service: 'events-test', level: process.env['EVENTS_TEST_LOG'] ?? 'silent' });
const GIB = 1024 ** 3;

/** One visit; its number stands in utm_content, so that each can be found again. */
export function makeEvent(number: number, changes: Partial<VisitEvent> = {}): VisitEvent {
  return makeVisitEvent({
    smartlinkId: `ffeeddcc-bbaa-4988-9766-5544332211${String(number % 100).padStart(2, '0')}`,
    utmContent: String(number),
    visitorId: BigInt(number),
    ...changes,
  });
}

export type Spool = {
  readonly folder: string;
  /** Names of the spool's files that end so. */
  readonly names: (ending: string) => readonly string[];
  /** Names of the acknowledged segments, which stand in `sent`. */
  readonly sentNames: () => readonly string[];
  readonly recorder: (options?: Partial<EventRecorderOptions>) => EventRecorder;
  readonly shipper: (clickhouseUrl: string, options?: Partial<ShipperOptions>) => Shipper;
  /** Sends all that the spool holds by a shipper of its own, which has stopped then. */
  readonly send: (clickhouseUrl: string) => Promise<Shipper>;
  readonly remove: () => void;
};

/** Returns a spool folder, new or given, and makers of what works on it. */
export function createSpool(folder = mkdtempSync(join(tmpdir(), 'smartlink-spool-'))): Spool {
  const shipperTo = (clickhouseUrl: string, options: Partial<ShipperOptions> = {}): Shipper =>
    createShipper({ spoolDir: folder, clickhouseUrl, log, ...options });
  return {
    folder,
    names: (ending) => readdirSync(folder).filter((name) => name.endsWith(ending)),
    sentNames: () => (existsSync(join(folder, 'sent')) ? readdirSync(join(folder, 'sent')) : []),
    recorder: (options) =>
      createEventRecorder({
        spoolDir: folder,
        writerId: 'w1',
        bytesMax: 4 * GIB,
        strict: false,
        log,
        ...options,
      }),
    shipper: shipperTo,
    async send(clickhouseUrl) {
      const shipper = shipperTo(clickhouseUrl);
      shipper.start();
      await until(() => shipper.isDrained(), 'the spool is sent');
      await shipper.stop({ deadlineMs: 5_000 });
      return shipper;
    },
    remove: () => {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Records `count` events from number `from` on and seals them. Waits whenever a half of the buffer is full. */
export async function recordAll(spool: Spool, from: number, count: number): Promise<void> {
  const recorder = spool.recorder();
  for (let number = from; number < from + count; number++) {
    void recorder.record(makeEvent(number));
    if (number % 10_000 === 0)
      await until(() => recorder.counters.bufferedEvents === 0, 'the buffer is written');
  }
  await recorder.close();
}

export type StoredEvents = {
  readonly numbers: ReadonlySet<number>;
  readonly rows: number;
  readonly rawRows: number;
};

/** Returns the events in ClickHouse: `rows` as every query sees them, `rawRows` with repeats not yet merged away. */
export async function readStored(clickhouseUrl: string): Promise<StoredEvents> {
  return withClient(clickhouseUrl, async (client) => {
    const final = await client.query({
      query: 'select utm_content from events final',
      format: 'JSONCompactEachRow',
    });
    const rows = await final.json<[string]>();
    const raw = await client.query({ query: 'select count() from events', format: 'JSONCompactEachRow' });
    const [counted] = await raw.json<[string]>();
    return {
      numbers: new Set(rows.map(([text]) => Number(text))),
      rows: rows.length,
      rawRows: Number(counted?.[0]),
    };
  });
}

/** Runs `work` with a client that is closed afterwards. */
export async function withClient<T>(
  clickhouseUrl: string,
  work: (client: ClickHouseClient) => Promise<T>,
): Promise<T> {
  const client = createClient({ url: clickhouseUrl });
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

/** Empties the table between tests. */
export async function clearEvents(clickhouseUrl: string): Promise<void> {
  await withClient(clickhouseUrl, (client) => client.command({ query: 'truncate table events' }));
}

/** Makes rows of a sealed segment unreadable for ClickHouse while its frames stay sound. */
export function spoilRows(path: string, isSpoiled: (index: number) => boolean): void {
  const bytes = readFileSync(path);
  const nonce = parseSegmentName(basename(path))?.nonce ?? 0;
  let index = 0;
  for (const frame of readSegment(bytes, nonce).frames) {
    for (const row of splitRows(frame)) if (isSpoiled(index++)) row.fill(0xff);
    const start = frame.rows.byteOffset - bytes.byteOffset - FRAME_HEADER_BYTES;
    const end = start + FRAME_HEADER_BYTES + frame.rows.length + frame.rowLengths.length;
    sealFrame(bytes.subarray(start, end), frame.rowCount, frameSeed(nonce));
  }
  writeFileSync(path, bytes);
}

/** Prints the figure of a guarantee. */
export function say(figure: string): void {
  process.stdout.write(`${figure}\n`);
}
