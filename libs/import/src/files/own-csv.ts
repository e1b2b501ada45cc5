import { z } from 'zod';
import { documentSchemas, type Fault, parseStrictJson } from '@smartlink/smartlink/document';
import { isObject } from '@smartlink/smartlink/model';
import { toPrintable } from '../text.js';
import type { JsonObject, ReadLink, Refusal } from './import-row.js';
import {
  columnKey,
  type DateOrder,
  hostOf,
  isAmbiguousDate,
  nameOf,
  toCount,
  toMoment,
  toText,
} from './values.js';

/**
 * How a cell becomes a member: text keeps its spaces, a word does not; names are separated by commas, or an array in JSON; a
 * `fact` is no part of a create body.
 */
type ColumnKind = 'text' | 'word' | 'number' | 'flag' | 'names' | 'json' | 'fact';

type Column = { readonly path: string; readonly kind: ColumnKind };

// Every free-text member. The cells of other members are trimmed.
const TEXTS =
  'smartlinkName title description password jobTitle company ctaText text currency footnote notes'.split(' ');

const FACTS = ['createdAt', 'status', 'folder', 'clicks', 'scans', 'fallbacks'];

// In a table, a folder has a name.
const NO_COLUMN = 'folderId';

type Schema = {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly anyOf?: readonly Schema[];
  readonly type?: string | readonly string[];
};

const withoutNull = (schema: Schema): Schema => schema.anyOf?.find(({ type }) => type !== 'null') ?? schema;

/** Every member of a create, by its path in lower case: headings may be typed in any case. */
function readColumns(): ReadonlyMap<string, Column> {
  const schemas = documentSchemas({ publicBaseUrl: 'https://sl.example', passwordRequired: true });
  const members = Object.values(schemas).flatMap((schema) => {
    const { properties = {} } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema;
    const named = Object.entries(properties).filter(([object]) => object !== NO_COLUMN);
    return named.flatMap(([object, member]): Column[] => [
      { path: object, kind: withoutNull(member).properties ? 'json' : kindOf(object, withoutNull(member)) },
      ...Object.entries(withoutNull(member).properties ?? {}).map(([name, value]) => ({
        path: `${object}.${name}`,
        kind: kindOf(name, withoutNull(value)),
      })),
    ]);
  });
  const facts = FACTS.map((path): Column => ({ path, kind: 'fact' }));
  return new Map([...members, ...facts].map((column) => [column.path.toLowerCase(), column]));
}

let columns: ReadonlyMap<string, Column> | undefined;

// Only an import needs them.
const knownColumns = (): ReadonlyMap<string, Column> => (columns ??= readColumns());

function kindOf(name: string, { type }: Schema): ColumnKind {
  if (name === 'tags') return 'names';
  if (type === 'array') return 'json';
  if (type?.includes('boolean') === true) return 'flag';
  if (type === 'number' || type === 'integer') return 'number';
  return TEXTS.includes(name) ? 'text' : 'word';
}

/** Columns here, and their names elsewhere in lower case letters and digits. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  url: 'destination destinationurl link longurl longlink originalurl target targeturl',
  slug: 'alias backhalf code keyword path shortcode shortlink shorturl',
  name: 'title label',
  createdAt: 'date',
  clicks: 'visits hits',
};

/** Short names of columns, in lower case. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['name', 'configuration.smartlinkName'],
  ['smartlinkname', 'configuration.smartlinkName'],
  ['slug', 'configuration.smartlinkUrl'],
  ['smartlinkurl', 'configuration.smartlinkUrl'],
  ['type', 'configuration.smartlinkType'],
  ['smartlinktype', 'configuration.smartlinkType'],
  ['url', 'shortener.url'],
  ['password', 'shortener.password'],
  ['protected', 'shortener.protected'],
  ['text', 'txtBin.text'],
  ['created', 'createdAt'],
]);

/** The name with the fewest typing mistakes, in any case; null beyond a third of the letters. */
function nearestName(text: string, names: readonly string[]): string | null {
  const typed = text.toLowerCase().slice(0, 64);
  const [nearest] = names
    .map((name) => ({ name, mistakes: countMistakes(typed, name.toLowerCase()) }))
    .filter(({ mistakes }) => mistakes <= typed.length / 3)
    .toSorted((a, b) => a.mistakes - b.mistakes);
  return nearest?.name ?? null;
}

/** Letters to add, drop or change, in any order. */
function countMistakes(one: string, other: string): number {
  let missing = other;
  let extra = 0;
  for (const letter of one) {
    if (missing.includes(letter)) missing = missing.replace(letter, '');
    else extra += 1;
  }
  return Math.max(extra, missing.length);
}

type Cells = readonly string[];

/** The column, or the member, that a file of refused rows has beside those of the original. */
export const REASON = 'reason';

type LinkReader = ((cells: Cells) => ReadLink) | { readonly problem: string };

/** The reader of rows under a heading. A column that is unknown or repeated is a problem, and no column of a smartlink. */
export function ownCsvReader(header: Cells, dateOrder?: DateOrder): LinkReader {
  const columns: (Column | null)[] = [];
  for (const [index, cell] of header.entries()) {
    const name = cell.trim();
    const column = findColumn(name);
    if (column === null && name !== '' && name !== REASON)
      return { problem: `has an unknown column, ${shown(header, index)}: ${hintFor(name)}` };
    const same = columns.findIndex((other) => other && column && overlaps(other.path, column.path));
    if (same !== -1)
      return { problem: `has the same column twice: ${shown(header, same)} and ${shown(header, index)}` };
    columns.push(column);
  }
  if (columns.every((column) => column === null || column.kind === 'fact'))
    return { problem: 'has no column of a smartlink, such as url' };
  return (cells) => readCells(cells, columns, dateOrder);
}

export function isOwnColumn(name: string): boolean {
  return findColumn(name.trim()) !== null;
}

/** Whether these are members of a link without the objects of a create, such as name, slug and url. */
export function isFlatLink(members: Iterable<string>): boolean {
  return [...members].some((name) => FLAT.has(findColumn(name)?.path ?? ''));
}

const FLAT: ReadonlySet<string> = new Set(['shortener.url', 'txtBin.text']);

/** Reads an object whose members are named like columns. */
export function readFlatLink(record: JsonObject, dateOrder?: DateOrder): ReadLink | Refusal {
  const reader = ownCsvReader(Object.keys(record), dateOrder);
  if (typeof reader !== 'function') return { reason: reader.problem };
  const cells = Object.values(record).map((value) => value ?? '');
  return reader(cells.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))));
}

function findColumn(name: string): Column | null {
  const key = name.toLowerCase();
  return knownColumns().get(ALIASES.get(key)?.toLowerCase() ?? key) ?? null;
}

/** `qrMenu` as a whole and `qrMenu.title` beside it would both say the title. */
const overlaps = (one: string, other: string): boolean =>
  one === other || one.startsWith(`${other}.`) || other.startsWith(`${one}.`);

const shown = (header: Cells, index: number): string =>
  `"${toPrintable((header[index] ?? '').trim().slice(0, 64))}" (column ${index + 1})`;

function hintFor(name: string): string {
  const names = [...ALIASES.keys(), ...[...knownColumns().values()].map(({ path }) => path)];
  const other = Object.entries(OTHER_NAMES).find(([, known]) => known.split(' ').includes(columnKey(name)));
  const meant = other?.[0] ?? nearestName(name, names);
  return meant === null ? 'docs/import.md lists the columns' : `did you mean ${meant}?`;
}

function readCells(
  cells: Cells,
  columns: readonly (Column | null)[],
  dateOrder: DateOrder | undefined,
): ReadLink {
  const body: Record<string, unknown> = {};
  const facts: Record<string, string> = {};
  const faults: Fault[] = [];
  for (const [index, text] of cells.entries()) {
    const column = columns[index];
    if (text.trim() === '') continue;
    if (!column) {
      faults.push({ path: '', message: `Has a value in column ${index + 1}, which has no name` });
      continue;
    }
    const { path } = column;
    if (column.kind === 'fact') {
      facts[path] = text.trim();
      continue;
    }
    const read = readValue(column.kind, text);
    if ('message' in read) faults.push({ path, message: read.message });
    const value = 'message' in read ? undefined : read.value;
    const [object = '', member] = path.split('.');
    const members = isObject(body[object]) ? body[object] : {};
    body[object] = member === undefined ? value : { ...members, [member]: value };
  }
  const status = STATUSES.find((name) => name.toLowerCase() === facts['status']?.toLowerCase());
  if (facts['status'] !== undefined && status === undefined)
    faults.push({ path: 'status', message: 'Must be Active or Paused' });
  const isProtectionGiven = columns.some((column) => column?.path === 'shortener.protected');
  const { folder } = facts;
  return {
    body: fillIn(body, isProtectionGiven),
    ...(folder !== undefined && { folder }),
    ...(status !== undefined && { status }),
    ...readHistory(facts, dateOrder),
    faults,
  };
}

/** What a link with a date like 01/02/2026 loses. */
export const MONTH_FIRST = 'createdAt is read with the month first: a date like 2026-01-31 is unambiguous';

const STATUSES = ['Active', 'Paused'] as const;

/** Creation time and click totals; unreadable ones are lost. Without any count there are no totals. */
function readHistory(
  facts: Readonly<Record<string, string>>,
  dateOrder: DateOrder | undefined,
): Pick<ReadLink, 'createdAt' | 'totals' | 'losses'> {
  const losses: string[] = [];
  const created = facts['createdAt'];
  const createdAt = toMoment(created, dateOrder);
  if (createdAt === 'unreadable') losses.push('createdAt cannot be read: write it like 2026-01-31T12:00:00Z');
  else if (created !== undefined && dateOrder === undefined && isAmbiguousDate(created))
    losses.push(MONTH_FIRST);
  const totals = { clicks: 0, scans: 0, fallbacks: 0 };
  let hasTotals = false;
  for (const name of ['clicks', 'scans', 'fallbacks'] as const) {
    const count = toCount(facts[name]);
    if (count === 'unreadable') losses.push(`${name} is not a whole number of 0 or more`);
    else if (count !== null) [totals[name], hasTotals] = [count, true];
  }
  return {
    ...(createdAt instanceof Date && { createdAt }),
    ...(hasTotals && { totals }),
    losses,
  };
}

const DECIMAL = /^-?\d{1,15}(?:\.\d+)?$/;

/** Text is kept unchanged, with spaces, and also if a spreadsheet would take it for a formula. */
function readValue(
  kind: ColumnKind,
  text: string,
): { readonly value: unknown } | { readonly message: string } {
  if (kind === 'text') return { value: text };
  if (kind === 'word') return { value: text.trim() };
  if (kind === 'number') return { value: DECIMAL.test(text.trim()) ? Number(text) : text.trim() };
  if (kind === 'flag') {
    const word = text.trim().toLowerCase();
    if (word === 'true' || word === 'false') return { value: word === 'true' };
    return { message: 'Must be true or false' };
  }
  if (kind === 'names' && !text.trim().startsWith('[')) {
    const names = text.split(',').map((name) => name.trim());
    return { value: names.filter((name) => name !== '') };
  }
  const parsed = parseStrictJson(Buffer.from(text));
  if (!parsed.ok) return { message: `Cannot be read as JSON: ${parsed.faults[0]?.message ?? ''}` };
  return { value: parsed.value };
}

/** Adds the type Url, a name, and the protection of a link with a password. */
function fillIn(body: JsonObject, isProtectionGiven: boolean): JsonObject {
  const { configuration = {}, shortener } = body;
  if (!isObject(configuration)) return body;
  const link = isObject(shortener) ? shortener : {};
  const url = toText(link['url']);
  const names = [toText(configuration['smartlinkUrl']), url === null ? null : hostOf(url)];
  const isUnnamed = configuration['smartlinkName'] === undefined && names.some((name) => name !== null);
  return {
    ...body,
    ...(link['password'] !== undefined && !isProtectionGiven && { shortener: { ...link, protected: true } }),
    configuration: {
      ...(isUnnamed && { smartlinkName: nameOf(names) }),
      smartlinkType: 'Url',
      ...configuration,
    },
  };
}
