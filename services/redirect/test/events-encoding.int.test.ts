import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest';
import { createTestDatabases } from '@smartlink/embedded/test-databases';
import type { TestDatabases } from '@smartlink/embedded/test-databases';
import { until } from '@smartlink/test-support/until';
import { EVENT_COLUMNS, TEXT_BYTES_MAX } from '@smartlink/visit-events/columns';
import { clearEvents, createSpool, makeEvent, say, withClient } from './events-fixtures.js';

let databases: TestDatabases;
beforeAll(async () => {
  databases = await createTestDatabases(inject('stack'));
});
afterAll(async () => {
  await databases.drop();
});
afterEach(async () => {
  await clearEvents(databases.clickhouseUrl);
});

test('the list of columns is the table: names, types, comments and order', async () => {
  const described = await withClient(databases.clickhouseUrl, async (client) => {
    const result = await client.query({ query: 'describe table events', format: 'JSONEachRow' });
    return result.json<{ name: string; type: string; comment: string; default_type: string }>();
  });
  // What the server computes by itself is not written.
  const written = described.filter((column) => column.default_type !== 'MATERIALIZED');
  expect(written.map(({ name, type, comment }) => ({ name, type, meaning: comment }))).toEqual(EVENT_COLUMNS);
});

test('the table sorts by owner, smartlink, time and event, and keeps one row of each', async () => {
  const [table] = await withClient(databases.clickhouseUrl, async (client) => {
    const result = await client.query({
      query: `select engine, sorting_key, partition_key from system.tables where database = currentDatabase() and name = 'events'`,
      format: 'JSONEachRow',
    });
    return result.json();
  });
  expect(table).toEqual({
    engine: 'ReplacingMergeTree',
    sorting_key: 'owner_id, smartlink_id, ts, event_id',
    partition_key: 'toYYYYMM(ts)',
  });
});

const TEXTS = [
  '',
  'plain',
  'größe',
  '😀😀😀',
  '日本語',
  '\n\n',
  'a\u0a0ab',
  '\0\t\r\n',
  `'; drop table events; --`,
  '\\N',
  'x'.repeat(65_536),
  '😀'.repeat(16_384),
  '€'.repeat(300),
  'a\ud800b',
  '\ufeffbom',
];

/** The longest well-formed beginning of a text that fits. */
function cut(text: string, bytesMax: number): string {
  const bytes = Buffer.from(text.toWellFormed());
  let end = Math.min(bytes.length, bytesMax);
  while (end < bytes.length && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return bytes.subarray(0, end).toString();
}

test('every column comes back as it was recorded, whatever the visitor sent', async () => {
  const events = TEXTS.map((text, index) =>
    makeEvent(index, {
      timeMs: 1_789_000_000_000 + index,
      slug: text,
      source: index % 2 === 0 ? 'click' : 'scan',
      outcome: (['target', 'page', 'fallback', 'excluded'] as const)[index % 4] ?? 'target',
      exclusion: index % 4 === 3 ? 'prefetch' : '',
      country: text,
      device: text,
      os: text,
      browser: text,
      language: text,
      referrerHost: text,
      utmSource: text,
      utmMedium: text,
      utmCampaign: text,
      utmTerm: text,
      utmContent: text,
      visitorId: 0xffff_ffff_ffff_ffffn - BigInt(index),
    }),
  );
  const spool = createSpool();
  const recorder = spool.recorder();
  for (const event of events) void recorder.record(event);
  await recorder.close();
  const shipper = spool.shipper(databases.clickhouseUrl);
  shipper.start();
  await until(() => shipper.isDrained() && shipper.counters.deliveredEvents > 0, 'the spool is empty');
  await shipper.stop({ deadlineMs: 5_000 });
  spool.remove();

  const rows = await withClient(databases.clickhouseUrl, async (client) => {
    const result = await client.query({
      query: `
        select toUnixTimestamp64Milli(ts) as time_ms, owner_id, smartlink_id, slug, source, outcome, exclusion, country,
          device, os, browser, language, referrer_host, utm_source, utm_medium, utm_campaign, utm_term, utm_content,
          toString(visitor_id) as visitor_id, toUnixTimestamp64Milli(UUIDv7ToDateTime(event_id, 'UTC')) as id_time_ms
        from events final order by ts`,
      format: 'JSONEachRow',
      clickhouse_settings: { output_format_json_quote_64bit_integers: 0 },
    });
    return result.json<Record<string, unknown>>();
  });
  expect(rows).toEqual(
    events.map((event) => ({
      time_ms: event.timeMs,
      id_time_ms: event.timeMs,
      owner_id: event.ownerId,
      smartlink_id: event.smartlinkId,
      slug: cut(event.slug, TEXT_BYTES_MAX.slug),
      source: event.source,
      outcome: event.outcome,
      exclusion: event.exclusion,
      country: cut(event.country, TEXT_BYTES_MAX.country),
      device: cut(event.device, TEXT_BYTES_MAX.device),
      os: cut(event.os, TEXT_BYTES_MAX.os),
      browser: cut(event.browser, TEXT_BYTES_MAX.browser),
      language: cut(event.language, TEXT_BYTES_MAX.language),
      referrer_host: cut(event.referrerHost, TEXT_BYTES_MAX.referrerHost),
      utm_source: cut(event.utmSource, TEXT_BYTES_MAX.utmSource),
      utm_medium: cut(event.utmMedium, TEXT_BYTES_MAX.utmMedium),
      utm_campaign: cut(event.utmCampaign, TEXT_BYTES_MAX.utmCampaign),
      utm_term: cut(event.utmTerm, TEXT_BYTES_MAX.utmTerm),
      utm_content: cut(event.utmContent, TEXT_BYTES_MAX.utmContent),
      visitor_id: event.visitorId.toString(),
    })),
  );
  say(`round trip: ${rows.length} events of edge cases, ${EVENT_COLUMNS.length} columns, all equal`);
});
