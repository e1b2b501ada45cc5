import { z } from 'zod';
import type { Queryable } from '@smartlink/process/database';
import { SMARTLINK_STATUSES, SMARTLINK_TYPES } from '@smartlink/smartlink/model';
import { isUuid, nameKey } from '@smartlink/smartlink/store';
import { commaListField, filledTextField, textField } from '../requests.js';

// Longer texts are no ids.
const ID_LENGTH_MAX = 64;

// As figures name it.
const OWN_HOST = 'default';

/** Parameters that choose smartlinks by what they are now. */
export const linkFilterShape = {
  status: z
    .enum([...SMARTLINK_STATUSES, 'all'], `Must be one of ${SMARTLINK_STATUSES.join(', ')}, all`)
    .optional()
    .meta({ description: 'Smartlinks in this status.' }),
  type: z
    .enum(SMARTLINK_TYPES, `Must be one of ${SMARTLINK_TYPES.join(', ')}`)
    .optional()
    .meta({ description: 'Smartlinks of this type.' }),
  tag: commaListField().optional().meta({
    description: 'Smartlinks with any of these tags: up to 50 names, comma-separated, in any case.',
  }),
  tagMode: z
    .enum(['any', 'all'], 'Must be any or all')
    .optional()
    .meta({ description: '`all`: only smartlinks that have all tags of `tag`.' }),
  excludeTag: commaListField().optional().meta({ description: 'Smartlinks with none of these tags.' }),
  folderId: textField()
    .refine((text) => text !== '', 'Must not be empty')
    .optional()
    .meta({ description: 'Smartlinks in this folder; `none`: in no folder.', minLength: 1 }),
  archived: z
    .enum(['false', 'true', 'all'], 'Must be false, true or all')
    .optional()
    .meta({ description: 'Archived smartlinks only (`true`), or those too (`all`).' }),
  domain: commaListField().optional().meta({
    description:
      'Smartlinks whose address is on any of these domains: up to 50 hosts, comma-separated; `default`: the host of this service.',
  }),
  createdBy: filledTextField(ID_LENGTH_MAX).meta({
    description: 'Smartlinks that this person created.',
  }),
};

const linkFilterSchema = z.object(linkFilterShape);
export type LinkFilter = z.output<typeof linkFilterSchema>;

/** The values of a statement; `add` returns the placeholder. */
export type Values = { readonly list: readonly unknown[]; readonly add: (value: unknown) => string };

export function createValues(): Values {
  const list: unknown[] = [];
  return { list, add: (value) => `$${list.push(value)}` };
}

/** Conditions on `smartlinks`, of which all must be true. */
export type Conditions = readonly string[];

/** The conditions of a filter; a status or an archive that is not given does not count. */
export async function toConditions(
  db: Queryable,
  userId: string,
  filter: LinkFilter,
  values: Values,
): Promise<Conditions> {
  const { status, type, tag = [], tagMode, excludeTag = [], folderId, archived, createdBy, domain } = filter;
  const isUnknownId = (id: string | undefined) => id !== undefined && !isUuid(id);
  if (isUnknownId(createdBy) || (folderId !== 'none' && isUnknownId(folderId))) return ['false'];
  const conditions = [`smartlinks.user_id = ${values.add(userId)}`];
  if (status !== undefined && status !== 'all') conditions.push(`smartlinks.status = ${values.add(status)}`);
  if (type !== undefined) conditions.push(`smartlinks.type = ${values.add(type)}`);
  if (archived === 'false') conditions.push('smartlinks.archived_at is null');
  if (archived === 'true') conditions.push('smartlinks.archived_at is not null');
  if (folderId === 'none') conditions.push('smartlinks.folder_id is null');
  else if (folderId !== undefined) conditions.push(`smartlinks.folder_id = ${values.add(folderId)}`);
  if (createdBy !== undefined) conditions.push(`smartlinks.created_by = ${values.add(createdBy)}`);
  if (domain !== undefined) {
    const hosts = values.add(domain.map((host) => host.toLowerCase()));
    const isOn = `smartlinks.domain_number in (select number from domains
       where domains.user_id = ${values.add(userId)} and domains.host = any(${hosts}::text[]))`;
    conditions.push(domain.includes(OWN_HOST) ? `(smartlinks.domain_number is null or ${isOn})` : isOn);
  }
  if (tag.length === 0 && excludeTag.length === 0) return conditions;

  const idOf = await findTagIds(db, userId, [...tag, ...excludeTag]);
  const idsOf = (names: readonly string[]) => [...new Set(names.flatMap((name) => idOf(name) ?? []))];
  const hasAny = (ids: readonly string[]) =>
    `exists (select from smartlink_tags
       where smartlink_tags.smartlink_id = smartlinks.id and smartlink_tags.tag_id = any(${values.add(ids)}::uuid[]))`;
  const wanted = idsOf(tag);
  if (tagMode === 'all') {
    if (tag.some((name) => idOf(name) === undefined)) return [...conditions, 'false'];
    conditions.push(...wanted.map((id) => hasAny([id])));
  } else if (tag.length > 0) {
    if (wanted.length === 0) return [...conditions, 'false'];
    conditions.push(hasAny(wanted));
  }
  const unwanted = idsOf(excludeTag);
  if (unwanted.length > 0) conditions.push(`not ${hasAny(unwanted)}`);
  return conditions;
}

// By a statement of its own: with the ids themselves Postgres knows how common the tags are, and chooses the index by it.
const FIND_TAGS = `select id, key from tags where user_id = $1 and key = any($2::text[])`;

async function findTagIds(
  db: Queryable,
  userId: string,
  names: readonly string[],
): Promise<(name: string) => string | undefined> {
  const { rows } = await db.query(FIND_TAGS, [userId, names.map(nameKey)]);
  const ids = new Map((rows as { id: string; key: string }[]).map(({ id, key }) => [key, id]));
  return (name) => ids.get(nameKey(name));
}
