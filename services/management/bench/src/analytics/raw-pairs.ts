import type { ClickHouseClient } from '@clickhouse/client';
import { spread } from '@smartlink/bench/figures';
import type { Spread } from '@smartlink/bench/figures';
import type { ServerProcess } from '@smartlink/bench/server-process';
import { timed } from '@smartlink/bench/timed';
import { goalCases, pickLinks } from './api-cases.js';
import { askWell } from './measure-api.js';
import { askRawSeries, askRawTotalsOf, askRawTotalsOfOwner } from './raw-queries.js';
import type { Tenants } from './tenants.js';

/** One question, to the API and to the raw rows, in turns. */
export type RawPair = {
  readonly title: string;
  readonly apiMs: Spread;
  readonly rawMs: Spread;
  /** How many times as long the raw rows take, pair by pair. */
  readonly ratio: Spread;
};

const PAGE_LINKS = 100;

/** Asks each question of the goals once before the pairs are timed. `onPair` follows each pair. */
export async function compareWithRaw(
  tenants: Tenants,
  options: {
    readonly service: ServerProcess;
    readonly clickhouse: ClickHouseClient;
    readonly pairs: number;
    readonly signal: AbortSignal;
    readonly onPair: () => void;
  },
): Promise<readonly RawPair[]> {
  const { service, clickhouse, pairs, signal, onPair } = options;
  const found: RawPair[] = [];
  for (const { title, request, askRaw } of questions(tenants, clickhouse)) {
    const askApi = () => askWell(service, request);
    await askApi();
    const times: { api: number; raw: number }[] = [];
    for (let pair = 0; pair < pairs; pair += 1) {
      signal.throwIfAborted();
      times.push({ api: await timed(askApi), raw: await timed(askRaw) });
      onPair();
    }
    found.push({
      title,
      apiMs: spread(times.map(({ api }) => api)),
      rawMs: spread(times.map(({ raw }) => raw)),
      ratio: spread(times.map(({ api, raw }) => raw / api)),
    });
  }
  return found;
}

/** How many questions compareWithRaw asks. */
export const RAW_QUESTIONS = 5;

function questions(tenants: Tenants, clickhouse: ClickHouseClient) {
  const { hot, medium, small } = pickLinks(tenants);
  // An owner's newest links, which are those with the lowest numbers.
  const page = tenants.links
    .filter(({ ownerId }) => ownerId === hot.ownerId)
    .slice(0, PAGE_LINKS)
    .map(({ id }) => id);
  const cases = goalCases(tenants);
  return [
    { ...cases.hot, askRaw: () => askRawSeries(clickhouse, hot) },
    { ...cases.medium, askRaw: () => askRawSeries(clickhouse, medium) },
    { ...cases.small, askRaw: () => askRawSeries(clickhouse, small) },
    { ...cases.summary, askRaw: () => askRawTotalsOfOwner(clickhouse, hot.ownerId) },
    { ...cases.list, askRaw: () => askRawTotalsOf(clickhouse, hot.ownerId, page) },
  ];
}
