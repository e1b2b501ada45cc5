import { isObject } from '@smartlink/smartlink/is-object';
import { parseStrictJson } from '@smartlink/smartlink/strict-json';
import { toPrintable } from '../printable.js';
import { columnKey } from './csv-table.js';
import { hostOf, nameOf, toCount, toMoment, toText } from './foreign-link.js';
import { refusal } from './import-row.js';
import type { CellReader, JsonObject, ReadLink, Refusal, Totals } from './import-row.js';
import { nearestName } from './nearest-name.js';
import { ALIASES, COLUMNS, OTHER_NAMES } from './own-columns.js';
import type { Column } from './own-columns.js';

type Cells = readonly string[];

/**
 * Returns the reader of rows under this heading of our own, or what is wrong with the heading: a column that is not known
 * (with the name that is next to it), one that stands there twice, none that links could be made of.
 */
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

/** Returns whether a heading's cell names a column of ours. */
export function isOwnColumn(name: string): boolean {
  return findColumn(name.trim()) !== null;
}

/** Returns whether these are members of a link without the objects that a create has: such as name, slug and url. */
export function isFlatLink(members: Iterable<string>): boolean {
  return [...members].some((name) => FLAT.has(findColumn(name)?.path ?? ''));
}

const FLAT: ReadonlySet<string> = new Set(['shortener.url', 'txtBin.text']);

/** Returns what a flat object says of a smartlink, its members called as columns are. */
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
  return COLUMNS.get(ALIASES.get(key)?.toLowerCase() ?? key) ?? null;
}

/** `qrMenu` as a whole and `qrMenu.title` beside it would both say the title. */
const overlaps = (one: string, other: string): boolean =>
  one === other || one.startsWith(`${other}.`) || other.startsWith(`${one}.`);

const shown = (header: Cells, index: number): string =>
  `"${toPrintable((header[index] ?? '').trim().slice(0, 64))}" (column ${index + 1})`;

function hintFor(name: string): string {
  const names = [...ALIASES.keys(), ...[...COLUMNS.values()].map(({ path }) => path)];
  const meant = OTHER_NAMES.get(columnKey(name)) ?? nearestName(name, names);
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

/** Text is kept as it is, spaces and all: also what a spreadsheet would take for a formula. */
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

/** What a row need not say: the type Url, a name, and that a link with a password is to ask for it. */
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
