import { randomUUID } from 'node:crypto';
import type { EVENT_COLUMNS, VisitEvent, VisitOutcome, VisitSource } from '@smartlink/visits/event';

/** Columns of the table `events` as JSONEachRow takes them; ClickHouse fills those left out with '' or 0. */
export type EventRow = Readonly<
  Partial<Record<(typeof EVENT_COLUMNS)[number]['name'], string>> & {
    source?: VisitSource;
    outcome?: VisitOutcome;
    exclusion?: VisitEvent['exclusion'];
  }
>;

/** A counted click by an unknown agent at noon UTC of 10 March 2026, with `changes` and its own `event_id`. */
export function makeEventRow(ownerId: string, smartlinkId: string, changes: EventRow = {}): EventRow {
  return {
    ts: '2026-03-10 12:00:00.000',
    event_id: randomUUID(),
    owner_id: ownerId,
    smartlink_id: smartlinkId,
    source: 'click',
    outcome: 'target',
    country: 'XX',
    device: 'other',
    os: 'other',
    browser: 'other',
    visitor_id: '0',
    ...changes,
  };
}
