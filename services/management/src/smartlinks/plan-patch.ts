import { isObject } from '@smartlink/smartlink/is-object';
import type { DocumentUrl } from '@smartlink/smartlink/url-members';
import type { Fault, SmartlinkValidator } from '@smartlink/smartlink/validation';
import { toDocument, toParts, urlsOf, urlsOfRow } from '@smartlink/smartlink-store/document-parts';
import type { DocumentParts } from '@smartlink/smartlink-store/document-parts';
import type { SmartlinkRow } from '@smartlink/smartlink-store/smartlink-row';
import { ApiError, faults } from '../errors.js';
import { mergeDocument } from './merge-document.js';
import { remainingReason } from './pause-reason.js';
import { etagOf } from './smartlink-view.js';
import type { ToSettle } from './slow-work.js';

export type Patch = Readonly<Record<string, unknown>> & { readonly id: string };

/** What a patch asks of a row. */
export type PlannedPatch = {
  readonly parts: DocumentParts;
  /** The URLs that it brings, those of a type that comes back among them; not those that were there. */
  readonly newUrls: readonly DocumentUrl[];
};

/** What a patch makes of a row. */
export type WantedPatch = {
  readonly parts: DocumentParts;
  readonly password: { readonly hash: string | null; readonly changed: boolean };
  /** It brings URLs that no safety provider has judged. */
  readonly urlsUnchecked: boolean;
};

/** Throws PRECONDITION_FAILED unless the row's ETag is among those of If-Match (RFC 9110, 13.1.1). */
export function requireMatch(row: SmartlinkRow, ifMatch: string | undefined): void {
  if (ifMatch === undefined) return;
  if (!isAnyVersion(ifMatch) && !tagsOf(ifMatch).includes(etagOf(row)))
    throw new ApiError('PRECONDITION_FAILED');
}

/** Returns whether If-Match is of every version. */
export function isAnyVersion(ifMatch: string): boolean {
  return tagsOf(ifMatch).includes('*');
}

const tagsOf = (ifMatch: string): string[] => ifMatch.split(',').map((tag) => tag.trim());

/** Returns what `patch` asks of `row`: both merged, and checked as a whole. Throws VALIDATION_FAILED with every fault. */
export function planPatch(validator: SmartlinkValidator, row: SmartlinkRow, patch: Patch): PlannedPatch {
  const configuration = isObject(patch['configuration']) ? patch['configuration'] : {};
  const type = configuration['smartlinkType'];
  const document = mergeDocument(toDocument(row, typeof type === 'string' ? type : row.type), patch);
  const hasStoredPassword = row.password_hash !== null && !clearsPassword(patch);
  const checked = validator.validate(document, { hasStoredPassword });
  const found: Fault[] = checked.ok ? [] : [...checked.faults];
  if (configuration['smartlinkUrl'] === null) {
    found.push({ path: 'configuration.smartlinkUrl', message: 'A smartlink cannot be without an address' });
  }
  if (!checked.ok || found.length > 0) throw faults(found);
  const parts = toParts(checked.value);
  return { parts, newUrls: newUrlsOf(row, parts) };
}

/** Returns what of a plan takes its time. */
export function toSettleOf({ parts, newUrls }: PlannedPatch): ToSettle {
  return { urls: newUrls, password: parts.password };
}

/**
 * Returns what becomes of `row`. `passwordHash` is that of the password which the plan brings, if it brings one;
 * `urlsChecked`: a provider has judged the URLs which it brings.
 */
export function toWanted(
  row: SmartlinkRow,
  patch: Patch,
  { parts, newUrls }: PlannedPatch,
  kept: { readonly passwordHash: string | undefined; readonly urlsChecked: boolean },
): WantedPatch {
  return {
    parts,
    password: nextPassword(row, patch, parts, kept.passwordHash),
    urlsUnchecked: newUrls.length > 0 && !kept.urlsChecked,
  };
}

/** Returns the row that a patch of `row` leaves, as far as a next patch of it has to know. */
export function patchedRow(row: SmartlinkRow, { parts, password }: WantedPatch): SmartlinkRow {
  return {
    ...row,
    type: parts.type,
    name: parts.name,
    slug: parts.slug ?? row.slug,
    open_graph: parts.openGraph,
    content: { ...row.content, [parts.type]: parts.content },
    password_hash: password.hash,
    pause_reason: remainingReason(row, parts),
  };
}

function clearsPassword(patch: Patch): boolean {
  return isObject(patch['shortener']) && patch['shortener']['password'] === null;
}

/**
 * Returns the hash to store, and whether it is another one than before. What a patch says of a password is ignored
 * with the rest of `shortener` while the type is another one: the password comes back with the type.
 */
function nextPassword(
  row: SmartlinkRow,
  patch: Patch,
  parts: DocumentParts,
  passwordHash: string | undefined,
): WantedPatch['password'] {
  if (passwordHash !== undefined) return { hash: passwordHash, changed: true };
  if (parts.type === 'Url' && clearsPassword(patch))
    return { hash: null, changed: row.password_hash !== null };
  return { hash: row.password_hash, changed: false };
}

function newUrlsOf(row: SmartlinkRow, parts: DocumentParts): readonly DocumentUrl[] {
  const known = new Set(urlsOfRow(row).map(({ url }) => url));
  return urlsOf(parts).filter(({ url }) => !known.has(url));
}
