import type { Queryable } from '@smartlink/link-resolver/snapshot-query';
import { slugKey } from '@smartlink/smartlink/slug';
import type { DocumentParts } from '@smartlink/smartlink-store/document-parts';
import { findTaken } from '@smartlink/smartlink-store/slug-queries';
import type { SmartlinkRow } from '@smartlink/smartlink-store/smartlink-row';
import { storeSmartlinks } from '@smartlink/smartlink-store/store-smartlinks';
import { ApiError } from '../errors.js';
import { newId } from '@smartlink/smartlink-store/new-id';
import { slugTaken } from './slug-taken.js';

/** A checked document that is to be a new smartlink. */
export type DocumentToStore = {
  readonly parts: DocumentParts;
  readonly passwordHash: string | null;
  /** A safety provider has judged its URLs. */
  readonly urlsChecked: boolean;
  /** Why it is refused if the plan has room for it. */
  readonly refusal: ApiError | null;
};

/**
 * Stores a user's documents as new smartlinks, each as if those before it had been stored by calls of their own, in a
 * handful of statements, however many they are. `room` is how many the plan has room for, held by a lock; null: any
 * number. Returns in the same order the rows, or why one was refused. Needs a transaction.
 */
export async function storeDocuments(
  db: Queryable,
  userId: string,
  documents: readonly DocumentToStore[],
  room: number | null,
): Promise<readonly (SmartlinkRow | ApiError)[]> {
  const outcomes = new Map<DocumentToStore, SmartlinkRow | ApiError>();
  let left = documents;
  let roomLeft = room ?? Infinity;
  while (left.length > 0 && roomLeft > 0) {
    // While there is room for all, whether an address is taken need not be known to tell who gets it.
    const taken =
      left.length > roomLeft ? await findTaken(db, userId, left.flatMap(keyOf)) : new Set<string>();
    const chosen = choose(left, roomLeft, taken, outcomes);
    const rows = chosen.length === 0 ? [] : await storeSmartlinks(db, userId, toSmartlinks(chosen));
    for (const [index, document] of chosen.entries()) outcomes.set(document, rows[index] ?? slugTaken());
    roomLeft -= rows.filter((row) => row !== null).length;
    left = left.filter((document) => !outcomes.has(document));
  }
  return documents.map((document) => outcomes.get(document) ?? new ApiError('SUBSCRIPTION_LIMIT_REACHED'));
}

/** Returns the first documents there is room for, and notes why those between them are refused. */
function choose(
  documents: readonly DocumentToStore[],
  room: number,
  taken: ReadonlySet<string>,
  outcomes: Map<DocumentToStore, SmartlinkRow | ApiError>,
): readonly DocumentToStore[] {
  const chosen: DocumentToStore[] = [];
  const claimed = new Set(taken);
  for (const document of documents) {
    if (chosen.length === room) break;
    const [key] = keyOf(document);
    if (document.refusal !== null) outcomes.set(document, document.refusal);
    else if (key !== undefined && claimed.has(key)) outcomes.set(document, slugTaken());
    else {
      if (key !== undefined) claimed.add(key);
      chosen.push(document);
    }
  }
  return chosen;
}

function keyOf({ parts: { slug } }: DocumentToStore): string[] {
  return slug === undefined ? [] : [slugKey(slug)];
}

function toSmartlinks(documents: readonly DocumentToStore[]) {
  const now = Date.now();
  // Stored at one time they are listed by their ids: newest first, as if they had come one after the other.
  const ids = documents.map(() => newId(now)).sort();
  return documents.map(({ parts, passwordHash, urlsChecked }, index) => {
    const { type, name, slug, openGraph, content } = parts;
    return {
      id: ids[index] ?? newId(now),
      type,
      name,
      slug,
      openGraph,
      content: { [type]: content },
      passwordHash,
      urlsChecked,
    };
  });
}
