/** A figure that was measured, and the place where it can be read: a row of a table on a page of docs/. */
export type Figure = {
  readonly value: number;
  readonly unit: string;
  readonly says: string;
  readonly page: string;
  /** What the row's first cell begins with, and which cell has the value, from 0. */
  readonly row: string;
  readonly cell: number;
  /** In which of several such rows, from 0. */
  readonly nth?: number;
};

const REDIRECT = 'docs/benchmarks/redirect.md';
const COLD = 'docs/benchmarks/cold.md';
const ANALYTICS = 'docs/benchmarks/analytics.md';
const CONNECTIONS = 'docs/benchmarks/connections.md';
const OWN = 'docs/capacity.md';

/**
 * Every figure that a plan stands on. Where a page has several, the dearest was taken. A test holds them against their
 * pages, so that a page which is measured anew and tells another story is noticed.
 */
export const FIGURES = {
  cpuFromMemory: {
    value: 19,
    unit: 'µs a visit',
    says: 'processor time of a mixed visit whose link is in memory, with its event written',
    page: REDIRECT,
    row: 'all of it: 10,000 links',
    cell: 3,
  },
  cpuFromRedis: {
    value: 35.9,
    unit: 'µs a visit',
    says: 'processor time of a visit whose link is fetched from Redis',
    page: COLD,
    row: 'link from Redis',
    cell: 3,
  },
  coreLoss: {
    value: 1.06,
    unit: '× a visit',
    says: 'what two processes take of what one takes for a visit',
    page: 'docs/benchmarks/cores.md',
    row: 'CPU µs a visit, primary and workers',
    cell: 3,
  },
  connectionsMib: {
    value: 130.1,
    unit: 'MiB a process',
    says: 'memory of a worker with 10,000 connections',
    page: CONNECTIONS,
    row: '10,000',
    cell: 1,
  },
  cacheRatio: {
    value: 1.48,
    unit: '× L1_BYTES_MAX',
    says: 'memory that a full cache of links takes, for each byte of its limit',
    page: 'docs/benchmarks/memory.md',
    row: 'Url link',
    cell: 6,
  },
  eventsPerCore: {
    value: 140_695,
    unit: 'events/s',
    says: 'events from the recorder through the spool into ClickHouse, all on one core',
    page: ANALYTICS,
    row: 'recorder, spool, shipper: RowBinary',
    cell: 1,
  },
  eventBytes: {
    value: 43.1,
    unit: 'bytes an event',
    says: 'table events on the disk, compressed and merged',
    page: ANALYTICS,
    row: 'events',
    cell: 4,
    // The first such row is the heading of another table.
    nth: 1,
  },
  cellsMib: {
    value: 13.1,
    unit: 'MiB for 1,000,000 events',
    says: 'table visits_daily, of links that have few visits a day each',
    page: ANALYTICS,
    row: 'visits_daily',
    cell: 3,
  },
  linkPostgresBytes: {
    value: 1_023,
    unit: 'bytes a link',
    says: 'smartlinks, slugs and the entry of the audit log in Postgres, with indexes',
    page: OWN,
    row: 'Postgres, all of a link',
    cell: 1,
  },
  linkRedisBytes: {
    value: 449,
    unit: 'bytes a link',
    says: 'snapshot of a Url link in Redis, with its key',
    page: OWN,
    row: 'Redis, a snapshot',
    cell: 1,
  },
  spoolBytes: {
    value: 140,
    unit: 'bytes an event',
    says: 'event in a segment of the spool',
    page: OWN,
    row: 'spool, an event',
    cell: 1,
  },
  requestBytes: {
    value: 489,
    unit: 'bytes a visit',
    says: "a browser's request, without TCP and TLS",
    page: OWN,
    row: 'network, a request',
    cell: 1,
  },
  replyBytes: {
    value: 302,
    unit: 'bytes a visit',
    says: 'the redirect that answers it, without TCP and TLS',
    page: OWN,
    row: 'network, a redirect',
    cell: 1,
  },
} as const satisfies Readonly<Record<string, Figure>>;

export type FigureName = keyof typeof FIGURES;
