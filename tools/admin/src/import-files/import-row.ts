import { isObject } from '@smartlink/smartlink/is-object';

/** What a file may be; `json` is create bodies, also one a line, and our own export. */
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

/** An object of JSON, nothing of it checked but that it is one. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Longest row, in bytes: what a request's body may have. */
export const ROW_BYTES_MAX = 1024 * 1024;

/** Why a row that is longer is refused. */
export const TOO_LONG = `is longer than ${ROW_BYTES_MAX} bytes`;

/** What was counted elsewhere; the columns a file lacks count as 0. */
export type Totals = { readonly clicks: number; readonly scans: number; readonly fallbacks: number };

/** What a row says of one smartlink, in the form of our own API. */
export type ReadLink = {
  /** What POST takes: to be validated by whoever stores it. */
  readonly body: JsonObject;
  readonly createdAt?: Date;
  readonly status?: 'Active' | 'Paused';
  readonly totals?: Totals;
  /** The member `export` of our own export, as it is. */
  readonly more?: JsonObject;
};

/** Why a row is left out: one sentence, without what the row holds but for short printable words of it. */
export type Refusal = {
  readonly reason: string;
  /** The address it asks for, as it stands there, if that could be read. */
  readonly slug?: string;
};

/** Returns what a row's cells say of one smartlink. */
export type CellReader = (cells: readonly string[]) => ReadLink | Refusal;

/** Where a row stands: `rowNumber` counts the rows that are no heading from 1, `line` is the line it begins on. */
export type Place = { readonly rowNumber: number; readonly line: number };

/** `endsHere`: the file is cut, damaged or never closes a quote, so whatever followed could not be read. */
export type RefusedRow = Place & Refusal & { readonly outcome: 'refused'; readonly endsHere?: true };

/** One row of an import file. */
export type ImportRow = (Place & ReadLink & { readonly outcome: 'read' }) | RefusedRow;

/** Returns the row at a place that is left out; `endsHere` as RefusedRow has it. */
export function refusedRow(place: Place, refusal: string | Refusal, endsHere = false): RefusedRow {
  const { reason, slug } = typeof refusal === 'string' ? { reason: refusal, slug: undefined } : refusal;
  return {
    ...place,
    outcome: 'refused',
    reason,
    ...(slug !== undefined && { slug }),
    ...(endsHere && { endsHere }),
  };
}

/** Returns a refusal that names the address a row asks for, if that is known. */
export function refusal(reason: string, slug: unknown): Refusal {
  return typeof slug === 'string' && slug !== '' ? { reason, slug } : { reason };
}

/** Returns the address that a create body asks for, whatever stands there. */
export function slugIn({ configuration }: JsonObject): unknown {
  return isObject(configuration) ? configuration['smartlinkUrl'] : undefined;
}
