import { rollUp } from '@smartlink/visits/rollup';
import { turnsTable } from '../figures.js';
import { LOAD_COLUMNS, type LoadedServer, loadInTurns } from '../load.js';
import type { Report } from '../program.js';
import { type Server, startManagement, withServers } from '../servers.js';
import type { StackRun } from '../stack.js';
import { addLinkSet, fillEvents, type LinkSet } from './event-data.js';

export type CallSizes = { readonly warmUpSeconds: number; readonly accountLinks: number };

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

// The size of the service's Postgres pool.
const CONNECTIONS = 10;
const SMALL_ACCOUNT_LINKS = 100;
const VISITS_PER_LINK = 10;

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
    loadInTurns(run, 'calls', makeCalls(management, small, big)),
  );
  const title = `Calls of the API, as ratios to the key check; many links: ${accountLinks.toLocaleString('en')}`;
  return { tables: [turnsTable(title, loads, LOAD_COLUMNS)], figures: loads };
}

const NEW_LINK = {
  configuration: { smartlinkName: 'Bench', smartlinkType: 'Url' },
  shortener: { url: 'https://example.org/bench/create?source=bench' },
};

function makeCalls(server: Server, small: LinkSet, big: LinkSet) {
  const keyOf = ({ accounts }: LinkSet) => accounts[0]?.apiKey ?? '';
  const call = (requestsOf: (round: number) => readonly string[]): LoadedServer => ({
    ...{ server, connections: CONNECTIONS },
    requestsOf: (round) => ({ lines: requestsOf(round) }),
  });
  const read = (set: LinkSet, ...paths: string[]) =>
    call(() => paths.map((path) => apiRequest(keyOf(set), path)));
  const create = apiRequest(keyOf(small), '/smartlink', { method: 'POST', body: NEW_LINK });
  // Every PATCH writes: names differ from one request to the next, and concurrent requests have different links.
  const rename = (smartlinkName: string) =>
    small.links.map(({ id }) => {
      const body = { id, configuration: { smartlinkName } };
      return apiRequest(keyOf(small), '/smartlink', { method: 'PATCH', body });
    });
  return {
    'GET /validate: the key alone': read(small, '/validate'),
    'GET by id': read(small, ...small.links.map(({ id }) => `/smartlink?id=${id}`)),
    'GET list, limit=100': read(small, '/smartlink?limit=100'),
    'POST Url': call(() => [create]),
    'PATCH of the name': call((round) => [
      ...rename(`Round ${round}, odd`),
      ...rename(`Round ${round}, even`),
    ]),
    'many links: list, limit=100': read(big, '/smartlink?limit=100'),
    'many links: summary': read(big, '/analytics/summary'),
    'many links: list, q with a missing word': read(big, '/smartlink?limit=100&q=missing'),
  };
}
