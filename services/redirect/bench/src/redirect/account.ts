import { setTimeout as sleep } from 'node:timers/promises';
import type { RedirectProcess } from '../redirect-process.js';
import type { Account } from './findings.js';

/** What clients have asked of a service. */
export type Asked = { requests: number; phases: number };

const LIMIT_MS = 20_000;
const POLL_MS = 200;

/**
 * Returns what a service counted for what clients asked of it, once its events are written. Throws when a visit has no
 * event, when an event was dropped, or when it has not counted what the clients saw: then its speed is worth nothing.
 */
export async function settleAccount(
  name: string,
  service: RedirectProcess,
  asked: Asked,
  connections: number,
): Promise<Account> {
  const underWayMax = asked.phases * connections;
  const deadline = Date.now() + LIMIT_MS;
  for (;;) {
    const account = { service: name, requests: asked.requests, underWayMax, ...(await readCounts(service)) };
    const fault = findFault(account);
    if (fault === null) return account;
    // Workers report once a second, and the last events are on their way to the disk.
    if (Date.now() > deadline) throw new Error(`${name}: ${fault}: ${JSON.stringify(account)}`);
    await sleep(POLL_MS);
  }
}

async function readCounts(service: RedirectProcess) {
  const metrics = await service.metrics();
  const count = (line: string) => metrics.get(line) ?? 0;
  const dropped = [...metrics].filter(([line]) => line.startsWith('events_total{fate="dropped_'));
  return {
    redirects: count('visits_total{outcome="redirect"}'),
    acceptedEvents: count('events_total{fate="accepted"}'),
    writtenEvents: count('events_total{fate="written"}'),
    droppedEvents: dropped.reduce((sum, [, value]) => sum + value, 0),
  };
}

function findFault(account: Account): string | null {
  const { requests, underWayMax, redirects, acceptedEvents, writtenEvents, droppedEvents } = account;
  if (droppedEvents !== 0) return 'events were dropped';
  if (redirects !== acceptedEvents) return 'not every redirect has an event';
  if (writtenEvents !== acceptedEvents) return 'not every event is written';
  if (redirects < requests) return 'fewer redirects than answers';
  if (redirects > requests + underWayMax) return 'more redirects than requests';
  return null;
}
