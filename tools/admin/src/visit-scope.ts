import type { Queryable } from '@smartlink/link-resolver/snapshot-query';
import { addDays, isDate } from '@smartlink/visit-analytics/calendar';
import { ALL_DAYS } from '@smartlink/visit-analytics/forget-visits';
import type { VisitScope } from '@smartlink/visit-analytics/forget-visits';
import { Problem } from './problem.js';
import { findUserRow } from './queries.js';
import { findSmartlink } from './smartlink-queries.js';
import { noUser } from './user-commands.js';
import { isUuid } from './uuid.js';

/** Whose visits are meant, as it is typed. */
export type ScopeOptions = {
  smartlink?: string;
  user?: string;
  from?: string;
  to?: string;
  /** Instead of these: every day before this one. */
  before?: string;
};

/** A scope, and what to call it when talking to people. */
export type NamedScope = VisitScope & { readonly name: string };

/**
 * Returns whose visits of which days are meant, everybody's of all days when nothing is said. Somebody or something
 * that is gone is known by the id only. Throws Problem on what is no day, and when nobody is meant.
 */
export async function findScope(db: Queryable, options: ScopeOptions): Promise<NamedScope> {
  if (options.smartlink !== undefined && options.user !== undefined) {
    throw new Problem('Give --smartlink or --user, not both.');
  }
  const days = readDays(options);
  if (options.smartlink !== undefined) return { ...(await findLink(db, options.smartlink)), ...days };
  if (options.user !== undefined) return { ...(await findOwner(db, options.user)), ...days };
  return { ownerId: null, smartlinkId: null, name: 'everybody', ...days };
}

/** Returns in words which days a scope has. */
export function describeDays({ from, until }: Pick<VisitScope, 'from' | 'until'>): string {
  const to = addDays(until, -1);
  if (from === ALL_DAYS.from) return until === ALL_DAYS.until ? 'all days' : `all days up to ${to}`;
  return until === ALL_DAYS.until ? `${from} and later` : from === to ? from : `${from} to ${to}`;
}

function readDays({ from, to, before }: ScopeOptions): Pick<VisitScope, 'from' | 'until'> {
  for (const [option, text] of Object.entries({ '--from': from, '--to': to, '--all-before': before })) {
    if (text !== undefined && !isDate(text)) {
      throw new Problem(`${option} ${JSON.stringify(text)}: expected a day like 2026-01-31.`);
    }
  }
  if (from !== undefined && to !== undefined && from > to) throw new Problem('--from is after --to.');
  const until = to === undefined ? ALL_DAYS.until : addDays(to, 1);
  return { from: from ?? ALL_DAYS.from, until: before ?? until };
}

async function findLink(db: Queryable, idOrSlug: string) {
  const link = await findSmartlink(db, idOrSlug);
  if (link !== null)
    return { ownerId: link.user_id, smartlinkId: link.id, name: `the smartlink ${link.slug}` };
  if (!isUuid(idOrSlug)) throw noSmartlink(idOrSlug);
  return { ownerId: null, smartlinkId: idOrSlug, name: `the smartlink ${idOrSlug}` };
}

async function findOwner(db: Queryable, idOrEmail: string) {
  const user = await findUserRow(db, idOrEmail);
  if (user !== null) return { ownerId: user.id, smartlinkId: null, name: user.email };
  if (!isUuid(idOrEmail)) throw noUser(idOrEmail);
  return { ownerId: idOrEmail, smartlinkId: null, name: `the user ${idOrEmail}` };
}

/** Returns the one line for an id or a slug that no smartlink has. */
export function noSmartlink(idOrSlug: string): Problem {
  return new Problem(`There is no smartlink ${JSON.stringify(idOrSlug)}.`);
}
