import { FIGURES } from './capacity-figures.js';
import type { FigureName } from './capacity-figures.js';

/** What is asked of an installation. Nothing of it is measured: it is what the operator knows or decides. */
export type Question = {
  /** Mean over a day. */
  readonly visitsPerSecond: number;
  /** The busiest minute, as a multiple of the mean. */
  readonly peakFactor: number;
  readonly links: number;
  /** Whole months for which single visits are kept (EVENTS_KEPT_MONTHS). */
  readonly retentionMonths: number;
  /** For how long ClickHouse may be away without an event being dropped. */
  readonly outageHours: number;
  /** Part of the visits that find their link in the memory of the process, 0 to 1. */
  readonly fromMemory: number;
  readonly coresPerHost: number;
  readonly clickhouseReplicas: number;
};

export type PlanLine = {
  readonly part: 'redirect' | 'redis' | 'postgres' | 'clickhouse' | 'spool' | 'network';
  readonly what: string;
  readonly value: number;
  readonly unit: 'cores' | 'hosts' | 'bytes' | 'bytes/s' | 'events/s' | 'lookups/s' | 'hours';
  /** How it came about, with the operator's own numbers. */
  readonly because: string;
  /** Figures it stands on. */
  readonly figures: readonly FigureName[];
};

/** Part of a core, a memory or a disk that a plan fills at the peak: a choice, and no measurement. */
export const FILLED = 0.5;

// The months under way come on top of the whole ones (retention.ts of visit-analytics).
const DAYS_A_MONTH = 365.25 / 12;
const SECONDS_A_DAY = 86_400;
const MEBIBYTE = 1024 * 1024;
// Their defaults (services/redirect/src/config.ts).
const L1_BYTES = 64 * MEBIBYTE;
const PAGES_BYTES = 64 * MEBIBYTE;

/** Returns what it takes, part by part. Figures are per region where there are several, save Postgres and ClickHouse. */
export function planCapacity(question: Question): readonly PlanLine[] {
  const peak = question.visitsPerSecond * question.peakFactor;
  return [
    ...planRedirect(question, peak),
    ...planStores(question, peak),
    ...planClickhouse(question, peak),
    ...planSpool(question, peak),
    ...planNetwork(peak),
  ];
}

function planRedirect(question: Question, peak: number): readonly PlanLine[] {
  const { fromMemory, coresPerHost } = question;
  const [warm, cold, loss] = [FIGURES.cpuFromMemory, FIGURES.cpuFromRedis, FIGURES.coreLoss];
  const microseconds = (warm.value * fromMemory + cold.value * (1 - fromMemory)) * loss.value;
  const cores = Math.ceil((peak * microseconds) / 1e6 / FILLED);
  const hosts = Math.max(2, Math.ceil(cores / coresPerHost) + 1);
  const processBytes =
    FIGURES.connectionsMib.value * MEBIBYTE + FIGURES.cacheRatio.value * L1_BYTES + PAGES_BYTES;
  return [
    {
      part: 'redirect',
      what: 'cores at the peak',
      value: cores,
      unit: 'cores',
      because: `${short(peak)} visits/s × ${microseconds.toFixed(1)} µs (${percent(fromMemory)} from memory, the rest from Redis), ${percent(FILLED)} busy`,
      figures: ['cpuFromMemory', 'cpuFromRedis', 'coreLoss'],
    },
    {
      part: 'redirect',
      what: 'hosts, one of them to spare',
      value: hosts,
      unit: 'hosts',
      because: `${coresPerHost} cores each, two at least`,
      figures: [],
    },
    {
      part: 'redirect',
      what: 'memory of a host',
      value: Math.ceil(processBytes * coresPerHost),
      unit: 'bytes',
      because: `${coresPerHost} processes, each with 10,000 connections and its caches full at their default limits`,
      figures: ['connectionsMib', 'cacheRatio'],
    },
  ];
}

function planStores(question: Question, peak: number): readonly PlanLine[] {
  const { links, fromMemory } = question;
  return [
    {
      part: 'redis',
      what: 'memory, if every link is visited within a day',
      value: Math.ceil((links * FIGURES.linkRedisBytes.value) / FILLED),
      unit: 'bytes',
      because: `${short(links)} links, maxmemory ${percent(FILLED)} full; a link that nobody visits leaves after 24 h`,
      figures: ['linkRedisBytes'],
    },
    {
      part: 'redis',
      what: 'look-ups at the peak',
      value: Math.ceil(peak * (1 - fromMemory)),
      unit: 'lookups/s',
      because: `${percent(1 - fromMemory)} of ${short(peak)} visits/s`,
      figures: [],
    },
    {
      part: 'postgres',
      what: 'disk, of links as they are created',
      value: Math.ceil((links * FIGURES.linkPostgresBytes.value) / FILLED),
      unit: 'bytes',
      because: `${short(links)} links, the disk ${percent(FILLED)} full; each later change adds an entry to the audit log`,
      figures: ['linkPostgresBytes'],
    },
  ];
}

function planClickhouse(question: Question, peak: number): readonly PlanLine[] {
  const { visitsPerSecond, retentionMonths, clickhouseReplicas } = question;
  const eventsADay = visitsPerSecond * SECONDS_A_DAY;
  const kept = eventsADay * DAYS_A_MONTH * (retentionMonths + 1);
  const cellBytes = (FIGURES.cellsMib.value * MEBIBYTE) / 1e6;
  return [
    {
      part: 'clickhouse',
      what: 'ingest at the peak',
      value: Math.ceil(peak),
      unit: 'events/s',
      because: 'one event a visit',
      figures: [],
    },
    {
      part: 'clickhouse',
      what: 'cores for the ingest, each replica',
      value: Math.ceil(peak / FIGURES.eventsPerCore.value / FILLED),
      unit: 'cores',
      because: `${percent(FILLED)} busy; what answers questions comes on top`,
      figures: ['eventsPerCore'],
    },
    {
      part: 'clickhouse',
      what: 'disk for single visits, each replica',
      value: Math.ceil((kept * FIGURES.eventBytes.value) / FILLED),
      unit: 'bytes',
      because: `${short(kept)} events: ${retentionMonths} whole months and the one under way; ${percent(FILLED)} full, since merges need room`,
      figures: ['eventBytes'],
    },
    {
      part: 'clickhouse',
      what: 'disk for figures by day, each year and replica',
      value: Math.ceil((eventsADay * 365 * cellBytes) / FILLED),
      unit: 'bytes',
      because: 'kept for ever; an upper bound, less where visits share links',
      figures: ['cellsMib'],
    },
    {
      part: 'clickhouse',
      what: 'disk of all replicas for single visits',
      value: Math.ceil((kept * FIGURES.eventBytes.value * clickhouseReplicas) / FILLED),
      unit: 'bytes',
      because: `${clickhouseReplicas} replicas`,
      figures: ['eventBytes'],
    },
  ];
}

function planSpool(question: Question, peak: number): readonly PlanLine[] {
  const { visitsPerSecond, outageHours } = question;
  const waiting = peak * outageHours * 3_600;
  // One core ships: what comes in at the mean goes out first.
  const catchUp = FIGURES.eventsPerCore.value - visitsPerSecond;
  return [
    {
      part: 'spool',
      what: 'SPOOL_BYTES_MAX of all hosts together',
      value: Math.ceil(waiting * FIGURES.spoolBytes.value),
      unit: 'bytes',
      because: `${outageHours} h without ClickHouse at the peak; divide by the hosts that serve`,
      figures: ['spoolBytes'],
    },
    ...(catchUp > 0
      ? [
          {
            part: 'spool' as const,
            what: 'to catch up after it, on one core of ClickHouse',
            value: waiting / catchUp / 3_600,
            unit: 'hours' as const,
            because: 'with the mean of visits going on',
            figures: ['eventsPerCore'] as const,
          },
        ]
      : []),
  ];
}

function planNetwork(peak: number): readonly PlanLine[] {
  return [
    {
      part: 'network',
      what: 'in, at the peak',
      value: Math.ceil(peak * FIGURES.requestBytes.value),
      unit: 'bytes/s',
      because: 'requests of browsers; TCP, TLS and pages come on top',
      figures: ['requestBytes'],
    },
    {
      part: 'network',
      what: 'out, at the peak',
      value: Math.ceil(peak * FIGURES.replyBytes.value),
      unit: 'bytes/s',
      because: 'redirects; TCP, TLS and pages come on top',
      figures: ['replyBytes'],
    },
    {
      part: 'network',
      what: 'to ClickHouse, at the peak',
      value: Math.ceil(peak * FIGURES.spoolBytes.value),
      unit: 'bytes/s',
      because: 'events as the spool has them',
      figures: ['spoolBytes'],
    },
  ];
}

const percent = (part: number): string => `${Math.round(part * 1000) / 10} %`;

/** Returns a count with at most three digits: 11.6 thousand, 1.2 billion. */
function short(count: number): string {
  const [size, name] = (
    [
      [1e12, ' trillion'],
      [1e9, ' billion'],
      [1e6, ' million'],
      [1e3, ' thousand'],
    ] as const
  ).find(([least]) => count >= least) ?? [1, ''];
  return `${Number((count / size).toPrecision(3))}${name}`;
}
