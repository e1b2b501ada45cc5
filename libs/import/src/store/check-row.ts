import { z } from 'zod';
import {
  appearance,
  check,
  type Fault,
  folderName,
  type SmartlinkValidator,
  redirectOptions,
  utm,
  type Validation,
} from '@smartlink/smartlink/document';
import {
  IMPORTED_ADDRESSES_MAX,
  isAddress,
  isObject,
  isSlug,
  RESERVED_SLUGS,
  slugKey,
  SMARTLINK_TYPES,
  type SmartlinkType,
  VISITS_MAX,
} from '@smartlink/smartlink/model';
import { ALIASES_MAX, type Content, newId, type NewSmartlink, toParts } from '@smartlink/smartlink/store';
import type { Totals } from '@smartlink/visits/analytics';
import { type ImportRow, type JsonObject, type ReadLink, slugIn } from '../files/import-row.js';
import { hostOf } from '../files/values.js';
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
const HOST_LENGTH_MAX = 253;

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
    // An import may have made aliases of imported addresses.
    .max(ALIASES_MAX + IMPORTED_ADDRESSES_MAX),
  otherAliases: z
    .array(
      z.object({
        slug: z
          .string()
          .refine((alias) => isSlug(alias) && !RESERVED_SLUGS.has(slugKey(alias)), 'Not possible'),
        domain: z.string().max(HOST_LENGTH_MAX).nullable(),
      }),
    )
    .max(ALIASES_MAX)
    .optional(),
  importedAddresses: z
    .array(z.string().refine((address) => isAddress(address), 'Not possible'))
    .max(IMPORTED_ADDRESSES_MAX)
    .optional(),
  totals: totalsSchema,
  passwordHash: z.string().regex(PASSWORD_HASH, 'Not a supported hash').optional(),
  otherContent: z.partialRecord(z.enum(SMARTLINK_TYPES), z.record(z.string(), z.unknown())).optional(),
  // Kept for a type that has one.
  otherAppearance: appearance().optional(),
  folder: folderName().optional(),
  otherUtm: utm().optional(),
  otherRedirect: redirectOptions().optional(),
  visitsUsed: z.int().min(0).max(VISITS_MAX).optional(),
});

type Past = z.output<typeof pastSchema>;

const DAY_MS = 86_400_000;
// ClickHouse's days begin in 1970.
const FIRST_TIME = new Date(Date.UTC(1990, 0, 1));

/** Other clocks and zones may be ahead: times up to a day in the future become now. */
function historySchema(nowMs: number) {
  const time = z
    .date('Is no time since 1990')
    .min(FIRST_TIME, 'Is no time since 1990')
    .max(new Date(nowMs + DAY_MS), 'Lies in the future')
    .transform((date) => new Date(Math.min(date.getTime(), nowMs)))
    .optional();
  return z.object({ createdAt: time, updatedAt: time, totals: totalsSchema.optional() });
}

/** A row that can be stored if there is room and its address is free. */
export type Candidate = Pick<Remark, 'rowNumber' | 'line' | 'slug'> & {
  /** Without the hash of `password`. */
  readonly smartlink: NewSmartlink;
  /** Host of its custom domain, in place of `domain`; null: the own host of the instance. */
  readonly host: string | null;
  /** Whether it is refused if the account has no such domain; else it goes to the own host of the instance. */
  readonly isHostNeeded: boolean;
  /** Its former addresses on other hosts. */
  readonly otherAliases: readonly { readonly slug: string; readonly domain: string | null }[];
  /** The name of its folder, in place of `folderId`. */
  readonly folder: string | null;
  /** In clear, to be hashed. */
  readonly password: string | undefined;
  /** Why it cannot have the address of the row; it is stored only if another one may be assigned. */
  readonly addressReason: string | null;
  /** What is not kept of the row. */
  readonly losses: readonly string[];
  /** null: none, or all of them 0. */
  readonly totals: Totals | null;
  /** Of its content, as JSON. */
  readonly bytes: number;
};

export type RowChecker = (row: ImportRow) => { readonly candidate: Candidate } | { readonly refusal: Remark };

type CheckOptions = {
  readonly validator: SmartlinkValidator;
  readonly publicBaseUrl: string;
};

export const SLUG_PATH = 'configuration.smartlinkUrl';
const FAULTS_MAX = 100;
const SLUG_SHOWN_MAX = 100;
const REASON_LENGTH_MAX = 2_000;

/** Checks rows by the rules of a create, and their past by its own. */
export function createRowChecker(options: CheckOptions): RowChecker {
  const history = historySchema(Date.now());
  return (row) => {
    const requested = row.outcome === 'refused' ? row.slug : slugIn(row.body);
    const slug = typeof requested === 'string' ? storable(requested.slice(0, SLUG_SHOWN_MAX)) : null;
    const place = { rowNumber: row.rowNumber, line: row.line, slug };
    if (row.outcome === 'refused')
      return { refusal: { ...place, reason: shorten(row.reason), createdAs: null } };
    const checked = checkLink(options, history, row);
    if (checked.ok) return { candidate: { ...place, ...checked.value } };
    return { refusal: { ...place, reason: reasonOf(withoutEchoes(checked.faults)), createdAs: null } };
  };
}

function checkLink(
  options: CheckOptions,
  history: ReturnType<typeof historySchema>,
  { more, body, faults = [], losses = [], domain, folder: inFolder, ...row }: ReadLink,
): Validation<Omit<Candidate, 'rowNumber' | 'line' | 'slug'>> {
  const exported = more === undefined ? null : within('export', check(pastSchema, more));
  const stored = exported?.ok === true ? exported.value : undefined;
  const {
    passwordHash = null,
    aliases = [],
    otherAliases = [],
    importedAddresses = [],
    otherContent,
    otherAppearance,
    folder = inFolder,
    otherUtm,
    otherRedirect,
    visitsUsed,
    ...past
  } = { ...row, ...stored };
  const hasStoredPassword = passwordHash !== null || exported?.ok === false;
  const document = checkDocument(options.validator, body, hasStoredPassword);
  const other = checkOtherContent(options.validator, otherContent);
  const times = checkHistory(history, past, stored === undefined);
  const named = within('folder', check(folderName().optional(), folder));
  if (exported?.ok === false || !document.ok || !other.ok || !times.ok || !named.ok || faults.length > 0) {
    const found = [exported, document, other, times, named].flatMap((one) =>
      one?.ok === false ? one.faults : [],
    );
    return { ok: false, faults: [...faults, ...found] };
  }
  const {
    addressReason,
    importedAddress,
    password,
    content: present,
    domain: given,
    ...parts
  } = document.value;
  const content = { ...other.value, [parts.type]: present };
  const { totals, createdAt, updatedAt = createdAt } = times.value;
  return {
    ok: true,
    value: {
      smartlink: {
        // Lists are ordered by creation; ids in that order keep figures of neighbours together.
        id: newId((createdAt ?? new Date()).getTime()),
        ...parts,
        domain: null,
        appearance: parts.appearance === undefined ? otherAppearance : parts.appearance,
        utm: parts.utm === undefined ? otherUtm : parts.utm,
        redirect: parts.redirect === undefined ? otherRedirect : parts.redirect,
        content,
        passwordHash,
        // The management service has them judged soon.
        urlsChecked: false,
        past: {
          status: past.status,
          pauseReason: past.pauseReason,
          visitsUsed,
          createdAt,
          updatedAt,
          aliases: withoutRepeats(aliases, parts.slug),
          importedAddresses: [...new Set([...importedAddress, ...importedAddresses])],
        },
      },
      ...hostsOf(given, domain, options.publicBaseUrl),
      otherAliases,
      folder: named.value ?? null,
      password,
      addressReason,
      losses: [...losses, ...times.losses],
      totals: totals !== undefined && totals.clicks + totals.scans > 0 ? totals : null,
      bytes: JSON.stringify(content).length,
    },
  };
}

/** `given`: in the body; `elsewhere`: of the short link of another service. */
function hostsOf(
  given: string | null | undefined,
  elsewhere: string | null | undefined,
  publicBaseUrl: string,
): Pick<Candidate, 'host' | 'isHostNeeded'> {
  const isForeign = elsewhere !== undefined && elsewhere !== null && elsewhere !== hostOf(publicBaseUrl);
  return { host: given ?? (isForeign ? elsewhere : null), isHostNeeded: typeof given === 'string' };
}

/** Times and totals of a row; `dropsFaulty`: faulty ones are lost instead of faults. */
function checkHistory(schema: ReturnType<typeof historySchema>, past: object, dropsFaulty: boolean) {
  const checked = check(schema, past);
  if (checked.ok || !dropsFaulty) return { ...checked, losses: [] };
  const faulty = new Set(checked.faults.map(({ path }) => path.split('.')[0]));
  const rest = Object.fromEntries(Object.entries(past).filter(([name]) => !faulty.has(name)));
  return {
    ...check(schema, rest),
    losses: checked.faults.map(({ path, message }) => `${path}: ${message}`),
  };
}

function checkDocument(validator: SmartlinkValidator, body: JsonObject, hasStoredPassword: boolean) {
  const checked = validator.validate(body, { hasStoredPassword, faultsMax: FAULTS_MAX });
  if (checked.ok) {
    return {
      ok: true,
      value: { ...toParts(checked.value), addressReason: null, importedAddress: [] },
    } as const;
  }
  const isSlugAlone = checked.faults.every(({ path }) => path === SLUG_PATH);
  if (!isSlugAlone || !isObject(body['configuration'])) return checked;
  const { smartlinkUrl, ...configuration } = body['configuration'];
  const importedAddress = typeof smartlinkUrl === 'string' && isImported(smartlinkUrl) ? [smartlinkUrl] : [];
  const without = validator.validate({ ...body, configuration }, { hasStoredPassword });
  if (!without.ok) return without;
  const addressReason = importedAddress.length === 0 ? reasonOf(checked.faults) : null;
  return { ok: true, value: { ...toParts(without.value), addressReason, importedAddress } } as const;
}

/** Whether it can only be an imported address. */
const isImported = (address: string): boolean => isAddress(address) && !isSlug(address);

/** The content that a smartlink keeps of its former types, checked like the present one. */
function checkOtherContent(
  validator: SmartlinkValidator,
  otherContent: Past['otherContent'] = {},
): Validation<Partial<Record<SmartlinkType, Content>>> {
  const contents: Partial<Record<SmartlinkType, Content>> = {};
  for (const [type, content] of Object.entries(otherContent) as [SmartlinkType, Content][]) {
    const stores = isObject(content.configuration) ? content.configuration : {};
    const configuration = { ...stores, smartlinkName: type, smartlinkType: type, smartlinkUrl: undefined };
    // A password belongs to the smartlink and not to a content; protected content has it there.
    const checked = validator.validate({ ...content, configuration }, { hasStoredPassword: true });
    if (!checked.ok) return within(`export.otherContent.${type}`, checked);
    contents[type] = toParts(checked.value).content;
  }
  return { ok: true, value: contents };
}

function within<Value>(name: string, checked: Validation<Value>): Validation<Value> {
  if (checked.ok) return checked;
  const faults = checked.faults.map(({ path, message }) => ({
    path: path === '' ? name : `${name}.${path}`,
    message,
  }));
  return { ok: false, faults };
}

/** Without faults of a member, or within it, that has an earlier fault. */
const withoutEchoes = (faults: readonly Fault[]): readonly Fault[] =>
  faults.filter(({ path }, i) => {
    const isEcho = (earlier: Fault) => earlier.path !== '' && `${path}.`.startsWith(`${earlier.path}.`);
    return !faults.slice(0, i).some(isEcho);
  });

/** The faults on one line. */
const reasonOf = (faults: readonly Fault[]): string =>
  shorten(faults.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('; '));

const shorten = (reason: string): string =>
  storable(reason.length > REASON_LENGTH_MAX ? `${reason.slice(0, REASON_LENGTH_MAX)}…` : reason);

/** Postgres refuses text with half a surrogate pair or a NUL. */
const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '\ufffd');

/** Without repetitions of another alias or of the address. */
export function withoutRepeats(aliases: readonly string[], address: string | undefined): readonly string[] {
  const byKey = new Map(aliases.toReversed().map((alias) => [slugKey(alias), alias]));
  if (address !== undefined) byKey.delete(slugKey(address));
  return [...byKey.values()];
}
