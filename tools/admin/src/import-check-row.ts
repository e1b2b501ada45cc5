import { slugKey } from '@smartlink/smartlink/slug';
import type { SmartlinkType } from '@smartlink/smartlink/smartlink-type';
import type { Fault, SmartlinkValidator, Validation } from '@smartlink/smartlink/validation';
import { check } from '@smartlink/smartlink/validation';
import type { SmartlinkDocument } from '@smartlink/smartlink/document';
import { isObject } from '@smartlink/smartlink/is-object';
import { toParts } from '@smartlink/smartlink-store/document-parts';
import type { Content } from '@smartlink/smartlink-store/smartlink-row';
import type { NewSmartlink } from '@smartlink/smartlink-store/store-smartlinks';
import type { Totals } from '@smartlink/visit-analytics/totals';
import { slugIn } from './import-files/import-row.js';
import type { ImportRow } from './import-files/import-row.js';
import { readOtherContent, readPast, totalsSchema } from './import-past.js';
import type { Past } from './import-past.js';
import type { Remark } from './import-queries.js';

/** A row that may be stored, if the database has room for it and its address is free. */
export type Candidate = Pick<Remark, 'rowNumber' | 'line' | 'slug'> & {
  readonly type: SmartlinkType;
  readonly name: string;
  /** The address it is to have; undefined: one is assigned. */
  readonly address: string | undefined;
  /** Why that is not the one it asks for. */
  readonly addressReason: string | null;
  readonly openGraph: NewSmartlink['openGraph'];
  readonly content: Partial<Record<SmartlinkType, Content>>;
  /** In clear, to be hashed. */
  readonly password: string | undefined;
  readonly passwordHash: string | null;
  readonly past: NonNullable<NewSmartlink['past']>;
  /** null: none, or all of them 0. */
  readonly totals: Totals | null;
  /** Of its content, as JSON. */
  readonly bytes: number;
};

export type CheckedRow = { readonly candidate: Candidate } | { readonly refusal: Remark };

export type RowChecker = (row: ImportRow) => CheckedRow;

/** Where a create says its address. */
export const SLUG_PATH = 'configuration.smartlinkUrl';
const DAY_MS = 86_400_000;
// Before there were links to shorten. ClickHouse's days begin in 1970.
const FIRST_TIME_MS = Date.UTC(1990, 0, 1);
const FAULTS_TOLD_MAX = 5;
const SLUG_SHOWN_MAX = 100;
const REASON_LENGTH_MAX = 500;

/**
 * Returns what checks rows by the rules of a create, and what else they say of a smartlink's past by rules of its own.
 * `assignSlugs`: an address that cannot be is no fault, another one is assigned. `now` is in milliseconds.
 */
export function createRowChecker(options: {
  readonly validator: SmartlinkValidator;
  readonly assignSlugs: boolean;
  readonly now: () => number;
}): RowChecker {
  const { validator } = options;
  return (row) => {
    const place = { rowNumber: row.rowNumber, line: row.line };
    if (row.outcome === 'refused') {
      return {
        refusal: { ...place, slug: shownSlug(row.slug), reason: shorten(row.reason), createdAs: null },
      };
    }
    const slug = shownSlug(slugIn(row.body));
    const refuse = (faults: readonly Fault[]): CheckedRow => ({
      refusal: { ...place, slug, reason: reasonOf(faults), createdAs: null },
    });
    const past = row.more === undefined ? null : readPast(row.more);
    if (past !== null && !past.ok) return refuse(past.faults);
    const hasStoredPassword = past?.value.passwordHash !== undefined;
    const document = checkDocument(options, row.body, hasStoredPassword);
    if (!document.ok) return refuse(document.faults);
    const other = readOtherContent(validator, past?.value.otherContent);
    if (!other.ok) return refuse(other.faults);
    const history = readHistory(row, past?.value ?? null, options.now());
    if (!history.ok) return refuse(history.faults);
    const { parts, addressReason } = document.value;
    const aliases = pickAliases(past?.value.aliases ?? [], parts.slug);
    const content = { ...other.value, [parts.type]: parts.content };
    return {
      candidate: {
        ...place,
        slug,
        type: parts.type,
        name: parts.name,
        address: parts.slug,
        addressReason,
        openGraph: parts.openGraph,
        content,
        password: parts.password,
        passwordHash: past?.value.passwordHash ?? null,
        past: { ...history.value.past, aliases },
        totals: history.value.totals,
        bytes: JSON.stringify(content).length,
      },
    };
  };
}

/** Returns a reason in one line, of so many of the faults as anybody reads. */
export function reasonOf(faults: readonly Fault[]): string {
  const told = faults
    .slice(0, FAULTS_TOLD_MAX)
    .map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
  const more = faults.length - told.length;
  return shorten([...told, ...(more > 0 ? [`and ${more} more`] : [])].join('; '));
}

const shorten = (reason: string): string =>
  storable(reason.length > REASON_LENGTH_MAX ? `${reason.slice(0, REASON_LENGTH_MAX)}…` : reason);

/** What stands in a file may hold half a surrogate pair or a NUL, which Postgres takes as no text. */
const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '\ufffd');

function shownSlug(slug: unknown): string | null {
  return typeof slug === 'string' ? storable(slug.slice(0, SLUG_SHOWN_MAX)) : null;
}

type CheckedDocument = {
  readonly parts: ReturnType<typeof toParts>;
  readonly addressReason: string | null;
};

function checkDocument(
  { validator, assignSlugs }: { readonly validator: SmartlinkValidator; readonly assignSlugs: boolean },
  body: Readonly<Record<string, unknown>>,
  hasStoredPassword: boolean,
): Validation<CheckedDocument> {
  const checked = validator.validate(body, { hasStoredPassword });
  const done = (value: SmartlinkDocument, addressReason: string | null) =>
    ({ ok: true, value: { parts: toParts(value), addressReason } }) as const;
  if (checked.ok) return done(checked.value, null);
  const isSlugAlone = checked.faults.every(({ path }) => path === SLUG_PATH);
  if (!assignSlugs || !isSlugAlone || !isObject(body['configuration'])) return checked;
  const { smartlinkUrl: _, ...configuration } = body['configuration'];
  const without = validator.validate({ ...body, configuration }, { hasStoredPassword });
  return without.ok ? done(without.value, reasonOf(checked.faults)) : without;
}

type History = {
  readonly past: NonNullable<NewSmartlink['past']>;
  readonly totals: Totals | null;
};

function readHistory(
  row: ImportRow & { readonly outcome: 'read' },
  exported: Past | null,
  nowMs: number,
): Validation<History> {
  const createdAt = exported?.createdAt ?? row.createdAt;
  const updatedAt = exported?.updatedAt ?? createdAt;
  const status = exported?.status ?? row.status;
  const totals = exported?.totals ?? row.totals;
  const faults = [
    ...faultsOfTime('createdAt', createdAt, nowMs),
    ...faultsOfTime('updatedAt', updatedAt, nowMs),
  ];
  if (totals !== undefined) {
    const checked = check(totalsSchema, totals);
    if (!checked.ok) faults.push(...checked.faults.map(({ message }) => ({ path: 'totals', message })));
  }
  if (faults.length > 0) return { ok: false, faults };
  const isVisited = totals !== undefined && totals.clicks + totals.scans > 0;
  return {
    ok: true,
    value: {
      past: {
        ...(status === undefined ? {} : { status }),
        ...(exported?.pauseReason === undefined ? {} : { pauseReason: exported.pauseReason }),
        ...(createdAt === undefined ? {} : { createdAt: notAfter(createdAt, nowMs) }),
        ...(updatedAt === undefined ? {} : { updatedAt: notAfter(updatedAt, nowMs) }),
      },
      totals: isVisited ? totals : null,
    },
  };
}

/** The clock that made the file may be ahead of ours, or of another zone: a day of that is let pass, and becomes now. */
function faultsOfTime(path: string, time: Date | undefined, nowMs: number): readonly Fault[] {
  if (time === undefined) return [];
  if (!(time.getTime() >= FIRST_TIME_MS)) return [{ path, message: 'Is no time since 1990' }];
  return time.getTime() > nowMs + DAY_MS ? [{ path, message: 'Lies in the future' }] : [];
}

const notAfter = (time: Date, nowMs: number): Date => (time.getTime() > nowMs ? new Date(nowMs) : time);

/** One that says the same as another, or as the address itself, is none. */
function pickAliases(aliases: readonly string[], address: string | undefined): readonly string[] {
  const seen = new Set(address === undefined ? [] : [slugKey(address)]);
  return aliases.filter((alias) => {
    const isNew = !seen.has(slugKey(alias));
    seen.add(slugKey(alias));
    return isNew;
  });
}
