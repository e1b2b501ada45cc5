export type EventColumn = {
  readonly name: string;
  /** As `describe table` prints it. */
  readonly type: string;
  /** What a value says, with its unit: the column's comment in the table. */
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
    name: 'visitor_id',
    type: 'UInt64',
    meaning: 'keyed hash of the visitor, new every day; 0 when the visitor is not to be recognised',
  },
] as const satisfies readonly EventColumn[];

/** Numbers of the Enum8 values, as the table has them. */
export const SOURCE_CODES = { click: 1, scan: 2 } as const;
export const OUTCOME_CODES = { target: 1, page: 2, fallback: 3, excluded: 4 } as const;

/**
 * Longest value of each text column in bytes of UTF-8; what is longer is cut at a character. Slugs have at most 64
 * characters, host names 253 (RFC 1035); a browser's name never comes near its bound. utm values are the visitor's
 * own text.
 */
export const TEXT_BYTES_MAX = {
  slug: 256,
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
} as const;
