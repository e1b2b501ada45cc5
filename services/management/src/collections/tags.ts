import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Queryable } from '@smartlink/process/database';
import { hexColor, optional, TAG_LENGTH_MAX, tagName } from '@smartlink/smartlink/document';
import { ACCOUNT_TAGS_MAX, nameKey, newId } from '@smartlink/smartlink/store';
import type { Access } from '../accounts/access.js';
import { principalOf } from '../accounts/accounts.js';
import { success } from '../envelope.js';
import { fault } from '../errors.js';
import { onFirstCall, type Operation } from '../operation.js';
import { filledTextField, parseBody, parseQuery } from '../requests.js';
import {
  changeCollection,
  collectionOperations,
  EXAMPLE_CREATED_AT,
  objectId,
  objectMembers,
  pageParameters,
  requireFreeName,
  requireOwn,
  requireRoom,
  sendPage,
} from './collection.js';

const TABLE = { table: 'tags', max: ACCOUNT_TAGS_MAX, nouns: 'tags' } as const;

const listQuerySchema = z.object({
  q: filledTextField(TAG_LENGTH_MAX).meta({
    description: 'Tags whose name contains this text, ignoring case.',
  }),
  ...pageParameters,
});

const color = () => hexColor().meta({ description: 'Colour in lists: `#` and hexadecimal digits.' });

const bodies = {
  create: z.object({ name: tagName(), color: optional(color()) }, 'Must be an object'),
  update: z.object(
    { id: objectId('tag'), name: tagName().optional(), color: color().nullable().optional() },
    'Must be an object',
  ),
  remove: z.object({ tagId: objectId('tag') }, 'Must be an object'),
  merge: z.object(
    {
      fromId: objectId('tag').meta({ description: 'The tag that goes.' }),
      intoId: objectId('tag').meta({ description: 'The tag that stays.' }),
    },
    'Must be an object',
  ),
};

type TagRow = {
  readonly id: string;
  readonly name: string;
  readonly key: string;
  readonly color: string | null;
};

const COUNT = `
(select count(*)::integer from smartlink_tags join smartlinks on smartlinks.id = smartlink_tags.smartlink_id
 where smartlink_tags.tag_id = tags.id and smartlinks.status <> 'Deleted')`;

const VIEW = `id, name, color, ${COUNT} as "smartlinkCount", created_at as "createdAt"`;

const FIND_ONE = `select ${VIEW}, key from tags where id = $1 and user_id = $2`;

// Walks the index of the names.
const LIST = `
select ${VIEW}, key from tags
where user_id = $1 and ($2::text is null or strpos(key, $2) > 0) and ($3::text is null or key > $3)
order by key limit $4`;

const INSERT = `insert into tags (id, user_id, name, key, color) values ($1, $2, $3, $4, $5)`;
const UPDATE = `update tags set name = $2, key = $3, color = $4 where id = $1`;
const DELETE = `delete from tags where id = $1`;

// The smartlinks themselves are not locked. Those that have both tags lose one by the deletion.
const MOVE = `
update smartlink_tags set tag_id = $2
where tag_id = $1 and not exists (
  select from smartlink_tags as other where other.smartlink_id = smartlink_tags.smartlink_id and other.tag_id = $2)`;

const read: Access = { scope: 'links:read', role: 'Viewer' };
const write: Access = { scope: 'links:write', role: 'Editor' };

/** GET, POST, PATCH and DELETE /tags, and POST /tags/merge. */
export function tagRoutes(app: FastifyInstance, _options: object, done: () => void): void {
  const { pg } = app;
  app.get('/tags', { config: { operation: operations.list, access: read } }, (request, reply) => {
    const query = parseQuery(listQuerySchema, request);
    const { userId } = principalOf(request);
    const after = query.cursor === undefined ? null : decodeKey(query.cursor);
    const page = { path: '/tags', query, message: 'Tags retrieved' };
    return sendPage<TagRow>(reply, page, {
      find: async (limit) => {
        const search = query.q === undefined ? null : nameKey(query.q);
        return (await pg.query<TagRow>(LIST, [userId, search, after, limit])).rows;
      },
      cursorOf: ({ key }) => Buffer.from(key).toString('base64url'),
    });
  });

  app.post('/tags', { config: { operation: operations.create, access: write } }, async (request, reply) => {
    const { name, color } = parseBody(bodies.create, request);
    const data = await changeCollection(pg, principalOf(request), findTag, async (client, userId) => {
      await requireRoom(client, userId, TABLE);
      await requireFreeName(client, userId, { ...TABLE, name, id: null });
      const id = newId(Date.now());
      await client.query(INSERT, [id, userId, name, nameKey(name), color ?? null]);
      return { id, audit: ['tag.create', { tagId: id }] };
    });
    return reply.code(201).send(success('Tag created', data));
  });

  app.patch('/tags', { config: { operation: operations.update, access: write } }, async (request) => {
    const { id, ...patch } = parseBody(bodies.update, request);
    const data = await changeCollection(pg, principalOf(request), findTag, async (client, userId) => {
      const row = await findTag(client, id, userId);
      const { name = row.name, color = row.color } = patch;
      const isSame = { name: name === row.name, color: color === row.color };
      const changed = (['name', 'color'] as const).filter((member) => !isSame[member]);
      if (changed.length === 0) return { id, audit: null };
      await requireFreeName(client, userId, { ...TABLE, name, id });
      await client.query(UPDATE, [id, name, nameKey(name), color]);
      return { id, audit: ['tag.update', { tagId: id, changed }] };
    });
    return success('Tag updated', data);
  });

  app.delete('/tags', { config: { operation: operations.remove, access: write } }, async (request) => {
    const { tagId } = parseBody(bodies.remove, request);
    await changeCollection(pg, principalOf(request), findTag, async (client, userId) => {
      await findTag(client, tagId, userId);
      await client.query(DELETE, [tagId]);
      return { id: null, audit: ['tag.delete', { tagId }] };
    });
    return success('Tag deleted', null);
  });

  app.post('/tags/merge', { config: { operation: operations.merge, access: write } }, async (request) => {
    const { fromId, intoId } = parseBody(bodies.merge, request);
    if (fromId === intoId) throw fault('intoId', 'Must be another tag');
    const data = await changeCollection(pg, principalOf(request), findTag, async (client, userId) => {
      await findTag(client, fromId, userId);
      await findTag(client, intoId, userId);
      await client.query(MOVE, [fromId, intoId]);
      await client.query(DELETE, [fromId]);
      return { id: intoId, audit: ['tag.merge', { tagId: fromId, intoId }] };
    });
    return success('Tags merged', data);
  });
  done();
}

const findTag = (db: Queryable, id: string, userId: string): Promise<TagRow> =>
  requireOwn(db, FIND_ONE, { id, userId, noun: 'Tag' });

/** Throws VALIDATION_FAILED at `cursor`. */
function decodeKey(cursor: string): string {
  const bytes = Buffer.from(cursor, 'base64url');
  const key = bytes.toString();
  if (key !== '' && !key.includes('\0') && Buffer.from(key).equals(bytes)) return key;
  throw fault('cursor', 'Must be a cursor from an earlier answer');
}

export const EXAMPLE_TAG_ID = '019aa5c4-c000-7000-8000-0000000000b1';
export const EXAMPLE_OTHER_TAG_ID = '019aa5c4-c000-7000-8000-0000000000b2';

const EXAMPLE_TAG = {
  id: EXAMPLE_TAG_ID,
  name: 'Autumn',
  color: '#2f6f4f',
  smartlinkCount: 12,
  createdAt: EXAMPLE_CREATED_AT,
};

const object = onFirstCall(() =>
  z.strictObject({ ...objectMembers('tag', EXAMPLE_TAG.id), color: color().optional() }).meta({ id: 'Tag' }),
);

const operations = {
  ...collectionOperations({
    tag: 'Tags and folders',
    noun: 'tag',
    nouns: 'tags',
    max: ACCOUNT_TAGS_MAX,
    query: listQuerySchema,
    bodies,
    object,
    example: EXAMPLE_TAG,
    creates: { color: { summary: 'With a colour', value: { name: 'Winter', color: '#1a2b3c' } } },
    notes: {
      list: 'By name.',
      create: 'Smartlinks also create the tags that they name.',
      update: '`null` clears `color`. `updatedAt` and `ETag` of its smartlinks stay as they are.',
      remove: 'Its smartlinks lose it; their `updatedAt` and `ETag` stay as they are.',
    },
  }),
  merge: (): Operation => ({
    tag: 'Tags and folders',
    operationId: 'mergeTags',
    summary: 'Merge two tags',
    description:
      'The smartlinks of `fromId` get the tag `intoId`, and `fromId` is deleted. `updatedAt` and `ETag` of the smartlinks ' +
      'stay as they are.',
    body: {
      schema: bodies.merge,
      examples: {
        merge: { summary: 'Merge', value: { fromId: EXAMPLE_OTHER_TAG_ID, intoId: EXAMPLE_TAG.id } },
      },
    },
    success: {
      status: 200,
      description: 'The tag that stays.',
      data: {
        schema: object(),
        examples: { merged: { summary: 'Merged', message: 'Tags merged', data: EXAMPLE_TAG } },
      },
    },
    errors: {
      VALIDATION_FAILED: {
        same: { summary: 'One tag twice', details: [{ path: 'intoId', message: 'Must be another tag' }] },
      },
      NOT_FOUND: { notFound: { summary: 'Unknown tag', message: 'Tag not found' } },
    },
  }),
};
