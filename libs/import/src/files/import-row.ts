import type { Fault } from '@smartlink/smartlink/document';
import { isObject } from '@smartlink/smartlink/model';
import type { Totals } from '@smartlink/visits/analytics';

/** Formats of files; `json` is create bodies, also one a line, and the export. */
export const IMPORT_FORMATS = [
  'csv',
  'json',
  'bitly-csv',
  'bitly-json',
  'shlink-csv',
  'shlink-json',
  'kutt-csv',
  'kutt-json',
  'yourls-csv',
  'yourls-json',
] as const;

export type ImportFormat = (typeof IMPORT_FORMATS)[number];

/** Unchecked members. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** As in the body of a request. */
export const ROW_BYTES_MAX = 1024 * 1024;

export const TOO_LONG = `is longer than ${ROW_BYTES_MAX} bytes`;

export const NOTHING_FOLLOWS = 'the rest of the file cannot be read';

/** One smartlink of a file, in the form of the API. */
export type ReadLink = {
  /** The body of a create, not validated yet. */
  readonly body: JsonObject;
  readonly createdAt?: Date;
  readonly status?: 'Active' | 'Paused';
  readonly totals?: Totals;
  /** Visits used of `availability.maxVisits`. */
  readonly visitsUsed?: number;
  /** The member `export` of an exported item, not validated yet. */
  readonly more?: JsonObject;
  /** The name of its folder. */
  readonly folder?: string;
  /** The host of its short link elsewhere. */
  readonly domain?: string | null;
  /** Why it is refused, beside what validation finds. */
  readonly faults?: readonly Fault[];
  /** What is not kept of it, each without values of the row. */
  readonly losses?: readonly string[];
};

export type Refusal = {
  /** One sentence, with at most short printable words of the row. */
  readonly reason: string;
  /** The requested address, where it could be read. */
  readonly slug?: string;
};

/** A link, or the reason why it has none. */
export type ReadResult = ReadLink | Refusal;

/** `rowNumber` counts rows from 1, without the heading; `line` is where the row begins. */
export type ImportRow = { readonly rowNumber: number; readonly line: number } & (
  | ({ readonly outcome: 'read' } & ReadLink)
  | ({ readonly outcome: 'refused' } & Refusal)
);

/** Reads the cells of a row, or says what is wrong with the heading. */
export type CellReader = ((cells: readonly string[]) => ReadResult) | { readonly problem: string };

export function refusal(reason: string, slug: unknown): Refusal {
  return typeof slug === 'string' && slug !== '' ? { reason, slug } : { reason };
}

/** The requested address of a create body, of any type. */
export function slugIn({ configuration }: JsonObject): unknown {
  return isObject(configuration) ? configuration['smartlinkUrl'] : undefined;
}
