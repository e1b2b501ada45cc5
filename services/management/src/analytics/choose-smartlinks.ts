import type { Queryable } from '@smartlink/process/database';
import type { Selection } from '@smartlink/visits/analytics';
import { fault } from '../errors.js';
import { TooHeavy } from '../fairness/heavy-requests.js';
import { isSmartlinkId } from '../requests.js';
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
  const { sql, params, isByState } = conditionsOf(userId, filters);
  if (sql.length === 0) return { ownerId: userId, smartlinks: null };
  const find = async (condition: string, max: number): Promise<readonly string[]> => {
    const limit = isLight ? Math.min(max, LIGHT_IDS_MAX) : max;
    const query = `select id from smartlinks where user_id = $1 and ${condition} limit ${limit + 1}`;
    const { rows } = await pg.query(query, [...params]);
    if (rows.length > limit && limit < max) throw new TooHeavy();
    return (rows as { id: string }[]).map(({ id }) => id);
  };
  const all = sql.join(' and ');
  if (isByState) {
    // Those that are left out are few, as a rule.
    const others = await find(`not (${all})`, CHOSEN_MAX);
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

type Conditions = {
  readonly sql: readonly string[];
  /** $1 is the owner. */
  readonly params: readonly unknown[];
  readonly isByState: boolean;
};

function conditionsOf(userId: string, filters: SmartlinkFilters): Conditions {
  const { id, tag, tagMode, excludeTag, folderId, type, status, archived, createdBy } = filters;
  const params: unknown[] = [userId];
  const sql: string[] = [];
  const add = (condition: (parameter: string) => string, value: unknown) => {
    params.push(value);
    sql.push(condition(`$${params.length}`));
  };
  if (id !== undefined) add((ids) => `id = any(${ids}::uuid[])`, id.filter(isSmartlinkId));
  if (tag !== undefined) {
    const keys = tagKeys(tag);
    const tagsMin = tagMode === 'all' ? keys.length : 1;
    add((names) => `(${countTags(names)}) >= ${tagsMin}`, keys);
  }
  if (excludeTag !== undefined) add((names) => `(${countTags(names)}) = 0`, tagKeys(excludeTag));
  if (folderId !== undefined) {
    const orNone = folderId.includes('none') ? ' or folder_id is null' : '';
    add((ids) => `(folder_id = any(${ids}::uuid[])${orNone})`, folderId.filter(isSmartlinkId));
  }
  if (type !== undefined) add((types) => `type = any(${types}::text[])`, type);
  if (createdBy !== undefined)
    add((ids) => `created_by = any(${ids}::uuid[])`, createdBy.filter(isSmartlinkId));
  const isByState = sql.length === 0;
  if (status !== undefined) add((names) => `status = any(${names}::text[])`, status);
  if (archived === 'true') sql.push('archived_at is not null');
  if (archived === 'false') sql.push('archived_at is null');
  return { sql, params, isByState };
}

/** Tags are one whatever their case. */
const tagKeys = (names: readonly string[]) => [
  ...new Set(names.map((name) => name.normalize('NFC').toLowerCase())),
];

const countTags = (keys: string) =>
  `select count(*) from smartlink_tags join tags on tags.id = smartlink_tags.tag_id
   where smartlink_tags.smartlink_id = smartlinks.id and tags.user_id = $1 and tags.key = any(${keys}::text[])`;
