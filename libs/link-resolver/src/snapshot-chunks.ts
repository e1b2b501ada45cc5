import type { SnapshotWeight } from './snapshot-query.js';

// What is read of content at once, and what is sent: well within the time limits of both engines even on a slow machine,
// and small beside the memory of a process.
const READ_BYTES_MAX = 4 * 1024 * 1024;
const SENT_BYTES_MAX = 32 * 1024 * 1024;

/**
 * Returns `entries` of the outbox in chunks that are published one by one, in the order of their oldest rows: at most 4 MiB of
 * content each, or one smartlink's, and 32 MiB under all addresses, or one. Addresses of one smartlink stand together,
 * for its content is read once.
 */
export function cutIntoChunks<Entry extends OfSlug>(
  entries: readonly Entry[],
  weights: readonly SnapshotWeight[],
): readonly (readonly Entry[])[] {
  const weightOf = new Map(weights.map((weight) => [weight.slugKey, weight]));
  const chunks: Entry[][] = [];
  let smartlinkId: string | null = null;
  let readBytes = 0;
  let sentBytes = 0;
  for (const entry of bySmartlink(entries, weightOf)) {
    const weight = weightOf.get(entry.slugKey) ?? { smartlinkId: '', bytes: 0 };
    const isRead = weight.smartlinkId === smartlinkId;
    const hasRoom =
      (isRead || readBytes + weight.bytes <= READ_BYTES_MAX) && sentBytes + weight.bytes <= SENT_BYTES_MAX;
    const chunk = hasRoom ? chunks.at(-1) : undefined;
    if (chunk === undefined) {
      chunks.push([entry]);
      readBytes = weight.bytes;
      sentBytes = weight.bytes;
    } else {
      chunk.push(entry);
      readBytes += isRead ? 0 : weight.bytes;
      sentBytes += weight.bytes;
    }
    ({ smartlinkId } = weight);
  }
  return chunks;
}

type OfSlug = { readonly slugKey: string };

function bySmartlink<Entry extends OfSlug>(
  entries: readonly Entry[],
  weightOf: ReadonlyMap<string, SnapshotWeight>,
): readonly Entry[] {
  const groups = new Map<string, Entry[]>();
  for (const entry of entries) {
    const smartlinkId = weightOf.get(entry.slugKey)?.smartlinkId ?? '';
    const group = groups.get(smartlinkId);
    if (group === undefined) groups.set(smartlinkId, [entry]);
    else group.push(entry);
  }
  return [...groups.values()].flat();
}
