import { randomInt } from 'node:crypto';
import type { Queryable } from '@smartlink/link-resolver/snapshot-query';
import { assignSlug, slugKey } from '@smartlink/smartlink/slug';
import { ApiError } from '../errors.js';
import { claimSlug } from './slug-queries.js';

// decisions.md, Slugs: six characters, three more tries, then seven.
const ASSIGNED_LENGTHS = [6, 6, 6, 6, 7, 7, 7];

type Claimant = { readonly userId: string; readonly smartlinkId: string };

/** Makes `slug` the smartlink's address. Throws SMARTLINK_URL_TAKEN. */
export async function claimWantedSlug(db: Queryable, claimant: Claimant, slug: string): Promise<void> {
  if (await claimSlug(db, { ...claimant, slug, key: slugKey(slug) })) return;
  throw new ApiError('SMARTLINK_URL_TAKEN', {
    details: [{ path: 'configuration.smartlinkUrl', message: 'This smartlink URL is already taken' }],
  });
}

/** Gives the smartlink an address and returns it. `random` is a CSPRNG's randomInt unless a test brings its own. */
export async function claimAssignedSlug(
  db: Queryable,
  claimant: Claimant,
  random: (max: number) => number = randomInt,
): Promise<string> {
  for (const length of ASSIGNED_LENGTHS) {
    const slug = assignSlug(length, random);
    if (await claimSlug(db, { ...claimant, slug, key: slugKey(slug) })) return slug;
  }
  throw new Error('No free slug was found');
}
