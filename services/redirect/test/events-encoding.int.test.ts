import { afterEach, expect, test } from 'vitest';
import { makeVisitEvent } from '@smartlink/test-support/visit-event';
import { EVENT_COLUMNS, TEXT_BYTES_MAX } from '@smartlink/visits/event';
import { createUuidV7Writer, encodeRow, ROW_BYTES_MAX } from '../src/events/encode-row.js';
import { createEventTable } from '../src/events/event-table.js';
import { clearEvents, createSpool, makeEvent, say, withClient } from './events-fixtures.js';
import { selectEvents, useDatabases } from './serve.js';

const databases = useDatabases({ clickhouse: 'own' });
afterEach(async () => {
  await clearEvents(databases.clickhouseUrl);
});

test('the list of columns is the table: names, types, comments and order', async () => {
  type Column = { name: string; type: string; comment: string; default_type: string };
  const described = await selectEvents<Column>(databases.clickhouseUrl, 'describe table events');
  // What the server computes by itself is not written.
  const written = described.filter((column) => column.default_type !== 'MATERIALIZED');
  expect(written.map(({ name, type, comment }) => ({ name, type, meaning: comment }))).toEqual(EVENT_COLUMNS);
});

test('the table sorts by owner, smartlink, time and event, and keeps one row of each', async () => {
  const query = `select engine, sorting_key, partition_key from system.tables
                 where database = currentDatabase() and name = 'events'`;
  const [table] = await selectEvents(databases.clickhouseUrl, query);
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

// All but the slug; the exclusion is one of a few.
const TEXT_COLUMNS = (Object.keys(TEXT_BYTES_MAX) as (keyof typeof TEXT_BYTES_MAX)[]).filter(
  (name) => name !== 'slug' && name !== 'exclusion',
);

test('every column comes back as it was recorded, whatever the visitor sent', async () => {
  const events = TEXTS.map((text, index) =>
    makeEvent(index, {
      timeMs: 1_789_000_000_000 + index,
      slug: text,
      source: index % 2 === 0 ? 'click' : 'scan',
      outcome: (['target', 'page', 'fallback', 'excluded'] as const)[index % 4] ?? 'target',
      exclusion: index % 4 === 3 ? 'prefetch' : '',
      ...Object.fromEntries(TEXT_COLUMNS.map((name) => [name, text])),
      visitorId: 0xffff_ffff_ffff_ffffn - BigInt(index),
    }),
  );
  const spool = createSpool();
  const recorder = spool.recorder();
  for (const event of events) void recorder.record(event);
  await recorder.close();
  await spool.send(databases.clickhouseUrl);
  spool.remove();

  const rows = await withClient(databases.clickhouseUrl, async (client) => {
    const result = await client.query({
      query: `
        select toUnixTimestamp64Milli(ts) as time_ms, owner_id, smartlink_id, slug, source, outcome, exclusion, country,
          device, os, browser, language, referrer_host, utm_source, utm_medium, utm_campaign, utm_term, utm_content,
          domain, rule, variant, button, toString(visitor_id) as visitor_id, toUnixTimestamp64Milli(UUIDv7ToDateTime(event_id, 'UTC')) as id_time_ms
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
      source: event.source,
      outcome: event.outcome,
      exclusion: event.exclusion,
      ...Object.fromEntries(
        (['slug', ...TEXT_COLUMNS] as const).map((name) => [
          name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
          cut(event[name], TEXT_BYTES_MAX[name]),
        ]),
      ),
      visitor_id: event.visitorId.toString(),
    })),
  );
  say(`round trip: ${rows.length} events of edge cases, ${EVENT_COLUMNS.length} columns, all equal`);
});

test('rows of a build without domain, rule, variant and button are inserted', async () => {
  const row = Buffer.alloc(ROW_BYTES_MAX);
  const bytes = encodeRow(row, 0, makeVisitEvent({ slug: 'Docs' }), createUuidV7Writer());
  const domainAt = 8 + 16 + 32 + 1 + 'Docs'.length;
  const ruleAt = bytes - 8 - 3;
  const older = [
    row.subarray(0, domainAt),
    row.subarray(domainAt + 1, ruleAt),
    row.subarray(bytes - 8, bytes),
  ];
  const newer = ['domain', 'rule', 'variant', 'button'];
  const columns = EVENT_COLUMNS.map(({ name }) => name).filter((name) => !newer.includes(name));
  const table = createEventTable(databases.clickhouseUrl);
  const inserted = await table.insert(columns, older, new AbortController().signal);
  await table.close();
  expect(inserted).toEqual({ kind: 'acknowledged' });
  const query = `select slug, country, toString(visitor_id) as visitor, ${newer.join(', ')} from events`;
  expect(await selectEvents(databases.clickhouseUrl, query)).toEqual([
    { slug: 'Docs', country: 'DE', visitor: '1', domain: '', rule: '', variant: '', button: '' },
  ]);
});
