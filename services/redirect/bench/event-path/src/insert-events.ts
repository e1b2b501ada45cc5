// The plain way, to compare with: the same events as objects in memory, inserted by @clickhouse/client as JSONEachRow.
// Nothing outlives a kill here, and nothing is sent twice.
import { randomUUID } from 'node:crypto';
import { createClient } from '@clickhouse/client';
import type { VisitEvent } from '@smartlink/visit-events/visit-event';
import { readSettings, tellReached, tellResult } from './parent.js';
import { KNOWN_VISITORS, createDescriber, makeAnsweredVisits } from './visits.js';

export type InsertSettings = {
  readonly clickhouseUrl: string;
  readonly events: number;
  readonly rowsPerInsert: number;
};

export type InsertResult = { readonly elapsedMs: number; readonly cpuMs: number };

tellResult(await insertEvents(readSettings() as InsertSettings));

async function insertEvents({ clickhouseUrl, events, rowsPerInsert }: InsertSettings): Promise<InsertResult> {
  const client = createClient({ url: clickhouseUrl, request_timeout: 60_000 });
  const visits = makeAnsweredVisits(KNOWN_VISITORS);
  const describe = createDescriber();
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  let rows: object[] = [];
  for (let number = 0; number < events; number += 1) {
    const visit = visits[number % visits.length];
    if (visit !== undefined) rows.push(toRow(describe(visit, Date.now())));
    if (rows.length < rowsPerInsert && number < events - 1) continue;
    await client.insert({
      table: 'events',
      values: rows,
      format: 'JSONEachRow',
      clickhouse_settings: { async_insert: 0, wait_end_of_query: 1 },
    });
    rows = [];
    tellReached(number + 1);
  }
  const elapsedMs = performance.now() - startedAt;
  const { user, system } = process.cpuUsage(cpuBefore);
  await client.close();
  return { elapsedMs, cpuMs: (user + system) / 1_000 };
}

function toRow(event: VisitEvent): object {
  return {
    ts: new Date(event.timeMs).toISOString(),
    event_id: randomUUID(),
    owner_id: event.ownerId,
    smartlink_id: event.smartlinkId,
    slug: event.slug,
    source: event.source,
    outcome: event.outcome,
    exclusion: event.exclusion,
    country: event.country,
    device: event.device,
    os: event.os,
    browser: event.browser,
    language: event.language,
    referrer_host: event.referrerHost,
    utm_source: event.utmSource,
    utm_medium: event.utmMedium,
    utm_campaign: event.utmCampaign,
    utm_term: event.utmTerm,
    utm_content: event.utmContent,
    visitor_id: event.visitorId.toString(),
  };
}
