import type { Queryable } from '@smartlink/process/database';
import {
  ACCOUNT_FOLDERS_MAX,
  ACCOUNT_TAGS_MAX,
  addFolders,
  checkMetadata,
  lockMetadata,
  type MetadataFault,
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

type Placed = {
  readonly accepted: readonly Candidate[];
  readonly refused: readonly { readonly candidate: Candidate; readonly reason: string }[];
};

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
