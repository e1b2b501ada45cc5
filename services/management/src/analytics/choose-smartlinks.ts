import type { Queryable } from '@smartlink/process/database';
import type { Selection } from '@smartlink/visits/analytics';
import { fault } from '../errors.js';
import { TooHeavy } from '../fairness/heavy-requests.js';
import { isSmartlinkId } from '../requests.js';
import { createValues, toConditions } from '../smartlinks/smartlinks.js';
import type { SmartlinkFilters } from './queries.js';

const CHOSEN_MAX = 50_000;
// With as many smartlinks in the other states; the ids are in the query.
const STATES_MAX = 500_000;
/** More ids than this are read and sent in the thread of heavy requests. */
const LIGHT_IDS_MAX = 3_000;

/**
 * The smartlinks that filters choose by what they are now; ids of others are none. Without filters, all of the owner. Rejects
 * with VALIDATION_FAILED for more than 50,000, but for `status` and `archived` alone. Throws TooHeavy where `isLight`.
 */
export async function chooseSmartlinks(
  pg: Queryable,
  { userId, isLight }: { readonly userId: string; readonly isLight: boolean },
  filters: SmartlinkFilters,
): Promise<Selection> {
  const values = createValues();
  const { id, type, status, ...others } = filters;
  const { tag, excludeTag, folderId, archived, createdBy, domain } = others;
  const [ofOwner = 'false', ...conditions] = await toConditions(pg, userId, others, values);
  if (id !== undefined)
    conditions.push(`smartlinks.id = any(${values.add(id.filter(isSmartlinkId))}::uuid[])`);
  if (type !== undefined) conditions.push(`smartlinks.type = any(${values.add(type)}::text[])`);
  const isByState = [id, type, tag, excludeTag, folderId, createdBy, domain].every(
    (given) => given === undefined,
  );
  if (status !== undefined) conditions.push(`smartlinks.status = any(${values.add(status)}::text[])`);
  if (isByState && status === undefined && (archived ?? 'all') === 'all') {
    return { ownerId: userId, smartlinks: null };
  }
  const find = async (condition: string, max: number): Promise<readonly string[]> => {
    const limit = isLight ? Math.min(max, LIGHT_IDS_MAX) : max;
    const query = `select id from smartlinks where ${ofOwner} and ${condition} limit ${limit + 1}`;
    const { rows } = await pg.query(query, [...values.list]);
    if (rows.length > limit && limit < max) throw new TooHeavy();
    return (rows as { id: string }[]).map(({ id }) => id);
  };
  const all = conditions.length === 0 ? 'true' : conditions.join(' and ');
  if (isByState) {
    // Those that are left out are few, as a rule.
    const others = await find(`not (${all})`, CHOSEN_MAX);
    if (others.length === 0) return { ownerId: userId, smartlinks: null };
    if (others.length <= CHOSEN_MAX) return selectionOf(userId, others, true);
  }
  const max = isByState ? STATES_MAX : CHOSEN_MAX;
  const ids = await find(all, max);
  if (ids.length > max) throw fault('', `Matches more than ${max} smartlinks`);
  return selectionOf(userId, ids, false);
}

const selectionOf = (ownerId: string, ids: readonly string[], areExcluded: boolean): Selection => ({
  ownerId,
  smartlinks: { ids, areExcluded },
});
