import type { VISIT_SOURCES } from '@smartlink/smartlink/model';

/** How the visitor came: by the short address, or by a QR code (`/q/<slug>`). */
export type VisitSource = (typeof VISIT_SOURCES)[number];

export const VISIT_OUTCOMES = ['target', 'page', 'fallback', 'excluded'] as const;
/** Outcome of the visit. `excluded` visits are tallied by reason and counted nowhere else. */
export type VisitOutcome = (typeof VISIT_OUTCOMES)[number];

export const EXCLUSION_REASONS = [
  'bot',
  'head',
  'prefetch',
  'form',
  'paused',
  'deleted',
  'scheduled',
  'expired',
  'exhausted',
] as const;
/** Why a visit does not count. */
export type ExclusionReason = (typeof EXCLUSION_REASONS)[number];

/**
 * Values of `exclusion`: '' of visits that count, a reason, or `press` of a pressed button. A press is no visit; its outcome is
 * `excluded`, so that no build counts it as one.
 */
export const EXCLUSIONS = ['', ...EXCLUSION_REASONS, 'press'] as const;

/** One visit to a known slug, or one press of a button of its page, as the redirect service records it. Its id is given when it is recorded. */
export type VisitEvent = {
  /** Milliseconds since 1970, UTC. */
  readonly timeMs: number;
  /** UUIDs in their text form. */
  readonly ownerId: string;
  readonly smartlinkId: string;
  /** The slug used, as its owner typed it; an alias when the visitor used one. */
  readonly slug: string;
  /** Host of the custom domain; '' for the own host of the instance. */
  readonly domain: string;
  readonly source: VisitSource;
  readonly outcome: VisitOutcome;
  /** '' unless the outcome is `excluded`. */
  readonly exclusion: (typeof EXCLUSIONS)[number];
  /** ISO 3166-1 alpha-2, `XX` when unknown. */
  readonly country: string;
  /** mobile, tablet, desktop, tv, wearable, console, other. */
  readonly device: string;
  readonly os: string;
  readonly browser: string;
  /** The first language of Accept-Language, or ''. */
  readonly language: string;
  /** The host of Referer, or ''. */
  readonly referrerHost: string;
  readonly utmSource: string;
  readonly utmMedium: string;
  readonly utmCampaign: string;
  readonly utmTerm: string;
  readonly utmContent: string;
  /** Id of the routing rule that decided, or ''. */
  readonly rule: string;
  /** Id of the variant that was drawn, or ''. */
  readonly variant: string;
  /** Pressed button of a hosted page: `button:3`, `contact:1`, `store:appStoreLink`; '' for visits. */
  readonly button: string;
  /** 64 bits; 0 when the visitor asked not to be recognised, or nothing is known. */
  readonly visitorId: bigint;
};

export type EventColumn = {
  readonly name: string;
  /** As `describe table` prints it. */
  readonly type: string;
  /** Meaning of a value, with its unit: the column's comment in the table. */
  readonly meaning: string;
};

/**
 * The columns of ClickHouse's table `events`, in the order in which a row is written. The spool, the insert, the
 * migration and the queries all follow this list; an integration test holds it against the real table.
 */
export const EVENT_COLUMNS = [
  { name: 'ts', type: "DateTime64(3, 'UTC')", meaning: 'when the visit was answered, milliseconds, UTC' },
  { name: 'event_id', type: 'UUID', meaning: 'UUIDv7 made once per visit: rows that share it are one visit' },
  { name: 'owner_id', type: 'UUID', meaning: 'user who owns the smartlink' },
  { name: 'smartlink_id', type: 'UUID', meaning: 'smartlink that was visited' },
  { name: 'slug', type: 'String', meaning: 'slug used, an alias when the visitor used one' },
  {
    name: 'domain',
    type: 'LowCardinality(String)',
    meaning: 'host of the custom domain, empty for the own host of the instance',
  },
  { name: 'source', type: "Enum8('click' = 1, 'scan' = 2)", meaning: 'short address or QR code' },
  {
    name: 'outcome',
    type: "Enum8('target' = 1, 'page' = 2, 'fallback' = 3, 'excluded' = 4)",
    meaning: 'what the visit ended in; excluded visits are counted nowhere else',
  },
  {
    name: 'exclusion',
    type: 'LowCardinality(String)',
    meaning: 'why the visit does not count, empty unless the outcome is excluded',
  },
  { name: 'country', type: 'LowCardinality(String)', meaning: 'ISO 3166-1 alpha-2, XX when unknown' },
  {
    name: 'device',
    type: 'LowCardinality(String)',
    meaning: 'mobile, tablet, desktop, tv, wearable, console or other',
  },
  { name: 'os', type: 'LowCardinality(String)', meaning: 'operating system by User-Agent' },
  { name: 'browser', type: 'LowCardinality(String)', meaning: 'browser by User-Agent' },
  {
    name: 'language',
    type: 'LowCardinality(String)',
    meaning: 'first language of Accept-Language, empty when there is none',
  },
  {
    name: 'referrer_host',
    type: 'LowCardinality(String)',
    meaning: 'host of Referer, empty when there is none',
  },
  {
    name: 'utm_source',
    type: 'LowCardinality(String)',
    meaning: 'utm_source of the visit, empty when absent',
  },
  {
    name: 'utm_medium',
    type: 'LowCardinality(String)',
    meaning: 'utm_medium of the visit, empty when absent',
  },
  {
    name: 'utm_campaign',
    type: 'LowCardinality(String)',
    meaning: 'utm_campaign of the visit, empty when absent',
  },
  { name: 'utm_term', type: 'String', meaning: 'utm_term of the visit, empty when absent' },
  { name: 'utm_content', type: 'String', meaning: 'utm_content of the visit, empty when absent' },
  {
    name: 'rule',
    type: 'LowCardinality(String)',
    meaning: 'id of the routing rule that decided, empty when none did',
  },
  {
    name: 'variant',
    type: 'LowCardinality(String)',
    meaning: 'id of the variant that was drawn, empty when none was',
  },
  {
    name: 'button',
    type: 'LowCardinality(String)',
    meaning: 'pressed button of a hosted page, empty for visits',
  },
  {
    name: 'visitor_id',
    type: 'UInt64',
    meaning: 'keyed hash of the visitor, new every day; 0 when the visitor is not to be recognised',
  },
] as const satisfies readonly EventColumn[];

/** Numbers of the Enum8 values, as the table has them. */
export const SOURCE_CODES = { click: 1, scan: 2 } as const;
export const OUTCOME_CODES = { target: 1, page: 2, fallback: 3, excluded: 4 } as const;

/**
 * Longest value of each text column in bytes of UTF-8, in the order of the row; longer ones are cut at a character. Slugs have at most 64
 * characters, host names 253 (RFC 1035); a browser's name never comes near its bound. utm values are the visitor's
 * own text.
 */
export const TEXT_BYTES_MAX = {
  slug: 256,
  domain: 253,
  exclusion: 16,
  country: 8,
  device: 16,
  os: 64,
  browser: 64,
  language: 35,
  referrerHost: 253,
  utmSource: 255,
  utmMedium: 255,
  utmCampaign: 255,
  utmTerm: 255,
  utmContent: 255,
  rule: 32,
  variant: 32,
  button: 64,
} as const;

/** Time limit of the server for one insert of events. The shipper's connection gives up at 60 s, after the server. */
export const INSERT_TIMEOUT_SECONDS = 55;

/**
 * From this age an insert is taken to be over. Rows carry the time at which their insert began, so the rollup leaves days
 * open, and webhooks read visits, only up to here.
 */
export const INSERT_ASSUMED_DEAD_SECONDS = 90;

/** Settings for every statement that writes to the tables of visits. */
export const WRITE_SETTINGS = {
  // Acknowledged when the rows are in the table, not when they are in a queue.
  async_insert: 0,
  // Two equal batches are two batches; the rows' ids settle repeats.
  deduplicate_insert: 'disable',
  // Through a Distributed table too: acknowledged when its shards have the rows, not when one server has queued them.
  distributed_foreground_insert: 1,
} as const;

/** Settings for all inserts of events. */
export const EVENT_INSERT_SETTINGS = {
  ...WRITE_SETTINGS,
  wait_end_of_query: 1,
  // A wrong clock must not make a batch that can never be inserted.
  max_partitions_per_insert_block: '0',
} as const;
