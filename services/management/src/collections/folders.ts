import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { multiLineText, oneLineText, optional } from '@smartlink/smartlink/document';
import { nameKey, newId } from '@smartlink/smartlink/store';
import type { Access } from '../accounts/access.js';
import { principalOf } from '../accounts/accounts.js';
import { success } from '../envelope.js';
import { onFirstCall } from '../operation.js';
import { decodeCursor, encodeCursor, parseBody, parseQuery } from '../requests.js';
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

const FOLDERS_MAX = 500;
const TABLE = { table: 'folders', max: FOLDERS_MAX, nouns: 'folders' } as const;

// In code points.
const NAME_LENGTH_MAX = 64;
const DESCRIPTION_LENGTH_MAX = 256;

const listQuerySchema = z.object(pageParameters);

const name = () => oneLineText(NAME_LENGTH_MAX, 'required');
const description = () =>
  multiLineText(DESCRIPTION_LENGTH_MAX, 'required').meta({ description: 'What it is for.' });

const bodies = {
  create: z.object({ name: name(), description: optional(description()) }, 'Must be an object'),
  update: z.object(
    { id: objectId('folder'), name: name().optional(), description: description().nullable().optional() },
    'Must be an object',
  ),
  remove: z.object({ folderId: objectId('folder') }, 'Must be an object'),
};

type FolderRow = {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly createdAt: Date;
};

const VIEW = `
id, name, description,
(select count(*)::integer from smartlinks
 where smartlinks.folder_id = folders.id and smartlinks.status in ('Active', 'Paused')) as "smartlinkCount",
created_at as "createdAt"`;

const FIND_ONE = `select ${VIEW} from folders where id = $1 and user_id = $2`;

const LIST = `
select ${VIEW} from folders
where user_id = $1 and ($2::timestamptz is null or (created_at, id) < ($2, $3::uuid))
order by created_at desc, id desc limit $4`;

const INSERT = `insert into folders (id, user_id, name, key, description) values ($1, $2, $3, $4, $5)`;
const UPDATE = `update folders set name = $2, key = $3, description = $4 where id = $1`;

// The folder first, as what puts smartlinks into it; then the smartlinks in the order in which every statement locks several.
const LOCK = `select id from folders where id = $1 for update`;
const EMPTY = `
with held as (select id from smartlinks where folder_id = $1 order by id for no key update)
update smartlinks set folder_id = null from held where smartlinks.id = held.id`;
const DELETE = `delete from folders where id = $1`;

const read: Access = { scope: 'links:read', role: 'Viewer' };
const write: Access = { scope: 'links:write', role: 'Editor' };

/** GET, POST, PATCH and DELETE /folders. */
export function folderRoutes(app: FastifyInstance, _options: object, done: () => void): void {
  const { pg } = app;
  const findFolder = (db: Parameters<typeof requireOwn>[0], id: string, userId: string) =>
    requireOwn<FolderRow>(db, FIND_ONE, { id, userId, noun: 'Folder' });

  app.get('/folders', { config: { operation: operations.list, access: read } }, (request, reply) => {
    const query = parseQuery(listQuerySchema, request);
    const { userId } = principalOf(request);
    const after = query.cursor === undefined ? null : decodeCursor(query.cursor);
    const page = { path: '/folders', query, message: 'Folders retrieved' };
    return sendPage<FolderRow>(reply, page, {
      find: async (limit) =>
        (await pg.query<FolderRow>(LIST, [userId, after?.time ?? null, after?.id ?? null, limit])).rows,
      cursorOf: ({ id, createdAt }) => encodeCursor({ id, time: createdAt }),
    });
  });

  app.post(
    '/folders',
    { config: { operation: operations.create, access: write } },
    async (request, reply) => {
      const { name, description = null } = parseBody(bodies.create, request);
      const data = await changeCollection(pg, principalOf(request), findFolder, async (client, userId) => {
        await requireRoom(client, userId, TABLE);
        await requireFreeName(client, userId, { ...TABLE, name, id: null });
        const id = newId(Date.now());
        await client.query(INSERT, [id, userId, name, nameKey(name), description]);
        return { id, audit: ['folder.create', { folderId: id }] };
      });
      return reply.code(201).send(success('Folder created', data));
    },
  );

  app.patch('/folders', { config: { operation: operations.update, access: write } }, async (request) => {
    const { id, ...patch } = parseBody(bodies.update, request);
    const data = await changeCollection(pg, principalOf(request), findFolder, async (client, userId) => {
      const row = await findFolder(client, id, userId);
      const { name = row.name, description = row.description } = patch;
      const isSame = { name: name === row.name, description: description === row.description };
      const changed = (['name', 'description'] as const).filter((member) => !isSame[member]);
      if (changed.length === 0) return { id, audit: null };
      await requireFreeName(client, userId, { ...TABLE, name, id });
      await client.query(UPDATE, [id, name, nameKey(name), description]);
      return { id, audit: ['folder.update', { folderId: id, changed }] };
    });
    return success('Folder updated', data);
  });

  app.delete('/folders', { config: { operation: operations.remove, access: write } }, async (request) => {
    const { folderId } = parseBody(bodies.remove, request);
    await changeCollection(pg, principalOf(request), findFolder, async (client, userId) => {
      await findFolder(client, folderId, userId);
      await client.query(LOCK, [folderId]);
      await client.query(EMPTY, [folderId]);
      await client.query(DELETE, [folderId]);
      return { id: null, audit: ['folder.delete', { folderId }] };
    });
    return success('Folder deleted', null);
  });
  done();
}

export const EXAMPLE_FOLDER_ID = '019aa5c4-c000-7000-8000-0000000000f1';

const EXAMPLE_FOLDER = {
  id: EXAMPLE_FOLDER_ID,
  name: 'Spring campaign',
  description: 'Posters and newsletters.',
  smartlinkCount: 12,
  createdAt: EXAMPLE_CREATED_AT,
};

const object = onFirstCall(() =>
  z
    .strictObject({
      ...objectMembers('folder', EXAMPLE_FOLDER.id),
      description: z.string().optional().meta({ description: 'What it is for.' }),
    })
    .meta({ id: 'Folder' }),
);

const operations = collectionOperations({
  tag: 'Tags and folders',
  noun: 'folder',
  nouns: 'folders',
  max: FOLDERS_MAX,
  query: listQuerySchema,
  bodies,
  object,
  example: EXAMPLE_FOLDER,
  notes: {
    list: 'Newest first.',
    create:
      'A smartlink is in one folder at most, which its `folderId` names; folders do not contain folders.',
    update: '`null` clears `description`.',
    remove: 'Its smartlinks are in no folder then; their `updatedAt` and `ETag` stay as they are.',
  },
});
