import { randomUUID } from 'node:crypto';
import { type ClickHouseClient, createClient } from '@clickhouse/client';
import type { Pool } from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createClosers } from '@smartlink/test-support/closers';
import { type EventRow, makeEventRow } from '@smartlink/test-support/event-row';
import { createTestDatabases } from '@smartlink/test-support/test-databases';
import { newSecret } from '../src/webhooks/send-message.js';
import { advanceVisits, claimDueVisits, createVisitQueue } from '../src/webhooks/visits-feed.js';
import { openPool } from './stored-state.js';

const closers = createClosers();
let pg: Pool;
let clickhouse: ClickHouseClient;

beforeAll(async () => {
  const databases = await createTestDatabases(inject('stack'));
  closers.add(databases.drop);
  pg = openPool(databases.databaseUrl);
  closers.add(() => pg.end());
  clickhouse = createClient({
    url: databases.clickhouseUrl,
    clickhouse_settings: { output_format_json_quote_64bit_integers: 0 },
  });
  closers.add(() => clickhouse.close());
});
afterAll(() => closers.close());

type Owner = { readonly userId: string; readonly webhookId: string; readonly smartlinkId: string };

/** A user with one webhook that takes visits, from the beginning of time on. */
async function createOwner(): Promise<Owner> {
  const owner = { userId: randomUUID(), webhookId: randomUUID(), smartlinkId: randomUUID() };
  await pg.query(`insert into users (id, email, plan) values ($1, $2, 'Enterprise')`, [
    owner.userId,
    `${owner.userId}@example.com`,
  ]);
  await pg.query(
    `insert into webhooks (id, user_id, url, event_types, secret, visits_until)
     values ($1, $2, 'https://example.org/', '{visits.recorded}', $3, to_timestamp(1))`,
    [owner.webhookId, owner.userId, newSecret()],
  );
  return owner;
}

/** Stores rows as the shipper does: they arrive now, and are readable at once. */
const addEvents = (values: readonly EventRow[]) =>
  clickhouse.insert({ table: 'events', format: 'JSONEachRow', values });

const visitsOf = ({ userId, smartlinkId }: Owner, count: number, changes: EventRow = {}) =>
  Array.from({ length: count }, () => makeEventRow(userId, smartlinkId, changes));

/** What was queued for a webhook so far, message by message. */
async function queued({ webhookId }: Owner) {
  const { rows } = await pg.query<{ data: { visits: Record<string, unknown>[] } }>(
    `select data from webhook_deliveries where webhook_id = $1 and event_type = 'visits.recorded'`,
    [webhookId],
  );
  return rows.map(({ data }) => data.visits);
}

const idsOf = (messages: readonly (readonly Record<string, unknown>[])[]) =>
  messages.flatMap((visits) => visits.map((visit) => String(visit['eventId']))).toSorted();
const eventIds = (rows: readonly EventRow[]) => rows.map((row) => String(row.event_id)).toSorted();

/** Reads the visits of every webhook once. Nothing is being inserted, so there is nothing to wait for. */
async function gather(owner: Owner): Promise<void> {
  // Arrivals before this very millisecond.
  await new Promise((resolve) => setTimeout(resolve, 2));
  await makeDue(owner);
  await queue();
}

const makeDue = ({ webhookId }: Owner) =>
  pg.query(`update webhooks set visits_due_at = now() - interval '1 second' where id = $1`, [webhookId]);

const queue = () =>
  createVisitQueue({ pg, clickhouse, intervalMs: 60_000, lagMs: 0, onQueued: () => undefined })();

test('every counted visit is queued once, in messages of 500 at most, as often as it is looked', async () => {
  const owner = await createOwner();
  const stranger = await createOwner();
  const first = visitsOf(owner, 1_203);
  await addEvents([...first, ...visitsOf(stranger, 5)]);
  await addEvents([
    ...visitsOf(owner, 3, { outcome: 'excluded', exclusion: 'bot' }),
    ...visitsOf(owner, 3, { outcome: 'excluded', exclusion: 'press', button: 'button:0' }),
  ]);
  await gather(owner);
  expect((await queued(owner)).map((visits) => visits.length).toSorted()).toEqual([203, 500, 500]);
  expect(idsOf(await queued(owner))).toEqual(eventIds(first));
  await gather(owner);
  expect(await queued(owner)).toHaveLength(3);
  // Weeks after they were made, and long after others: it is their arrival that counts.
  const late = visitsOf(owner, 7, { ts: '2025-12-24 20:00:00.000' });
  await addEvents(late);
  await gather(owner);
  expect(idsOf(await queued(owner))).toEqual(eventIds([...first, ...late]));
});

test('a visit is described as in analytics, without the visitor', async () => {
  const owner = await createOwner();
  const known = { country: 'AZ', device: 'mobile', browser: 'Safari', os: 'iOS', visitor_id: '77' };
  const rows = [
    ...visitsOf(owner, 1, { ...known, referrer_host: 'example.net', source: 'scan' }),
    ...visitsOf(owner, 1, { ...known, outcome: 'fallback', source: 'scan' }),
    ...visitsOf(owner, 1, { ...known, outcome: 'page' }),
  ];
  await addEvents(rows);
  await gather(owner);
  const visits = (await queued(owner)).flat();
  const told = rows.map(({ event_id }) => visits.find(({ eventId }) => eventId === event_id));
  const usual = {
    ...{ smartlinkId: owner.smartlinkId, timestamp: '2026-03-10T12:00:00.000Z', country: 'AZ' },
    ...{ device: 'mobile', browser: 'Safari', operatingSystem: 'iOS' },
  };
  expect(told).toEqual([
    { ...usual, eventId: rows[0]?.event_id, action: 'qr_scan', referrer: 'example.net' },
    { ...usual, eventId: rows[1]?.event_id, action: 'fallback', referrer: 'direct' },
    { ...usual, eventId: rows[2]?.event_id, action: 'click', referrer: 'direct' },
  ]);
});

test('an event that is inserted again is sent once, or again with the same id, and none is lost', async () => {
  const owner = await createOwner();
  const rows = visitsOf(owner, 20);
  await addEvents(rows);
  await addEvents(rows.slice(0, 10));
  await gather(owner);
  expect(idsOf(await queued(owner))).toEqual(eventIds(rows));
  await addEvents(rows.slice(15));
  await clickhouse.command({ query: 'optimize table events final' });
  await addEvents(visitsOf(owner, 1));
  await gather(owner);
  const later = (await queued(owner)).slice(1).flat();
  expect(later).toHaveLength(6);
  expect(idsOf([later])).toEqual(expect.arrayContaining(eventIds(rows.slice(15))));
});

test('none of 10,050 visits of one moment is left out at the ends of the steps', async () => {
  const owner = await createOwner();
  const rows = visitsOf(owner, 10_050);
  await addEvents(rows);
  await gather(owner);
  const messages = await queued(owner);
  expect(messages).toHaveLength(21);
  expect(idsOf(messages)).toEqual(eventIds(rows));
});

test('several processes at once queue each visit once', async () => {
  const owner = await createOwner();
  const rows = visitsOf(owner, 900);
  await addEvents(rows);
  await gather(owner);
  const more = visitsOf(owner, 900);
  await addEvents(more);
  await new Promise((resolve) => setTimeout(resolve, 2));
  await Promise.all(
    Array.from({ length: 6 }, async () => {
      await makeDue(owner);
      await queue();
    }),
  );
  expect(idsOf(await queued(owner))).toEqual(eventIds([...rows, ...more]));
});

test('while a receiver takes nothing no more than 100 messages are queued ahead; the rest comes after', async () => {
  const owner = await createOwner();
  await pg.query(
    `insert into webhook_deliveries (webhook_id, event_type, data, next_attempt_at)
     select $1, 'visits.recorded', '{"visits": []}', now() + interval '1 hour' from generate_series(1, 100)`,
    [owner.webhookId],
  );
  const rows = visitsOf(owner, 10);
  await addEvents(rows);
  await gather(owner);
  expect((await queued(owner)).flat()).toEqual([]);
  await pg.query(`update webhook_deliveries set status = 'Delivered' where webhook_id = $1`, [
    owner.webhookId,
  ]);
  await gather(owner);
  expect(idsOf(await queued(owner))).toEqual(eventIds(rows));
});

test('visits that were read are queued only if the webhook was neither advanced nor disabled since', async () => {
  const owner = await createOwner();
  await pg.query(`update webhooks set visits_due_at = now() + interval '1 hour' where id <> $1`, [
    owner.webhookId,
  ]);
  const due = await claimDueVisits(pg, 60_000);
  expect([due?.webhookId, await claimDueVisits(pg, 60_000)]).toEqual([owner.webhookId, null]);
  const next = { timeMs: 5_000, eventId: randomUUID() };
  expect(await advanceVisits(pg, due!, next, true)).toBe(true);
  expect(await advanceVisits(pg, due!, next, true)).toBe(false);
  await pg.query(`update webhooks set is_enabled = false where id = $1`, [owner.webhookId]);
  expect(await advanceVisits(pg, { ...due!, from: next }, { timeMs: 6_000, eventId: null }, true)).toBe(
    false,
  );
});
