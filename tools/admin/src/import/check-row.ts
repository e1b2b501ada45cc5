import { z } from 'zod';
import {
  check,
  type Fault,
  type SmartlinkDocument,
  type SmartlinkValidator,
  type Validation,
} from '@smartlink/smartlink/document';
import {
  isObject,
  isSlug,
  RESERVED_SLUGS,
  slugKey,
  SMARTLINK_TYPES,
  type SmartlinkType,
} from '@smartlink/smartlink/model';
import { ALIASES_MAX, type Content, newId, type NewSmartlink, toParts } from '@smartlink/smartlink/store';
import type { Totals } from '@smartlink/visits/analytics';
import { type ImportRow, type ReadLink, slugIn } from './files/import-row.js';
import type { Remark } from './queries.js';

const DETAILS_MAX = 1_000;
const TEXT_LENGTH_MAX = 512;
// Beyond any real count; a thousand of them still add up exactly.
const COUNT_MAX = 1_000_000_000_000;

/**
 * Visitors have an imported hash computed: so argon2id alone, and at most about twice the work of password-hash.ts. With less
 * than 8 KiB argon2 computes nothing (RFC 9106, 3.1), and no password would open the link.
 */
const PASSWORD_HASH =
  /^\$argon2id\$v=19\$m=(?:[89]|[1-9]\d{1,3}|[1-3]\d{4}),t=[1-3],p=1\$[A-Za-z0-9+/]{11,86}\$[A-Za-z0-9+/]{22,86}$/;

// Postgres cannot hold a NUL in jsonb.
const detailText = z
  .string()
  .max(TEXT_LENGTH_MAX)
  .refine((text) => !text.includes('\0'), 'Must not contain NUL');

const count = z.int().min(0).max(COUNT_MAX);

const totalsSchema = z
  .object({ clicks: count, scans: count, fallbacks: count })
  .refine(({ clicks, scans, fallbacks }) => fallbacks <= clicks + scans, 'More fallbacks than visits');

const moment = z.iso.datetime().transform((text) => new Date(text));

/** The member `export` of an exported item. */
export const pastSchema = z.object({
  version: z.literal(1, 'Written by another version of the export'),
  status: z.enum(['Active', 'Paused']),
  pauseReason: z
    .object({
      code: z.literal('UNSAFE_URL'),
      details: z.array(z.object({ path: detailText, message: detailText })).max(DETAILS_MAX),
    })
    .optional(),
  createdAt: moment,
  updatedAt: moment,
  aliases: z
    .array(z.string().refine((alias) => isSlug(alias) && !RESERVED_SLUGS.has(slugKey(alias)), 'Not possible'))
    .max(ALIASES_MAX),
  totals: totalsSchema,
  passwordHash: z.string().regex(PASSWORD_HASH, 'No hash that is taken here').optional(),
  otherContent: z.partialRecord(z.enum(SMARTLINK_TYPES), z.record(z.string(), z.unknown())).optional(),
});

type Past = z.output<typeof pastSchema>;

function readPast(more: unknown): Validation<Past> {
  const past = check(pastSchema, more);
  return past.ok ? past : { ok: false, faults: past.faults.map((fault) => within('export', fault)) };
}

/** The content that a smartlink keeps of its former types, checked like the present one. */
function readOtherContent(
  validator: SmartlinkValidator,
  otherContent: Past['otherContent'] = {},
): Validation<Partial<Record<SmartlinkType, Content>>> {
  const contents: Partial<Record<SmartlinkType, Content>> = {};
  for (const [type, content] of Object.entries(otherContent) as [SmartlinkType, Content][]) {
    const stores = isObject(content.configuration) ? content.configuration : {};
    const configuration = { ...stores, smartlinkName: type, smartlinkType: type, smartlinkUrl: undefined };
    // A password belongs to the smartlink and not to a content; protected content has it there.
    const checked = validator.validate({ ...content, configuration }, { hasStoredPassword: true });
    if (!checked.ok) {
      return {
        ok: false,
        faults: checked.faults.map((fault) => within(`export.otherContent.${type}`, fault)),
      };
    }
    contents[type] = toParts(checked.value).content;
  }
  return { ok: true, value: contents };
}

const within = (name: string, { path, message }: Fault): Fault => ({
  path: path === '' ? name : `${name}.${path}`,
  message,
});

/** A row that can be stored if there is room and its address is free. */
export type Candidate = Pick<Remark, 'rowNumber' | 'line' | 'slug'> & {
  /** Without the hash of `password`. */
  readonly smartlink: NewSmartlink;
  /** In clear, to be hashed. */
  readonly password: string | undefined;
  /** Why it does not ask for the address of the row. */
  readonly addressReason: string | null;
  /** null: none, or all of them 0. */
  readonly totals: Totals | null;
  /** Of its content, as JSON. */
  readonly bytes: number;
};

export type RowChecker = (row: ImportRow) => { readonly candidate: Candidate } | { readonly refusal: Remark };

export const SLUG_PATH = 'configuration.smartlinkUrl';
const DAY_MS = 86_400_000;
// ClickHouse's days begin in 1970.
const FIRST_TIME_MS = Date.UTC(1990, 0, 1);
const FAULTS_TOLD_MAX = 5;
const SLUG_SHOWN_MAX = 100;
const REASON_LENGTH_MAX = 500;

/**
 * Checks rows by the rules of a create, and their past by its own. `assignSlugs`: an impossible address is no fault, another
 * one is assigned. `now` is in milliseconds.
 */
export function createRowChecker(options: {
  readonly validator: SmartlinkValidator;
  readonly assignSlugs: boolean;
  readonly now: () => number;
}): RowChecker {
  return (row) => {
    const asked = row.outcome === 'refused' ? row.slug : slugIn(row.body);
    const slug = typeof asked === 'string' ? storable(asked.slice(0, SLUG_SHOWN_MAX)) : null;
    const place = { rowNumber: row.rowNumber, line: row.line, slug };
    if (row.outcome === 'refused')
      return { refusal: { ...place, reason: shorten(row.reason), createdAs: null } };
    const checked = checkLink(options, row);
    if (checked.ok) return { candidate: { ...place, ...checked.value } };
    return { refusal: { ...place, reason: reasonOf(checked.faults), createdAs: null } };
  };
}

function checkLink(
  options: Parameters<typeof createRowChecker>[0],
  { more, body, ...row }: ReadLink,
): Validation<Omit<Candidate, 'rowNumber' | 'line' | 'slug'>> {
  const exported = more === undefined ? null : readPast(more);
  if (exported?.ok === false) return exported;
  const { passwordHash = null, aliases = [], otherContent, ...past } = exported?.value ?? {};
  const document = checkDocument(options, body, passwordHash !== null);
  if (!document.ok) return document;
  const other = readOtherContent(options.validator, otherContent);
  if (!other.ok) return other;
  const history = readHistory({ ...row, ...past }, options.now());
  if (!history.ok) return history;
  const { addressReason, password, content: present, ...parts } = document.value;
  const content = { ...other.value, [parts.type]: present };
  const { totals, ...times } = history.value;
  return {
    ok: true,
    value: {
      smartlink: {
        // Lists are ordered by creation; ids in that order keep figures of neighbours together.
        id: newId((times.createdAt ?? new Date()).getTime()),
        ...parts,
        content,
        passwordHash,
        // The management service has them judged soon.
        urlsChecked: false,
        past: { ...times, aliases: pickAliases(aliases, parts.slug) },
      },
      password,
      addressReason,
      totals,
      bytes: JSON.stringify(content).length,
    },
  };
}

/** One line with the first faults. */
function reasonOf(faults: readonly Fault[]): string {
  const told = faults
    .slice(0, FAULTS_TOLD_MAX)
    .map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
  const more = faults.length - told.length;
  return shorten([...told, ...(more > 0 ? [`and ${more} more`] : [])].join('; '));
}

const shorten = (reason: string): string =>
  storable(reason.length > REASON_LENGTH_MAX ? `${reason.slice(0, REASON_LENGTH_MAX)}…` : reason);

/** Postgres refuses text with half a surrogate pair or a NUL. */
const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '\ufffd');

function checkDocument(
  { validator, assignSlugs }: { readonly validator: SmartlinkValidator; readonly assignSlugs: boolean },
  body: Readonly<Record<string, unknown>>,
  hasStoredPassword: boolean,
) {
  const checked = validator.validate(body, { hasStoredPassword });
  const done = (value: SmartlinkDocument, addressReason: string | null) =>
    ({ ok: true, value: { ...toParts(value), addressReason } }) as const;
  if (checked.ok) return done(checked.value, null);
  const isSlugAlone = checked.faults.every(({ path }) => path === SLUG_PATH);
  if (!assignSlugs || !isSlugAlone || !isObject(body['configuration'])) return checked;
  const { smartlinkUrl: _, ...configuration } = body['configuration'];
  const without = validator.validate({ ...body, configuration }, { hasStoredPassword });
  return without.ok ? done(without.value, reasonOf(checked.faults)) : without;
}

function readHistory(
  {
    status,
    pauseReason,
    createdAt,
    updatedAt = createdAt,
    totals = { clicks: 0, scans: 0, fallbacks: 0 },
  }: Partial<Past>,
  nowMs: number,
) {
  const checked = check(totalsSchema, totals);
  const faults = [
    ...faultsOfTime('createdAt', createdAt, nowMs),
    ...faultsOfTime('updatedAt', updatedAt, nowMs),
    ...(checked.ok ? [] : checked.faults.map(({ message }) => ({ path: 'totals', message }))),
  ];
  if (faults.length > 0) return { ok: false, faults } as const;
  const value = {
    ...(status !== undefined && { status }),
    ...(pauseReason !== undefined && { pauseReason }),
    ...(createdAt !== undefined && { createdAt: notAfter(createdAt, nowMs) }),
    ...(updatedAt !== undefined && { updatedAt: notAfter(updatedAt, nowMs) }),
    totals: totals.clicks + totals.scans > 0 ? totals : null,
  };
  return { ok: true, value } as const;
}

/** A clock elsewhere may be ahead, or of another zone: up to a day passes, and becomes now. */
function faultsOfTime(path: string, time: Date | undefined, nowMs: number): readonly Fault[] {
  if (time === undefined) return [];
  if (!(time.getTime() >= FIRST_TIME_MS)) return [{ path, message: 'Is no time since 1990' }];
  return time.getTime() > nowMs + DAY_MS ? [{ path, message: 'Lies in the future' }] : [];
}

const notAfter = (time: Date, nowMs: number): Date => (time.getTime() > nowMs ? new Date(nowMs) : time);

/** Without repetitions of another alias or of the address. */
function pickAliases(aliases: readonly string[], address: string | undefined): readonly string[] {
  const seen = new Set(address === undefined ? [] : [slugKey(address)]);
  return aliases.filter((alias) => {
    const isNew = !seen.has(slugKey(alias));
    seen.add(slugKey(alias));
    return isNew;
  });
}
