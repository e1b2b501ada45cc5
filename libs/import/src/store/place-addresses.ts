import { IMPORTED_ADDRESSES_MAX, importedKey, inDomain, isSlug, slugKey } from '@smartlink/smartlink/model';
import type { LinkDomain } from '@smartlink/smartlink/store';
import { type Candidate, SLUG_PATH, withoutRepeats } from './check-row.js';
import type { Holder, Remark, TakenKeys } from './queries.js';

export const NO_ROOM = 'Subscription limit reached';
export const TAKEN = `${SLUG_PATH}: This smartlink URL is already taken`;
// By an earlier row or import of the same link: another address would duplicate it.
const OWN_TAKEN = `${SLUG_PATH}: This smartlink URL is already yours`;
const ALIAS_TAKEN = 'export.aliases: Already taken:';
const IMPORTED_TAKEN = 'export.importedAddresses: Already taken:';

/** Whether `--assign-slugs` imports a row that was refused for this reason. */
export const isAssignable = (reason: string): boolean =>
  !reason.startsWith(OWN_TAKEN) && reason.split('; ').every(isAboutAddress);

export const isAboutAddress = (reason: string): boolean =>
  [`${SLUG_PATH}: `, ALIAS_TAKEN, IMPORTED_TAKEN].some((start) => reason.startsWith(start));

type OnDomain = { readonly domain: LinkDomain | null };

const slugKeyOn = ({ domain }: OnDomain, slug: string): string =>
  inDomain(slugKey(slug), domain?.number ?? null);

const importedKeyOn = ({ domain }: OnDomain, address: string): string =>
  inDomain(importedKey(address), domain?.number ?? null);

type Placing = {
  /** Smartlinks that the plan has room for; null: unlimited. */
  readonly room: number | null;
  /** Replaces taken addresses by others. */
  readonly assignSlugs: boolean;
  /** Keys of other smartlinks; those of accepted candidates are added. */
  readonly taken: TakenKeys;
};

/** Decides in order which candidates are stored, those with a taken address without it if another is assigned. */
export function placeRows(
  candidates: readonly Candidate[],
  { room, assignSlugs, taken }: Placing,
): { readonly accepted: readonly Candidate[]; readonly refusals: readonly Remark[] } {
  const accepted: Candidate[] = [];
  const refusals: Remark[] = [];
  for (const requested of candidates) {
    const candidate = fitAddresses(requested, taken);
    const reasons = [candidate.addressReason ?? [], describeTaken(candidate, taken) ?? []].flat();
    const reason = reasons.length === 0 ? null : reasons.join('; ');
    if (reason !== null && !(assignSlugs && isAssignable(reason)))
      refusals.push(toRemark(candidate, reason, null));
    else if (room !== null && accepted.length >= room) refusals.push(toRemark(candidate, NO_ROOM, null));
    else {
      const placed = reason === null ? candidate : withoutTaken(candidate, reason, taken);
      for (const [key, holder] of holdersOf(placed)) taken.set(key, holder);
      for (const address of placed.smartlink.past?.importedAddresses ?? []) {
        const key = slugKeyOn(placed.smartlink, address);
        const beside = taken.get(key);
        if (beside !== undefined) taken.set(key, { ...beside, exactCount: beside.exactCount + 1 });
      }
      accepted.push(placed);
    }
  }
  return { accepted, refusals };
}

export const toRemark = (
  { rowNumber, line, slug }: Candidate,
  reason: string,
  createdAs: string | null,
): Remark => ({ rowNumber, line, slug, reason, createdAs });

/** Remarks on accepted candidates that get another address than requested, or lose something. */
export function remarksOn(candidate: Candidate, createdAs: string): readonly Remark[] {
  const reasons = [candidate.addressReason ?? [], candidate.losses].flat();
  return reasons.length === 0 ? [] : [toRemark(candidate, reasons.join('; '), createdAs)];
}

/** The addresses of a candidate by their keys. */
export function holdersOf({ rowNumber, smartlink }: Candidate): [string, Holder][] {
  const { slug, past } = smartlink;
  const holder = (address: string): Holder => ({ isOwn: true, slug: address, exactCount: 0, rowNumber });
  const slugs = [...(slug === undefined ? [] : [slug]), ...(past?.aliases ?? [])];
  return [
    ...slugs.map((address): [string, Holder] => [slugKeyOn(smartlink, address), holder(address)]),
    ...(past?.otherAliases ?? []).map((alias): [string, Holder] => [
      slugKeyOn(alias, alias.slug),
      holder(alias.slug),
    ]),
    ...(past?.importedAddresses ?? []).map((address): [string, Holder] => [
      importedKeyOn(smartlink, address),
      holder(address),
    ]),
  ];
}

/** The keys that decide which addresses of a candidate are available. */
export function keysOf({ smartlink }: Candidate): readonly string[] {
  const { slug, past } = smartlink;
  const slugs = [...(slug === undefined ? [] : [slug]), ...(past?.importedAddresses ?? [])];
  return [
    ...slugs.flatMap((address) => [slugKeyOn(smartlink, address), importedKeyOn(smartlink, address)]),
    ...(past?.aliases ?? []).map((alias) => slugKeyOn(smartlink, alias)),
    ...(past?.otherAliases ?? []).map((alias) => slugKeyOn(alias, alias.slug)),
  ];
}

/** Whether an address can be kept beside a slug of the owner from which it differs only in case. */
function isExact(on: OnDomain, address: string, taken: TakenKeys): boolean {
  const holder = taken.get(slugKeyOn(on, address));
  if (holder === undefined || !holder.isOwn || holder.slug === address) return false;
  return holder.exactCount < IMPORTED_ADDRESSES_MAX && !taken.has(importedKeyOn(on, address));
}

/**
 * The candidate with its addresses as they can be kept: a slug that differs only in case from one of the owner becomes an
 * imported address, and an imported address an alias where no slug has its letters.
 */
function fitAddresses(candidate: Candidate, taken: TakenKeys): Candidate {
  const { smartlink } = candidate;
  const { slug, past } = smartlink;
  const { aliases = [], importedAddresses = [] } = past ?? {};
  const isBeside =
    slug !== undefined &&
    importedAddresses.length < IMPORTED_ADDRESSES_MAX &&
    isExact(smartlink, slug, taken);
  const free = importedAddresses.filter(
    (address) => isSlug(address) && !taken.has(slugKeyOn(smartlink, address)),
  );
  if (!isBeside && free.length === 0) return candidate;
  const kept = importedAddresses.filter((address) => !free.includes(address));
  return {
    ...candidate,
    smartlink: {
      ...candidate.smartlink,
      slug: isBeside ? undefined : slug,
      past: {
        ...past,
        aliases: withoutRepeats([...aliases, ...free], slug),
        importedAddresses: isBeside ? [slug, ...kept] : kept,
      },
    },
  };
}

/** Whether an imported address of a fitted candidate is available. */
const isAvailable = (on: OnDomain, address: string, taken: TakenKeys): boolean =>
  isSlug(address) ? isExact(on, address, taken) : !taken.has(importedKeyOn(on, address));

function describeTaken({ slug: requested, smartlink }: Candidate, taken: TakenKeys): string | null {
  const { slug, past } = smartlink;
  const imported = (past?.importedAddresses ?? []).filter(
    (address) => !isAvailable(smartlink, address, taken),
  );
  const isRequested = requested !== null && [slug, ...imported].includes(requested);
  const known = isRequested ? taken.get(importedKeyOn(smartlink, requested)) : undefined;
  if (known !== undefined) return known.isOwn ? `${OWN_TAKEN}${rowOf(known)}` : TAKEN;
  const holder = slug === undefined ? undefined : taken.get(slugKeyOn(smartlink, slug));
  if (holder !== undefined) {
    if (!holder.isOwn) return TAKEN;
    const row = rowOf(holder);
    if (holder.slug === slug) return `${OWN_TAKEN}${row}`;
    return `${SLUG_PATH}: This smartlink URL differs only in case from your ${holder.slug}${row}`;
  }
  const aliases = [
    ...(past?.aliases ?? []).filter((alias) => taken.has(slugKeyOn(smartlink, alias))),
    ...(past?.otherAliases ?? []).flatMap((alias) => (isTaken(alias, taken) ? [addressOf(alias)] : [])),
  ];
  if (aliases.length > 0) return `${ALIAS_TAKEN} ${aliases.join(', ')}`;
  return imported.length > 0 ? `${IMPORTED_TAKEN} ${imported.join(', ')}` : null;
}

type Alias = OnDomain & { readonly slug: string };

const isTaken = (alias: Alias, taken: TakenKeys): boolean => taken.has(slugKeyOn(alias, alias.slug));
const addressOf = ({ slug, domain }: Alias): string => `${domain?.host ?? ''}/${slug}`;

const rowOf = ({ rowNumber }: Holder): string => (rowNumber === undefined ? '' : ` (row ${rowNumber})`);

function withoutTaken(candidate: Candidate, reason: string, taken: TakenKeys): Candidate {
  const { smartlink } = candidate;
  const { slug, past } = smartlink;
  const isSlugTaken = slug !== undefined && taken.has(slugKeyOn(smartlink, slug));
  const aliases = (past?.aliases ?? []).filter((alias) => !taken.has(slugKeyOn(smartlink, alias)));
  const otherAliases = (past?.otherAliases ?? []).filter((alias) => !isTaken(alias, taken));
  const importedAddresses = (past?.importedAddresses ?? []).filter((address) =>
    isAvailable(smartlink, address, taken),
  );
  return {
    ...candidate,
    addressReason: reason,
    smartlink: {
      ...candidate.smartlink,
      slug: isSlugTaken ? undefined : slug,
      past: { ...past, aliases, otherAliases, importedAddresses },
    },
  };
}
