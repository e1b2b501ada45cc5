import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Queryable } from '@smartlink/process/database';
import { check, type Fault, oneLineText, type Utm, utm } from '@smartlink/smartlink/document';
import { isObject } from '@smartlink/smartlink/model';
import { nameKey, newId } from '@smartlink/smartlink/store';
import type { Access } from '../accounts/access.js';
import { principalOf } from '../accounts/accounts.js';
import { success } from '../envelope.js';
import { faults } from '../errors.js';
import { onFirstCall } from '../operation.js';
import { decodeCursor, encodeCursor, isSmartlinkId, parseBody, parseQuery } from '../requests.js';
import { answerShape } from '../schema-shapes.js';
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

const TEMPLATES_MAX = 500;
const TABLE = { table: 'utm_templates', max: TEMPLATES_MAX, nouns: 'UTM templates' } as const;
// In code points.
const NAME_LENGTH_MAX = 64;

const listQuerySchema = z.object(pageParameters);

const name = () => oneLineText(NAME_LENGTH_MAX, 'required');
const parameters = () =>
  utm().refine((given) => Object.values(given).some((value) => value !== undefined), 'Must not be empty');

const bodies = {
  create: z.object({ name: name(), utm: parameters() }, 'Must be an object'),
  update: z.object(
    {
      id: objectId('UTM template'),
      name: name().optional(),
      utm: z
        .looseObject({}, 'Must be an object')
        .optional()
        .meta({ description: 'Merges with the stored members; `null` clears one.' }),
    },
    'Must be an object',
  ),
  remove: z.object({ templateId: objectId('UTM template') }, 'Must be an object'),
};

type TemplateRow = {
  readonly id: string;
  readonly name: string;
  readonly utm: Utm;
  readonly createdAt: Date;
};

const VIEW = `id, name, utm, created_at as "createdAt"`;
const FIND_ONE = `select ${VIEW} from utm_templates where id = $1 and user_id = $2`;
const LIST = `
select ${VIEW} from utm_templates
where user_id = $1 and ($2::timestamptz is null or (created_at, id) < ($2, $3::uuid))
order by created_at desc, id desc limit $4`;
const INSERT = `insert into utm_templates (id, user_id, name, key, utm) values ($1, $2, $3, $4, $5)`;
const UPDATE = `update utm_templates set name = $2, key = $3, utm = $4 where id = $1`;
const DELETE = `delete from utm_templates where id = $1`;

const read: Access = { scope: 'links:read', role: 'Viewer' };
const write: Access = { scope: 'links:write', role: 'Editor' };

const findTemplate = (db: Queryable, id: string, userId: string): Promise<TemplateRow> =>
  requireOwn(db, FIND_ONE, { id, userId, noun: 'UTM template' });

/** GET, POST, PATCH and DELETE /utm-templates. */
export function utmTemplateRoutes(app: FastifyInstance, _options: object, done: () => void): void {
  const { pg } = app;
  const path = '/utm-templates';

  app.get(path, { config: { operation: operations.list, access: read } }, (request, reply) => {
    const query = parseQuery(listQuerySchema, request);
    const { userId } = principalOf(request);
    const after = query.cursor === undefined ? null : decodeCursor(query.cursor);
    const page = { path, query, message: 'UTM templates retrieved' };
    return sendPage<TemplateRow>(reply, page, {
      find: async (limit) =>
        (await pg.query<TemplateRow>(LIST, [userId, after?.time ?? null, after?.id ?? null, limit])).rows,
      cursorOf: ({ id, createdAt }) => encodeCursor({ id, time: createdAt }),
    });
  });

  app.post(path, { config: { operation: operations.create, access: write } }, async (request, reply) => {
    const { name, utm } = parseBody(bodies.create, request);
    const data = await changeCollection(pg, principalOf(request), findTemplate, async (client, userId) => {
      await requireRoom(client, userId, TABLE);
      await requireFreeName(client, userId, { ...TABLE, name, id: null });
      const id = newId(Date.now());
      await client.query(INSERT, [id, userId, name, nameKey(name), JSON.stringify(utm)]);
      return { id, audit: ['utm-template.create', { templateId: id }] };
    });
    return reply.code(201).send(success('UTM template created', data));
  });

  app.patch(path, { config: { operation: operations.update, access: write } }, async (request) => {
    const { id, ...patch } = parseBody(bodies.update, request);
    const data = await changeCollection(pg, principalOf(request), findTemplate, async (client, userId) => {
      const row = await findTemplate(client, id, userId);
      const merged = { name: patch.name ?? row.name, utm: { ...row.utm, ...patch.utm } };
      const checked = check(bodies.create, merged);
      if (!checked.ok) throw faults(checked.faults);
      const { name, utm } = checked.value;
      const text = JSON.stringify(utm);
      const isSame = {
        name: name === row.name,
        utm: text === JSON.stringify(bodies.create.shape.utm.parse(row.utm)),
      };
      const changed = (['name', 'utm'] as const).filter((member) => !isSame[member]);
      if (changed.length === 0) return { id, audit: null };
      await requireFreeName(client, userId, { ...TABLE, name, id });
      await client.query(UPDATE, [id, name, nameKey(name), text]);
      return { id, audit: ['utm-template.update', { templateId: id, changed }] };
    });
    return success('UTM template updated', data);
  });

  app.delete(path, { config: { operation: operations.remove, access: write } }, async (request) => {
    const { templateId } = parseBody(bodies.remove, request);
    await changeCollection(pg, principalOf(request), findTemplate, async (client, userId) => {
      await findTemplate(client, templateId, userId);
      await client.query(DELETE, [templateId]);
      return { id: null, audit: ['utm-template.delete', { templateId }] };
    });
    return success('UTM template deleted', null);
  });
  done();
}

/** UTM templates by id. */
export type UtmTemplates = ReadonlyMap<string, Utm>;

const FIND_MANY = `select id, utm from utm_templates where user_id = $1 and id = any($2::uuid[])`;

/** The templates of a user that bodies of creates name. Without any it asks nothing. */
export async function findUtmTemplates(
  db: Queryable,
  userId: string,
  bodies: readonly unknown[],
): Promise<UtmTemplates> {
  const named = bodies.map((body) => (isObject(body) ? body['utmTemplateId'] : undefined));
  const ids = named.filter((id): id is string => typeof id === 'string' && isSmartlinkId(id));
  if (ids.length === 0) return new Map();
  const { rows } = await db.query(FIND_MANY, [userId, ids]);
  return new Map((rows as Pick<TemplateRow, 'id' | 'utm'>[]).map((row) => [row.id, row.utm]));
}

/** The body of a create with the members of its template, which its own `utm` overrides; only a Url link has them. */
export function applyUtmTemplate(
  body: Readonly<Record<string, unknown>>,
  templates: UtmTemplates,
): { readonly body: Readonly<Record<string, unknown>>; readonly faults: readonly Fault[] } {
  const { configuration, utmTemplateId, utm: own } = body;
  const isUrl = isObject(configuration) && configuration['smartlinkType'] === 'Url';
  if (utmTemplateId === undefined || utmTemplateId === null || !isUrl) return { body, faults: [] };
  const refused = (message: string) => ({ body, faults: [{ path: 'utmTemplateId', message }] });
  if (typeof utmTemplateId !== 'string') return refused('Must be a string');
  const template = templates.get(utmTemplateId);
  if (template === undefined) return refused('No such UTM template');
  const hasFault = own !== undefined && own !== null && !isObject(own);
  return { body: hasFault ? body : { ...body, utm: { ...template, ...own } }, faults: [] };
}

export const EXAMPLE_TEMPLATE_ID = '019aa5c4-c000-7000-8000-0000000000c1';

const EXAMPLE_TEMPLATE = {
  id: EXAMPLE_TEMPLATE_ID,
  name: 'Newsletter',
  utm: { source: 'newsletter', medium: 'email' },
  createdAt: EXAMPLE_CREATED_AT,
};

const object = onFirstCall(() => {
  const { id, createdAt } = objectMembers('UTM template', EXAMPLE_TEMPLATE.id);
  const templateName = z.string().meta({ description: 'Name of the UTM template.' });
  return z
    .strictObject({ id, name: templateName, utm: answerShape(utm()), createdAt })
    .meta({ id: 'UtmTemplate' });
});

const operations = collectionOperations({
  tag: 'Smartlinks',
  noun: 'UTM template',
  nouns: 'UTM templates',
  names: { one: 'UtmTemplate', many: 'UtmTemplates', id: 'templateId' },
  max: TEMPLATES_MAX,
  query: listQuerySchema,
  bodies,
  object,
  example: EXAMPLE_TEMPLATE,
  creates: {
    create: {
      summary: 'A UTM template',
      value: { name: EXAMPLE_TEMPLATE.name, utm: EXAMPLE_TEMPLATE.utm },
    },
  },
  notes: {
    list: 'Newest first.',
    create:
      'A create of a Url link with `utmTemplateId` copies its `utm`. Later changes of the template do not change the link.',
    update: 'Members of `utm` merge.',
    remove: 'Smartlinks made with it stay as they are.',
  },
});
