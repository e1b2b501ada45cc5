import { z } from 'zod';
import { documentSchemas, parseStrictJson } from '@smartlink/smartlink/document';
import { isObject } from '@smartlink/smartlink/model';
import { toPrintable } from '../../cli/text.js';
import { columnKey, hostOf, nameOf, toCount, toMoment, toText } from './foreign-link.js';
import {
  type CellReader,
  type JsonObject,
  type ReadLink,
  refusal,
  type Refusal,
  type Totals,
} from './import-row.js';

/** How a cell becomes a member: text keeps its spaces, a word does not; a `fact` is no part of a create body. */
type ColumnKind = 'text' | 'word' | 'flag' | 'json' | 'fact';

type Column = { readonly path: string; readonly kind: ColumnKind };

// Any other text is one word or number.
const TEXTS: ReadonlySet<string> = new Set([
  'smartlinkName',
  'title',
  'description',
  'password',
  'jobTitle',
  'company',
  'ctaText',
  'text',
  'currency',
]);

const FACTS = ['createdAt', 'status', 'clicks', 'scans', 'fallbacks'];

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
    return Object.entries(properties).flatMap(([object, member]): Column[] => [
      { path: object, kind: 'json' },
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
  if (type === 'array') return 'json';
  if (type?.includes('boolean') === true) return 'flag';
  return TEXTS.has(name) ? 'text' : 'word';
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

/** The name with the fewest typing mistakes, in any case; null when none is near. */
function nearestName(text: string, names: readonly string[]): string | null {
  const typed = text.toLowerCase();
  // Beyond a third of the letters it is another word.
  let nearest: string | null = null;
  let mistakesMax = Math.floor(Math.min(typed.length, 64) / 3) + 1;
  if (typed.length > 64) return null;
  for (const name of names) {
    const mistakes = countMistakes(typed, name.toLowerCase());
    if (mistakes >= mistakesMax) continue;
    nearest = name;
    mistakesMax = mistakes;
  }
  return nearest;
}

/** Letters to add, drop, change or swap with the next (optimal string alignment). */
function countMistakes(one: string, other: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: other.length + 1 }, (_, i) => i);
  for (let i = 1; i <= one.length; i += 1) {
    const current = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const same = one[i - 1] === other[j - 1] ? 0 : 1;
      let mistakes = Math.min(
        (previous[j] ?? 0) + 1,
        (current[j - 1] ?? 0) + 1,
        (previous[j - 1] ?? 0) + same,
      );
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1])
        mistakes = Math.min(mistakes, (before[j - 2] ?? 0) + 1);
      current.push(mistakes);
    }
    before = previous;
    previous = current;
  }
  return previous[other.length] ?? one.length;
}

type Cells = readonly string[];

/** The reader of rows under a heading, or the heading's fault: an unknown or repeated column, or none of a smartlink. */
export function ownCsvReader(header: Cells): CellReader | { readonly problem: string } {
  const columns: (Column | null)[] = [];
  for (const [index, cell] of header.entries()) {
    const name = cell.trim();
    const column = findColumn(name);
    if (column === null && name !== '')
      return { problem: `has an unknown column, ${shown(header, index)}: ${hintFor(name)}` };
    const same = columns.findIndex(
      (other) => other !== null && column !== null && overlaps(other.path, column.path),
    );
    if (same !== -1)
      return { problem: `says the same twice: in ${shown(header, same)} and in ${shown(header, index)}` };
    columns.push(column);
  }
  if (columns.every((column) => column === null || column.kind === 'fact'))
    return { problem: 'has no column of a smartlink, such as url' };
  const isProtectionSaid = columns.some((column) => column?.path === 'shortener.protected');
  const slugAt = columns.findIndex((column) => column?.path === 'configuration.smartlinkUrl');
  return (cells) => {
    const result = readCells(cells, columns, isProtectionSaid);
    return 'reason' in result ? refusal(result.reason, cells[slugAt]?.trim()) : result;
  };
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
export function readFlatLink(record: JsonObject): ReadLink | Refusal {
  const reader = ownCsvReader(Object.keys(record));
  if (typeof reader !== 'function') return { reason: reader.problem };
  return reader(
    Object.values(record).map((value) =>
      typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value),
    ),
  );
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
  isProtectionSaid: boolean,
): ReadLink | Refusal {
  const body: Record<string, unknown> = {};
  const facts = new Map<string, string>();
  for (const [index, text] of cells.entries()) {
    const column = columns[index];
    if (text.trim() === '') continue;
    if (column === undefined || column === null)
      return { reason: `has a value in column ${index + 1}, which has no name` };
    if (column.kind === 'fact') {
      facts.set(column.path, text.trim());
      continue;
    }
    const value = readValue(column, text);
    if ('reason' in value) return value;
    put(body, column.path, value.value);
  }
  fillIn(body, isProtectionSaid);
  return withFacts(body, facts);
}

/** Text is kept unchanged, with spaces, and also if a spreadsheet would take it for a formula. */
function readValue({ kind, path }: Column, text: string): { value: unknown } | Refusal {
  if (kind === 'text') return { value: text };
  if (kind === 'word') return { value: text.trim() };
  if (kind === 'flag') {
    const word = text.trim().toLowerCase();
    if (word === 'true' || word === 'false') return { value: word === 'true' };
    return { reason: `${path} is neither true nor false` };
  }
  const parsed = parseStrictJson(Buffer.from(text));
  if (!parsed.ok) return { reason: `${path} cannot be read as JSON: ${parsed.faults[0]?.message ?? ''}` };
  return { value: parsed.value };
}

function put(body: Record<string, unknown>, path: string, value: unknown): void {
  const [object = '', member] = path.split('.');
  if (member === undefined) body[object] = value;
  else body[object] = { ...(isObject(body[object]) ? body[object] : {}), [member]: value };
}

/** Fills in the type Url, a name, and the protection of a link with a password. */
function fillIn(body: Record<string, unknown>, isProtectionSaid: boolean): void {
  const configuration = body['configuration'] ?? {};
  if (!isObject(configuration)) return;
  const { smartlinkType = 'Url', smartlinkName, smartlinkUrl } = configuration;
  const shortener = body['shortener'];
  if (isObject(shortener) && shortener['password'] !== undefined && !isProtectionSaid)
    body['shortener'] = { ...shortener, protected: true };
  const url = isObject(shortener) ? toText(shortener['url']) : null;
  const names = [toText(smartlinkUrl), url === null ? null : hostOf(url)];
  const name = smartlinkName ?? (names.some((one) => one !== null) ? nameOf(names) : undefined);
  body['configuration'] = {
    ...configuration,
    ...(name !== undefined && { smartlinkName: name }),
    smartlinkType,
  };
}

function withFacts(body: Record<string, unknown>, facts: ReadonlyMap<string, string>): ReadLink | Refusal {
  const createdAt = toMoment(facts.get('createdAt'));
  if (createdAt === 'unreadable')
    return { reason: 'createdAt cannot be read: write it like 2026-01-31T12:00:00Z' };
  const status = facts.get('status');
  if (status !== undefined && status !== 'Active' && status !== 'Paused')
    return { reason: 'status is neither Active nor Paused' };
  const totals: Record<keyof Totals, number> = { clicks: 0, scans: 0, fallbacks: 0 };
  let hasTotals = false;
  for (const name of ['clicks', 'scans', 'fallbacks'] as const) {
    const count = toCount(facts.get(name));
    if (count === 'unreadable') return { reason: `${name} is no whole number of 0 or more` };
    hasTotals ||= count !== null;
    totals[name] = count ?? 0;
  }
  return {
    body,
    ...(createdAt !== null && { createdAt }),
    ...(status !== undefined && { status }),
    ...(hasTotals && { totals }),
  };
}
