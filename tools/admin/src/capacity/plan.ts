/** A measured figure, and the page of docs/ that has it. */
export type Figure = {
  readonly value: number;
  readonly unit: string;
  readonly says: string;
  readonly page: string;
};

const from =
  (page: string) =>
  (value: number, unit: string, says: string): Figure => ({ value, unit, says, page });
const benchmark = from('docs/benchmarks.md');
const measured = from('docs/scale.md');

/** All figures of a plan; the highest where a page has several. */
export const FIGURES = {
  cpuFromMemory: benchmark(
    19,
    'µs a visit',
    'processor time of a mixed visit whose link is in memory, with its event written',
  ),
  cpuFromRedis: benchmark(35.9, 'µs a visit', 'processor time of a visit whose link is fetched from Redis'),
  coreLoss: benchmark(1.06, '× a visit', 'what two processes take of what one takes for a visit'),
  connectionsMib: benchmark(130.1, 'MiB a process', 'memory of a worker with 10,000 connections'),
  cacheRatio: benchmark(
    1.48,
    '× L1_BYTES_MAX',
    'memory that a full cache of links takes, for each byte of its limit',
  ),
  eventsPerCore: benchmark(
    140_695,
    'events/s',
    'events from the recorder through the spool into ClickHouse, all on one core',
  ),
  eventBytes: benchmark(43.1, 'bytes an event', 'table events on the disk, compressed and merged'),
  cellsMib: benchmark(
    13.1,
    'MiB for 1,000,000 events',
    'table visits_daily, of links that have few visits a day each',
  ),
  linkPostgresBytes: measured(
    1_023,
    'bytes a link',
    'smartlinks, slugs and the entry of the audit log in Postgres, with indexes',
  ),
  linkRedisBytes: measured(449, 'bytes a link', 'snapshot of a Url link in Redis, with its key'),
  spoolBytes: measured(140, 'bytes an event', 'event in a segment of the spool'),
  requestBytes: measured(489, 'bytes a visit', "a browser's request, without TCP and TLS"),
  replyBytes: measured(302, 'bytes a visit', 'the redirect that answers it, without TCP and TLS'),
} as const satisfies Readonly<Record<string, Figure>>;

/** What the operator knows or decides: the options of the command, which their help texts explain. */
export type Question = Readonly<
  Record<'visitsPerSecond' | 'peakFactor' | 'links' | 'retentionMonths' | 'outageHours', number> &
    Record<'fromMemory' | 'coresPerHost' | 'clickhouseReplicas', number>
>;

type Need = {
  readonly what: string;
  readonly value: number;
  readonly unit: 'cores' | 'hosts' | 'bytes' | 'bytes/s' | 'events/s' | 'lookups/s' | 'hours';
  /** The calculation, with the operator's numbers. */
  readonly because: string;
  readonly figures?: readonly (keyof typeof FIGURES)[];
};
type Part = 'redirect' | 'redis' | 'postgres' | 'clickhouse' | 'spool' | 'network';
export type PlanLine = { readonly part: Part } & Required<Need>;

/** Part of a core, a memory or a disk that a plan fills at the peak: a choice. */
export const FILLED = 0.5;

// The months under way come on top of the whole ones (dropExpiredEvents in libs/visits).
const DAYS_A_MONTH = 365.25 / 12;
const SECONDS_A_DAY = 86_400;
const MEBIBYTE = 1024 * 1024;
// Their defaults (services/redirect/src/config.ts).
const L1_BYTES = 64 * MEBIBYTE;
const PAGES_BYTES = 64 * MEBIBYTE;

/** The needs by part. They are per region where there are several, except for Postgres and ClickHouse. */
export function planCapacity(question: Question): readonly PlanLine[] {
  const { links, fromMemory } = question;
  const peak = question.visitsPerSecond * question.peakFactor;
  const needs: Readonly<Record<Part, readonly Need[]>> = {
    redirect: planRedirect(question, peak),
    redis: [
      {
        what: 'memory, if every link is visited within a day',
        value: Math.ceil((links * FIGURES.linkRedisBytes.value) / FILLED),
        unit: 'bytes',
        because: `${short(links)} links, maxmemory ${percent(FILLED)} full; an unvisited link leaves after 24 h`,
        figures: ['linkRedisBytes'],
      },
      {
        what: 'look-ups at the peak',
        value: Math.ceil(peak * (1 - fromMemory)),
        unit: 'lookups/s',
        because: `${percent(1 - fromMemory)} of ${short(peak)} visits/s`,
      },
    ],
    postgres: [
      {
        what: 'disk, of links as they are created',
        value: Math.ceil((links * FIGURES.linkPostgresBytes.value) / FILLED),
        unit: 'bytes',
        because: `${short(links)} links, the disk ${percent(FILLED)} full; each later change adds an entry to the audit log`,
        figures: ['linkPostgresBytes'],
      },
    ],
    clickhouse: planClickhouse(question, peak),
    spool: planSpool(question, peak),
    network: planNetwork(peak),
  };
  return (Object.keys(needs) as Part[]).flatMap((part) =>
    needs[part].map((need) => ({ part, figures: [], ...need })),
  );
}

function planRedirect(question: Question, peak: number): readonly Need[] {
  const { fromMemory, coresPerHost } = question;
  const [warm, cold, loss] = [FIGURES.cpuFromMemory, FIGURES.cpuFromRedis, FIGURES.coreLoss];
  const microseconds = (warm.value * fromMemory + cold.value * (1 - fromMemory)) * loss.value;
  const cores = Math.ceil((peak * microseconds) / 1e6 / FILLED);
  const hosts = Math.max(2, Math.ceil(cores / coresPerHost) + 1);
  const processBytes =
    FIGURES.connectionsMib.value * MEBIBYTE + FIGURES.cacheRatio.value * L1_BYTES + PAGES_BYTES;
  return [
    {
      what: 'cores at the peak',
      value: cores,
      unit: 'cores',
      because: `${short(peak)} visits/s × ${microseconds.toFixed(1)} µs (${percent(fromMemory)} from memory, the rest from Redis), ${percent(FILLED)} busy`,
      figures: ['cpuFromMemory', 'cpuFromRedis', 'coreLoss'],
    },
    {
      what: 'hosts, one of them to spare',
      value: hosts,
      unit: 'hosts',
      because: `${coresPerHost} cores each, two at least`,
    },
    {
      what: 'memory of a host',
      value: Math.ceil(processBytes * coresPerHost),
      unit: 'bytes',
      because: `${coresPerHost} processes, each with 10,000 connections and its caches full at their default limits`,
      figures: ['connectionsMib', 'cacheRatio'],
    },
  ];
}

function planClickhouse(question: Question, peak: number): readonly Need[] {
  const { visitsPerSecond, retentionMonths, clickhouseReplicas } = question;
  const eventsADay = visitsPerSecond * SECONDS_A_DAY;
  const kept = eventsADay * DAYS_A_MONTH * (retentionMonths + 1);
  const cellBytes = (FIGURES.cellsMib.value * MEBIBYTE) / 1e6;
  return [
    {
      what: 'ingest at the peak',
      value: Math.ceil(peak),
      unit: 'events/s',
      because: 'one event a visit',
    },
    {
      what: 'cores for the ingest, each replica',
      value: Math.ceil(peak / FIGURES.eventsPerCore.value / FILLED),
      unit: 'cores',
      because: `${percent(FILLED)} busy; what answers questions comes on top`,
      figures: ['eventsPerCore'],
    },
    {
      what: 'disk for single visits, each replica',
      value: Math.ceil((kept * FIGURES.eventBytes.value) / FILLED),
      unit: 'bytes',
      because: `${short(kept)} events: ${retentionMonths} whole months and the one under way; ${percent(FILLED)} full, since merges need room`,
      figures: ['eventBytes'],
    },
    {
      what: 'disk for figures by day, each year and replica',
      value: Math.ceil((eventsADay * 365 * cellBytes) / FILLED),
      unit: 'bytes',
      because: 'kept for ever; an upper bound, less where visits share links',
      figures: ['cellsMib'],
    },
    {
      what: 'disk of all replicas for single visits',
      value: Math.ceil((kept * FIGURES.eventBytes.value * clickhouseReplicas) / FILLED),
      unit: 'bytes',
      because: `${clickhouseReplicas} replicas`,
      figures: ['eventBytes'],
    },
  ];
}

function planSpool(question: Question, peak: number): readonly Need[] {
  const { visitsPerSecond, outageHours } = question;
  const waiting = peak * outageHours * 3_600;
  // One core ships: what comes in at the mean goes out first.
  const catchUp = FIGURES.eventsPerCore.value - visitsPerSecond;
  const lines: Need[] = [
    {
      what: 'SPOOL_BYTES_MAX of all hosts together',
      value: Math.ceil(waiting * FIGURES.spoolBytes.value),
      unit: 'bytes',
      because: `${outageHours} h without ClickHouse at the peak; divide by the hosts that serve`,
      figures: ['spoolBytes'],
    },
  ];
  if (catchUp > 0) {
    lines.push({
      what: 'to catch up after it, on one core of ClickHouse',
      value: waiting / catchUp / 3_600,
      unit: 'hours',
      because: 'with the mean of visits going on',
      figures: ['eventsPerCore'],
    });
  }
  return lines;
}

function planNetwork(peak: number): readonly Need[] {
  const flows = [
    ['in', 'requestBytes', 'requests of browsers; TCP, TLS and pages come on top'],
    ['out', 'replyBytes', 'redirects; TCP, TLS and pages come on top'],
    ['to ClickHouse', 'spoolBytes', 'events as the spool has them'],
  ] as const;
  return flows.map(([direction, figure, because]) => ({
    what: `${direction}, at the peak`,
    value: Math.ceil(peak * FIGURES[figure].value),
    unit: 'bytes/s',
    because,
    figures: [figure],
  }));
}

const percent = (part: number): string => `${Math.round(part * 1000) / 10} %`;

/** At most three digits, and the name of the power of a thousand. */
export function scale(count: number, names: readonly string[]): string {
  const power = Math.min(Math.max(0, Math.floor(Math.log10(count) / 3)), names.length - 1);
  return `${Number((count / 1_000 ** power).toPrecision(3))} ${names[power]}`.trimEnd();
}

const short = (count: number): string => scale(count, ['', 'thousand', 'million', 'billion', 'trillion']);
