import type { Queryable } from '@smartlink/process/database';
import {
  ACCOUNT_FOLDERS_MAX,
  ACCOUNT_TAGS_MAX,
  addFolders,
  checkMetadata,
  type LinkDomain,
  lockMetadata,
  type MetadataFault,
  placeInDomains,
} from '@smartlink/smartlink/store';
import type { Candidate } from './check-row.js';

const REASONS = {
  NO_SUCH_FOLDER: 'folderId: No such folder',
  EXTERNAL_ID_TAKEN: 'externalId: Is already taken',
  TOO_MANY_TAGS: `A user has at most ${ACCOUNT_TAGS_MAX} tags`,
} as const satisfies Record<MetadataFault, string>;

const TOO_MANY_FOLDERS = `A user has at most ${ACCOUNT_FOLDERS_MAX} folders`;

/** Takes the locks that storing the metadata of candidates needs, before anything else is locked. */
export function lockMetadataOf(
  db: Queryable,
  userId: string,
  candidates: readonly Candidate[],
): Promise<void> {
  const metadata = candidates.flatMap(({ smartlink }) => smartlink.metadata ?? []);
  return lockMetadata(db, userId, {
    locksAccount:
      metadata.some(({ tags, externalId }) => tags.length > 0 || externalId !== null) ||
      candidates.some(({ folder }) => folder !== null),
    folderIds: metadata.map(({ folderId }) => folderId),
  });
}

export type Placed = {
  readonly accepted: readonly Candidate[];
  readonly refused: readonly { readonly candidate: Candidate; readonly reason: string }[];
};

/**
 * Finds the domains of candidates, which are locked, and refuses candidates that need one which the account does not have, or
 * has not verified. Before their addresses are looked up.
 */
export async function placeOnDomains(
  db: Queryable,
  userId: string,
  candidates: readonly Candidate[],
): Promise<Placed> {
  const hosts = candidates.flatMap(({ host, otherAliases }) => [
    host,
    ...otherAliases.map(({ domain }) => domain),
  ]);
  const found = await placeInDomains(db, userId, hosts);
  const domains = new Map(hosts.map((host, i) => [host, found[i] ?? null]));
  const domainOf = (host: string | null): LinkDomain | null | undefined => {
    const domain = domains.get(host) ?? null;
    return typeof domain === 'string' ? undefined : domain;
  };
  const accepted: Candidate[] = [];
  const refused: { candidate: Candidate; reason: string }[] = [];
  for (const candidate of candidates) {
    const { host, isHostNeeded, otherAliases, smartlink } = candidate;
    const domain = domainOf(host);
    if (domain === undefined && isHostNeeded) {
      const isKnown = domains.get(host) === 'DOMAIN_NOT_VERIFIED';
      refused.push({
        candidate,
        reason: `configuration.domain: ${isKnown ? 'This domain is not verified' : 'No such domain'}`,
      });
      continue;
    }
    const kept = otherAliases.flatMap((alias) => {
      const of = domainOf(alias.domain);
      return of === undefined || of?.number === domain?.number ? [] : [{ slug: alias.slug, domain: of }];
    });
    const lost = otherAliases.filter((alias) => domainOf(alias.domain) === undefined);
    accepted.push({
      ...candidate,
      losses: [
        ...candidate.losses,
        ...(domain === undefined
          ? [`its domain ${host} is not kept: verify it among the domains of the account first`]
          : []),
        ...lost.map((alias) => `its former address ${alias.domain}/${alias.slug} is not kept`),
      ],
      smartlink: {
        ...smartlink,
        domain: domain ?? null,
        ...(kept.length > 0 && { past: { ...smartlink.past, otherAliases: kept } }),
      },
    });
  }
  return { accepted, refused };
}

/**
 * Decides which candidates can be stored with their metadata, and puts those with the name of a folder into it; the missing
 * folders are created. After lockMetadataOf.
 */
export async function placeMetadata(
  db: Queryable,
  userId: string,
  candidates: readonly Candidate[],
): Promise<Placed> {
  const checked = await checkCandidates(db, userId, candidates);
  const names = checked.accepted.flatMap(({ folder }) => folder ?? []);
  const folders = await addFolders(db, userId, names);
  const accepted: Candidate[] = [];
  const refused = [...checked.refused];
  for (const candidate of checked.accepted) {
    const { folder, smartlink } = candidate;
    const folderId = folder === null ? undefined : folders(folder);
    if (folderId === null) refused.push({ candidate, reason: TOO_MANY_FOLDERS });
    else if (folderId === undefined || smartlink.metadata === undefined) accepted.push(candidate);
    else
      accepted.push({
        ...candidate,
        smartlink: { ...smartlink, metadata: { ...smartlink.metadata, folderId } },
      });
  }
  return { accepted, refused };
}

/** As placeMetadata, without folders and without writing anything. `externalIds` has those of earlier rows, and gets these. */
export async function rehearseMetadata(
  db: Queryable,
  userId: string,
  candidates: readonly Candidate[],
  externalIds: Set<string>,
): Promise<Placed> {
  const { accepted, refused } = await checkCandidates(db, userId, candidates);
  const kept: Candidate[] = [];
  const repeated = [...refused];
  for (const candidate of accepted) {
    const externalId = candidate.smartlink.metadata?.externalId ?? null;
    if (externalId !== null && externalIds.has(externalId)) {
      repeated.push({ candidate, reason: REASONS.EXTERNAL_ID_TAKEN });
      continue;
    }
    if (externalId !== null) externalIds.add(externalId);
    kept.push(candidate);
  }
  return { accepted: kept, refused: repeated };
}

async function checkCandidates(
  db: Queryable,
  userId: string,
  candidates: readonly Candidate[],
): Promise<Placed> {
  const found = await checkMetadata(
    db,
    userId,
    candidates.map(({ smartlink }) => smartlink.metadata ?? {}),
  );
  const refused = candidates.flatMap((candidate, i) => {
    const fault = found[i] ?? null;
    return fault === null ? [] : [{ candidate, reason: REASONS[fault] }];
  });
  return { accepted: candidates.filter((_, i) => (found[i] ?? null) === null), refused };
}
