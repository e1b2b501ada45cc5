import { randomInt } from 'node:crypto';
import type { Queryable } from '@smartlink/link-resolver/snapshot-query';
import { assignSlug, slugKey } from '@smartlink/smartlink/slug';
import { claimSlugs } from './slug-queries.js';

// decisions.md, Slugs: six characters, three more tries, then seven.
const ASSIGNED_LENGTHS = [6, 6, 6, 6, 7, 7, 7];

/**
 * Gives each smartlink an address nobody has and returns them by id. `random` is a CSPRNG's randomInt unless a test
 * brings its own. Throws when one meets taken addresses only.
 */
export async function assignSlugs(
  db: Queryable,
  userId: string,
  smartlinkIds: readonly string[],
  random: (max: number) => number = randomInt,
): Promise<ReadonlyMap<string, string>> {
  const assigned = new Map<string, string>();
  let waiting = smartlinkIds;
  for (const length of ASSIGNED_LENGTHS) {
    if (waiting.length === 0) return assigned;
    // Two that draw the same slug are one claim; the first of them goes on to the next round.
    const claims = new Map(
      waiting.map((smartlinkId) => {
        const slug = assignSlug(length, random);
        return [slugKey(slug), { slug, smartlinkId, isPrimary: true }];
      }),
    );
    const claimed = await claimSlugs(db, userId, [...claims.values()]);
    for (const [key, { slug, smartlinkId }] of claims) if (claimed.has(key)) assigned.set(smartlinkId, slug);
    waiting = waiting.filter((smartlinkId) => !assigned.has(smartlinkId));
  }
  if (waiting.length > 0) throw new Error('No free slug was found');
  return assigned;
}
