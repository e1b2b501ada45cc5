import { isDeepStrictEqual } from 'node:util';
import type { Pool, PoolClient } from 'pg';
import { isObject } from '@smartlink/smartlink/is-object';
import { slugKey } from '@smartlink/smartlink/slug';
import type { Fault, SmartlinkValidator } from '@smartlink/smartlink/validation';
import { toDocument, toParts, urlsOf } from '@smartlink/smartlink-store/document-parts';
import type { DocumentParts } from '@smartlink/smartlink-store/document-parts';
import { addToOutbox } from '@smartlink/smartlink-store/publish-outbox';
import { recordChanges } from '@smartlink/smartlink-store/record-changes';
import { claimSlugs, countAliases, keepAsAlias } from '@smartlink/smartlink-store/slug-queries';
import type { SmartlinkRow } from '@smartlink/smartlink-store/smartlink-row';
import type { Principal } from '../accounts/accounts.js';
import { ApiError, fault, faults } from '../errors.js';
import { changeSmartlink } from './change-smartlink.js';
import type { Change } from './change-smartlink.js';
import { mergeDocument } from './merge-document.js';
import type { Outbox } from './outbox.js';
import type { PasswordHasher } from './password-hasher.js';
import { updateSmartlink } from './queries.js';
import type { ListedRow } from './queries.js';
import { slugTaken } from './slug-taken.js';
import { etagOf } from './smartlink-view.js';
import { requireSafeUrls } from '../url-safety/url-safety.js';
import type { UrlSafety } from '../url-safety/url-safety.js';

/** Most former addresses a smartlink keeps (decisions.md, Slugs). */
const ALIASES_MAX = 20;

export type UpdateDeps = {
  readonly pg: Pool;
  readonly outbox: Outbox;
  readonly validator: SmartlinkValidator;
  readonly hasher: PasswordHasher;
  readonly urlSafety: UrlSafety;
};

type Patch = Readonly<Record<string, unknown>> & { readonly id: string };

/** What a patch makes of a row. */
type Wanted = {
  readonly parts: DocumentParts;
  readonly password: { readonly hash: string | null; readonly changed: boolean };
  /** It brings URLs that no safety provider has judged. */
  readonly urlsUnchecked: boolean;
};

/**
 * Returns the use case of PATCH: merges a patch into the stored smartlink, checks the whole and writes it when it
 * differs. `ifMatch` is the request's If-Match. Rejects with ApiError; then nothing is written.
 */
export function createSmartlinkUpdater(deps: UpdateDeps) {
  return (principal: Principal, patch: Patch, ifMatch: string | undefined): Promise<ListedRow> => {
    let hashed: Promise<string> | undefined;
    return changeSmartlink<Wanted>(deps, principal, patch.id, {
      async prepare(row) {
        requireMatch(row, ifMatch);
        const parts = merge(deps.validator, row, patch);
        const newUrls = changedUrls(row, parts);
        const isChecked = await requireSafeUrls(deps.urlSafety, newUrls);
        if (parts.password !== undefined) hashed ??= deps.hasher.hash(parts.password);
        const passwordHash = parts.password === undefined ? undefined : await hashed;
        return {
          parts,
          password: nextPassword(row, patch, parts, passwordHash),
          urlsUnchecked: newUrls.length > 0 && !isChecked,
        };
      },
      write: (client, row, wanted) => write(client, principal, row, wanted),
    });
  };
}

/** Throws PRECONDITION_FAILED unless the row's ETag is among those of If-Match (RFC 9110, 13.1.1). */
function requireMatch(row: SmartlinkRow, ifMatch: string | undefined): void {
  if (ifMatch === undefined) return;
  const tags = ifMatch.split(',').map((tag) => tag.trim());
  if (!tags.includes('*') && !tags.includes(etagOf(row))) throw new ApiError('PRECONDITION_FAILED');
}

function merge(validator: SmartlinkValidator, row: SmartlinkRow, patch: Patch): DocumentParts {
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
  return toParts(checked.value);
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
): Wanted['password'] {
  if (passwordHash !== undefined) return { hash: passwordHash, changed: true };
  if (parts.type === 'Url' && clearsPassword(patch))
    return { hash: null, changed: row.password_hash !== null };
  return { hash: row.password_hash, changed: false };
}

async function write(
  client: PoolClient,
  principal: Principal,
  row: SmartlinkRow,
  { parts, password, urlsUnchecked }: Wanted,
): Promise<Change> {
  const slug = parts.slug ?? row.slug;
  const changed = changedMembers(row, parts, password.changed);
  if (changed.length === 0) return { row, entries: [] };
  if (slug !== row.slug) await rename(client, row, slug);
  const updated = await updateSmartlink(client, {
    id: row.id,
    type: parts.type,
    name: parts.name,
    slug,
    openGraph: parts.openGraph,
    content: { ...row.content, [parts.type]: parts.content },
    passwordHash: password.hash,
    passwordChanged: password.changed,
    urlsUnchecked,
  });
  const entries = await addToOutbox(client, [updated]);
  const actor = `key ${principal.keyId}`;
  await recordChanges(client, [{ actor, action: 'smartlink.update', smartlink: updated, changed }]);
  return { row: updated, entries };
}

function changedMembers(row: SmartlinkRow, parts: DocumentParts, passwordChanged: boolean): string[] {
  const changed: string[] = [];
  if (parts.name !== row.name) changed.push('smartlinkName');
  if (parts.slug !== undefined && parts.slug !== row.slug) changed.push('smartlinkUrl');
  if (parts.type !== row.type) changed.push('smartlinkType');
  if (!isDeepStrictEqual(parts.openGraph, row.open_graph)) changed.push('openGraph');
  const before = row.content[parts.type] ?? {};
  for (const member of new Set([...Object.keys(before), ...Object.keys(parts.content)])) {
    if (!isDeepStrictEqual(parts.content[member], before[member])) changed.push(member);
  }
  if (passwordChanged) changed.push('password');
  return changed;
}

/** Gives the smartlink a new address and keeps the old one as an alias; another spelling of the same is no alias. */
async function rename(client: PoolClient, row: SmartlinkRow, slug: string): Promise<void> {
  const oldKey = slugKey(row.slug);
  const claim = { slug, smartlinkId: row.id, isPrimary: true };
  if ((await claimSlugs(client, row.user_id, [claim])).size === 0) throw slugTaken();
  if (slugKey(slug) === oldKey) return;
  await keepAsAlias(client, oldKey);
  if ((await countAliases(client, row.id)) > ALIASES_MAX) {
    throw fault('configuration.smartlinkUrl', `A smartlink keeps at most ${ALIASES_MAX} former addresses`);
  }
}

/** A patch is refused for the URLs it brings, those of a type that comes back among them, not for those that were there. */
function changedUrls(row: SmartlinkRow, parts: DocumentParts) {
  const known = new Set(
    urlsOf({ content: row.content[row.type] ?? {}, openGraph: row.open_graph }).map(({ url }) => url),
  );
  return urlsOf(parts).filter(({ url }) => !known.has(url));
}
