import type { FastifyReply } from 'fastify';
import type { Pool, PoolClient } from 'pg';
import { z } from 'zod';
import { type Queryable, withTransaction } from '@smartlink/process/database';
import { LOCK_USER, nameKey } from '@smartlink/smartlink/store';
import type { Principal } from '../accounts/accounts.js';
import { addAuditEntry } from '../accounts/audit.js';
import { success } from '../envelope.js';
import { ApiError, fault, nameTaken } from '../errors.js';
import { type DataExample, EXAMPLE_TIME, type Operation, type Tag, timestamp } from '../operation.js';
import {
  cursorField,
  isSmartlinkId,
  nextPageHeaders,
  smartlinkIdSchema,
  wholeNumberField,
} from '../requests.js';

// What the collections of an account's named objects have in common: tags, folders, UTM templates.

/** Tables with the columns `id`, `user_id`, `name`, and `key`, which is unique in an account. */
type NamedTable = 'tags' | 'folders' | 'utm_templates';

export const LIST_LIMIT_MAX = 100;

/** Parameters of every list. */
export const pageParameters = {
  limit: wholeNumberField(1, LIST_LIMIT_MAX)
    .optional()
    .meta({ description: `Objects per page; ${LIST_LIMIT_MAX} by default.` }),
  cursor: cursorField(),
};

type PageQuery = { readonly limit?: number | undefined; readonly cursor?: string | undefined };

/** Reads a page by `find`, which is given one row more than the page has, and answers it with the way to the next page. */
export async function sendPage<Row extends object>(
  reply: FastifyReply,
  { path, query, message }: { readonly path: string; readonly query: PageQuery; readonly message: string },
  {
    find,
    cursorOf,
  }: {
    readonly find: (limit: number) => Promise<readonly Row[]>;
    readonly cursorOf: (last: Row) => string;
  },
): Promise<object> {
  const limit = query.limit ?? LIST_LIMIT_MAX;
  const rows = await find(limit + 1);
  const last = rows[limit - 1];
  if (rows.length > limit && last !== undefined) {
    void reply.headers(nextPageHeaders(path, query, cursorOf(last)));
  }
  return success(message, rows.slice(0, limit).map(toView));
}

/** A row as an answer: unset members are absent, and the key of its name. */
function toView(row: object): object {
  return Object.fromEntries(Object.entries(row).filter(([name, value]) => value !== null && name !== 'key'));
}

export const objectId = (noun: string) =>
  smartlinkIdSchema.meta({ description: `Identifier of the ${noun}.`, minLength: 1 });

type Change = {
  /** The object to answer with. */
  readonly id: string | null;
  readonly audit: readonly [`${string}.${string}`, Readonly<Record<string, unknown>>] | null;
};

/**
 * Changes a collection in a transaction that locks the account, so that its names and their number stay the same, and
 * returns the changed object by `find`. Every transaction that tags smartlinks waits for that lock too.
 */
export function changeCollection(
  pg: Pool,
  { userId, actor }: Principal,
  find: (client: PoolClient, id: string, userId: string) => Promise<object>,
  work: (client: PoolClient, userId: string) => Promise<Change>,
): Promise<object | null> {
  return withTransaction(pg, async (client) => {
    await client.query(LOCK_USER, [userId]);
    const { id, audit } = await work(client, userId);
    if (audit !== null) await addAuditEntry(client, { actor, userId }, ...audit);
    return id === null ? null : toView(await find(client, id, userId));
  });
}

/** The account must be locked. Throws VALIDATION_FAILED if it has as many as it may have. */
export async function requireRoom(
  client: PoolClient,
  userId: string,
  { table, max, nouns }: { readonly table: NamedTable; readonly max: number; readonly nouns: string },
): Promise<void> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::integer as count from ${table} where user_id = $1`,
    [userId],
  );
  if ((rows[0]?.count ?? 0) >= max) throw fault('', `A user has at most ${max} ${nouns}`);
}

/** The account must be locked. Throws NAME_TAKEN if an object other than `id` has the name in some spelling. */
export async function requireFreeName(
  client: PoolClient,
  userId: string,
  { table, name, id }: { readonly table: NamedTable; readonly name: string; readonly id: string | null },
): Promise<void> {
  const { rows } = await client.query<{ id: string }>(
    `select id from ${table} where user_id = $1 and key = $2`,
    [userId, nameKey(name)],
  );
  if (rows.some((row) => row.id !== id)) throw nameTaken();
}

/** The row of an account by `sql` with its id and the account's. Rejects with NOT_FOUND. */
export async function requireOwn<Row>(
  db: Queryable,
  sql: string,
  { id, userId, noun }: { readonly id: string; readonly userId: string; readonly noun: string },
): Promise<Row> {
  const { rows } = isSmartlinkId(id) ? await db.query(sql, [id, userId]) : { rows: [] };
  if (rows[0] === undefined) throw new ApiError('NOT_FOUND', { message: `${noun} not found` });
  return rows[0] as Row;
}

/** Members of every object in answers. */
export const objectMembers = (noun: string, exampleId: string) => ({
  id: z.string().meta({ description: `Identifier of the ${noun}.`, example: exampleId }),
  name: z.string().meta({ description: `Name of the ${noun}, as first spelled.` }),
  smartlinkCount: z.int().min(0).meta({ description: 'Active and Paused smartlinks with it.' }),
  createdAt: timestamp('When it was created, in UTC.'),
});

export const EXAMPLE_CREATED_AT = EXAMPLE_TIME;

type Described = {
  readonly tag: Tag;
  /** Singular and plural: `tag`, `tags`. */
  readonly noun: string;
  readonly nouns: string;
  /** Names in operation ids, and of the id in a deletion; by default the nouns: `Tag`, `Tags`, `tagId`. */
  readonly names?: { readonly one: string; readonly many: string; readonly id: string };
  readonly max: number;
  readonly query: z.ZodObject;
  readonly bodies: { readonly create: z.ZodType; readonly update: z.ZodType; readonly remove: z.ZodType };
  readonly object: () => z.ZodType;
  readonly example: { readonly id: string; readonly name: string };
  /** Further examples of a create; `create` replaces the first one. */
  readonly creates?: Readonly<Record<string, { readonly summary: string; readonly value: object }>>;
  /** Sentences that are added to the descriptions. */
  readonly notes: Readonly<Record<'list' | 'create' | 'update' | 'remove', string>>;
};

/** The operations of a collection in the API reference. */
export const collectionOperations = (described: Described) => ({
  list: () => listOperation(described),
  create: () => createOperation(described),
  update: () => updateOperation(described),
  remove: () => removeOperation(described),
});

/** As they stand in operation ids and bodies. */
const namesOf = ({ noun, nouns, names }: Described) =>
  names ?? { one: capitalized(noun), many: capitalized(nouns), id: `${noun}Id` };

function listOperation(described: Described): Operation {
  const { tag, noun, nouns, query, object, example, notes } = described;
  const Nouns = capitalized(nouns);
  return {
    tag,
    operationId: `list${namesOf(described).many}`,
    summary: `List ${nouns}`,
    description: `${notes.list} In pages: follow \`Link: rel="next"\`, or send \`X-Next-Cursor\` as \`cursor\`.`,
    query,
    success: {
      status: 200,
      description: 'A page of the list.',
      headers: ['Link', 'X-Next-Cursor'],
      data: {
        schema: z.array(object()),
        examples: { list: { summary: `One ${noun}`, message: `${Nouns} retrieved`, data: [example] } },
      },
    },
    errors: {
      VALIDATION_FAILED: {
        limit: {
          summary: 'A limit that is too high',
          details: [{ path: 'limit', message: `Must be a whole number from 1 to ${LIST_LIMIT_MAX}` }],
        },
      },
    },
  };
}

const NAME_TAKEN = {
  taken: { summary: 'A name in use', details: [{ path: 'name', message: 'Is already taken' }] },
};

function createOperation(described: Described): Operation {
  const { tag, noun, nouns, max, bodies, example, creates = {}, notes } = described;
  return {
    tag,
    operationId: `create${namesOf(described).one}`,
    summary: `Create a ${noun}`,
    description: `A user can have at most ${max} ${nouns}. ${notes.create}`,
    body: {
      schema: bodies.create,
      examples: { create: { summary: `A ${noun}`, value: { name: example.name } }, ...creates },
    },
    success: { status: 201, description: 'Created.', data: answerOf(described, 'created') },
    errors: {
      VALIDATION_FAILED: {
        tooMany: {
          summary: `Too many ${nouns}`,
          details: [{ path: '', message: `A user has at most ${max} ${nouns}` }],
        },
      },
      NAME_TAKEN,
    },
  };
}

function updateOperation(described: Described): Operation {
  const { tag, noun, bodies, example, notes } = described;
  return {
    tag,
    operationId: `update${namesOf(described).one}`,
    summary: `Change a ${noun}`,
    description: `Send \`id\` and the members to change. ${notes.update}`,
    body: {
      schema: bodies.update,
      examples: { rename: { summary: 'Rename', value: { id: example.id, name: `${example.name} 2` } } },
    },
    success: { status: 200, description: 'Changed.', data: answerOf(described, 'updated') },
    errors: {
      VALIDATION_FAILED: missing('id'),
      NOT_FOUND: notFound(noun),
      NAME_TAKEN,
    },
  };
}

function removeOperation(described: Described): Operation {
  const { tag, noun, bodies, example, notes } = described;
  const Noun = capitalized(noun);
  const { one, id: idName } = namesOf(described);
  return {
    tag,
    operationId: `delete${one}`,
    summary: `Delete a ${noun}`,
    description: notes.remove,
    body: {
      schema: bodies.remove,
      examples: { delete: { summary: 'Delete', value: { [idName]: example.id } } },
    },
    success: {
      status: 200,
      description: 'Deleted.',
      data: {
        schema: z.null(),
        examples: { deleted: { summary: 'Deleted', message: `${Noun} deleted`, data: null } },
      },
    },
    errors: { VALIDATION_FAILED: missing(idName), NOT_FOUND: notFound(noun) },
  };
}

function answerOf({ noun, object, example }: Described, done: string) {
  const shown: DataExample = {
    summary: capitalized(done),
    message: `${capitalized(noun)} ${done}`,
    data: example,
  };
  return { schema: object(), examples: { [done]: shown } };
}

const missing = (name: string) => ({
  missingId: { summary: `No ${name}`, details: [{ path: name, message: 'Required' }] },
});

const notFound = (noun: string) => ({
  notFound: { summary: `Unknown ${noun}`, message: `${capitalized(noun)} not found` },
});

const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
