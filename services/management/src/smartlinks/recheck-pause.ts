import type { Pool, PoolClient } from 'pg';
import type { PauseReason } from '@smartlink/smartlink-store/smartlink-row';
import { urlsOf } from '@smartlink/smartlink-store/document-parts';
import { addToOutbox } from '@smartlink/smartlink-store/publish-outbox';
import { recordChanges } from '@smartlink/smartlink-store/record-changes';
import { withTransaction } from '../transaction.js';
import type { Outbox } from './outbox.js';
import { unsafeUrlReason } from './pause-reason.js';
import { findParts, lockActive, pauseUnsafe } from './recheck-queries.js';
import type { DueRow } from './recheck-queries.js';
import type { Due } from './recheck-question.js';

/**
 * Pauses those of `links` that are Active and have a URL of `unsafeUrls`, whatever else of them has changed since they
 * were judged: else who renames a link more often than the provider answers would keep it for ever. Returns their ids;
 * they are published as far as there was time.
 */
export async function pauseUnsafeLinks(
  { pg, outbox }: { readonly pg: Pool; readonly outbox: Outbox },
  links: readonly Due[],
  unsafeUrls: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const { paused, entries } = await withTransaction(pg, async (client) => {
    const unsafe = await findUnsafeNow(client, links, unsafeUrls);
    if (unsafe.length === 0) return { paused: [], entries: [] };
    const rows = await pauseUnsafe(client, unsafe);
    const reasons = new Map(unsafe.map(({ id, reason }) => [id, reason]));
    await recordChanges(
      client,
      rows.map((row) => ({
        actor: 'url-safety',
        action: 'smartlink.unsafe',
        smartlink: row,
        details: reasons.get(row.id)?.details ?? [],
      })),
    );
    return { paused: rows, entries: await addToOutbox(client, rows) };
  });
  if (entries.length > 0) await outbox.publish(entries);
  return new Set(paused.map(({ id }) => id));
}

/** Returns a row's URLs of its present type. */
export function toDue({ id, version, content, open_graph }: DueRow): Due {
  return { id, version, urls: urlsOf({ content: content ?? {}, openGraph: open_graph }) };
}

/** Locks the links, and returns why those that are still unsafe are so, at the paths that the URLs have now. */
async function findUnsafeNow(
  client: PoolClient,
  links: readonly Due[],
  unsafeUrls: ReadonlySet<string>,
): Promise<{ id: string; reason: PauseReason }[]> {
  const judged = new Map(links.map((due) => [due.id, due]));
  const unsafe: { id: string; reason: PauseReason }[] = [];
  for (const { id, version } of await lockActive(client, [...judged.keys()])) {
    const seen = judged.get(id);
    // One that has changed is read anew, one at a time: each may be a megabyte by now.
    const { urls } = seen?.version === version ? seen : toDue(await findParts(client, id));
    const reason = unsafeUrlReason(urls.filter(({ url }) => unsafeUrls.has(url)));
    if (reason !== null) unsafe.push({ id, reason });
  }
  return unsafe;
}
