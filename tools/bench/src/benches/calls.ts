import { setTimeout as sleep } from 'node:timers/promises';
import { rollUp } from '@smartlink/visits/rollup';
import { inTurns, turnsTable } from '../figures.js';
import { type Load, LOAD_COLUMNS, loadServer } from '../load.js';
import { type Report, withProgress } from '../program.js';
import { type Server, startManagement, withServers } from '../servers.js';
import type { StackRun } from '../stack.js';
import { addLinkSet, fillEvents, type LinkSet } from './event-data.js';

export type CallSizes = { readonly warmUpSeconds: number; readonly accountLinks: number };

export type ApiCall = {
  readonly connections: number;
  /** Requests of a phase; rounds differ where a repeated request would change nothing. */
  readonly requestsOf: (round: number) => readonly string[];
};

/** A whole request. */
export function apiRequest(
  apiKey: string,
  path: string,
  write?: { readonly method: 'POST' | 'PATCH'; readonly body: object },
): string {
  const body = write === undefined ? '' : JSON.stringify(write.body);
  const lines = [
    `${write?.method ?? 'GET'} /api/v1${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    `Authorization: Bearer ${apiKey}`,
    ...(write === undefined ? [] : ['Content-Type: application/json', `Content-Length: ${body.length}`]),
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

// Background work of a phase, such as publishing, ends in this time.
const PAUSE_MS = 100;

/** Measures calls in turns, after a warm-up of each. */
export async function loadCalls<Name extends string>(
  run: StackRun<CallSizes>,
  service: Server,
  calls: Readonly<Record<Name, ApiCall>>,
): Promise<Readonly<Record<Name, readonly Load[]>>> {
  const { rounds, seconds, warmUpSeconds } = run.sizes;
  const names = Object.keys(calls) as Name[];
  const load = async (name: Name, round: number, phaseSeconds = seconds) => {
    const { connections, requestsOf } = calls[name];
    const phase = { connections, seconds: phaseSeconds };
    const figures = await loadServer(run, service, { lines: requestsOf(round) }, phase);
    await sleep(PAUSE_MS, undefined, { signal: run.signal });
    return figures;
  };
  return withProgress('calls', (rounds + 1) * names.length, async (advance) => {
    for (const name of names) {
      await load(name, -1, warmUpSeconds);
      advance();
    }
    return inTurns(names, { rounds, signal: run.signal, onStep: advance }, (name, round) =>
      load(name, round),
    );
  });
}

// The size of the service's Postgres pool.
const CONNECTIONS = 10;
const SMALL_ACCOUNT_LINKS = 100;
const VISITS_PER_LINK = 10;

const TITLES = {
  validate: 'GET /validate: the key alone',
  fetch: 'GET by id',
  list: 'GET list, limit=100',
  create: 'POST Url',
  patch: 'PATCH of the name',
  listBig: 'GET list, limit=100, of many links',
  summaryBig: 'GET summary of many links',
  searchBig: 'GET list, q with a missing word, of many links',
} as const;

/** Calls of the API as ratios to the key check; some of them for an account with many links. */
export async function measureCalls(run: StackRun<CallSizes>): Promise<Report> {
  const { accountLinks } = run.sizes;
  const small = await addLinkSet(run, { from: 0, count: SMALL_ACCOUNT_LINKS, accounts: 1 });
  const big = await addLinkSet(run, { from: SMALL_ACCOUNT_LINKS, count: accountLinks, accounts: 1 });
  for (const set of [small, big])
    await fillEvents(run, set, { rows: set.links.length * VISITS_PER_LINK, nowMs: Date.now() });
  const mayGoOn = () => Promise.resolve(!run.signal.aborted);
  await rollUp(run.stack.clickhouse, { keptMonths: 0, mayGoOn, report: () => undefined });
  const loads = await withServers({ management: () => startManagement(run, {}) }, ({ management }) =>
    loadCalls(run, management, makeCalls(small, big)),
  );
  const title = `Calls of the API, as ratios to the key check; many links: ${accountLinks.toLocaleString('en')}`;
  return { tables: [turnsTable(title, loads, LOAD_COLUMNS, TITLES)], figures: loads };
}

const NEW_LINK = {
  configuration: { smartlinkName: 'Bench', smartlinkType: 'Url' },
  shortener: { url: 'https://example.org/bench/create?source=bench' },
};

function makeCalls(small: LinkSet, big: LinkSet): Readonly<Record<keyof typeof TITLES, ApiCall>> {
  const keyOf = ({ accounts }: LinkSet) => accounts[0]?.apiKey ?? '';
  const read = (set: LinkSet, ...paths: string[]): ApiCall => {
    const requests = paths.map((path) => apiRequest(keyOf(set), path));
    return { connections: CONNECTIONS, requestsOf: () => requests };
  };
  const create = apiRequest(keyOf(small), '/smartlink', { method: 'POST', body: NEW_LINK });
  // Each link gets another name each time, and concurrent requests are for different links: every PATCH writes.
  const rename = (smartlinkName: string) =>
    small.links.map(({ id }) => {
      const body = { id, configuration: { smartlinkName } };
      return apiRequest(keyOf(small), '/smartlink', { method: 'PATCH', body });
    });
  return {
    validate: read(small, '/validate'),
    fetch: read(small, ...small.links.map(({ id }) => `/smartlink?id=${id}`)),
    list: read(small, '/smartlink?limit=100'),
    create: { connections: CONNECTIONS, requestsOf: () => [create] },
    patch: {
      connections: CONNECTIONS,
      requestsOf: (round) => [...rename(`Round ${round}, odd`), ...rename(`Round ${round}, even`)],
    },
    listBig: read(big, '/smartlink?limit=100'),
    summaryBig: read(big, '/analytics/summary'),
    searchBig: read(big, '/smartlink?limit=100&q=missing'),
  };
}
