import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Queryable } from '@smartlink/process/database';
import { success, withoutNulls } from '../envelope.js';
import { EXAMPLE_ID, EXAMPLE_TIME, type Operation, timestamp } from '../operation.js';
import {
  cursorField,
  dateField,
  decodeCursor,
  encodeCursor,
  isSmartlinkId,
  nextPageHeaders,
  parseQuery,
  textField,
  wholeNumberField,
} from '../requests.js';
import { principalOf } from './accounts.js';

const ADD_AUDIT_ENTRY = `
insert into audit_entries (actor, action, user_id, details) values ($1, $2, $3, $4)`;

/**
 * Records a change of anything but a smartlink, in its transaction. `details` holds ids and names of changed members, no
 * content and no secrets. Without a `userId` it concerns the installation.
 */
export async function addAuditEntry(
  db: Queryable,
  { actor, userId }: { readonly actor: string; readonly userId: string | null },
  action: `${string}.${string}`,
  details: Readonly<Record<string, unknown>>,
): Promise<void> {
  await db.query(ADD_AUDIT_ENTRY, [actor, action, userId, JSON.stringify(details)]);
}

/** GET /audit. */
export function auditRoutes(app: FastifyInstance, _options: object, done: () => void): void {
  app.get(
    '/audit',
    { config: { operation: auditOperation, access: { person: 'Owner' } } },
    async (request, reply) => {
      const query = parseQuery(auditQuerySchema, request);
      const { data, nextCursor } = await listEntries(app.pg, principalOf(request).userId, query);
      if (nextCursor !== null) reply.headers(nextPageHeaders('/audit', query, nextCursor));
      return success('Changes retrieved', data);
    },
  );
  done();
}

const LIMIT_MAX = 100;

const auditQuerySchema = z.object({
  smartlinkId: textField().optional().meta({ description: 'Only changes of this smartlink.' }),
  action: textField().optional().meta({ description: 'Only this action, such as `smartlink.update`.' }),
  from: dateField().meta({ description: 'First day, inclusive, in UTC.' }),
  to: dateField().meta({ description: 'Last day, inclusive, in UTC.' }),
  limit: wholeNumberField(1, LIMIT_MAX)
    .optional()
    .meta({ description: `Changes per page; ${LIMIT_MAX} by default.` }),
  cursor: cursorField(),
});
type AuditQuery = z.output<typeof auditQuerySchema>;

// The values are known when Postgres plans: a filter that is null folds away, and the others use the index that has their
// column. Keys and persons are looked up for the rows that are shown.
const LIST_ENTRIES = `
select entries.id::text, entries.at, entries.actor, entries.action, entries.smartlink_id as "smartlinkId",
       entries.details -> 'changed' as changed, coalesce(keys.name, people.email) as "actorName"
from (
  select id, at, actor, action, smartlink_id, details, substring(actor from '^(?:key|session) ([0-9a-f-]{36})$')::uuid as actor_id
  from audit_entries
  where user_id = $1
    and ($2::uuid is null or smartlink_id = $2)
    and ($3::text is null or action = $3)
    and ($4::date is null or at >= $4::date::timestamp at time zone 'UTC')
    and ($5::date is null or at < ($5::date + 1)::timestamp at time zone 'UTC')
    and ($6::timestamptz is null or (at, id) < ($6, $7::bigint))
  order by at desc, id desc
  limit $8
) as entries
left join api_keys as keys on keys.id = entries.actor_id and keys.user_id = $1 and entries.actor like 'key %'
left join people on people.id = entries.actor_id and entries.actor like 'session %'
order by entries.at desc, entries.id desc`;

type EntryRow = {
  readonly id: string;
  readonly at: Date;
  readonly actor: string;
  readonly actorName: string | null;
  readonly action: string;
  readonly smartlinkId: string | null;
  readonly changed: readonly string[] | null;
};

/** Newest first. Throws VALIDATION_FAILED for a malformed cursor. */
async function listEntries(db: Queryable, userId: string, query: AuditQuery) {
  const { smartlinkId, action, from, to, limit = LIMIT_MAX, cursor } = query;
  const after = cursor === undefined ? null : decodeCursor(cursor, /^\d{1,18}$/);
  if (smartlinkId !== undefined && !isSmartlinkId(smartlinkId)) return { data: [], nextCursor: null };
  const filters = [userId, smartlinkId, action, from, to];
  const { rows } = await db.query(LIST_ENTRIES, [...filters, after?.time, after?.id, limit + 1]);
  const page = (rows as EntryRow[]).slice(0, limit);
  const last = page.at(-1);
  return {
    data: page.map(({ actor, actorName, ...entry }) =>
      withoutNulls({ ...entry, actor: toActor(actor, actorName) }),
    ),
    nextCursor:
      rows.length > limit && last !== undefined ? encodeCursor({ time: last.at, id: last.id }) : null,
  };
}

/** The actor of an entry: `key <id>`, `session <person>`, `admin` (the command), or a job of the service. */
function toActor(actor: string, name: string | null): object {
  const [kind = '', id] = actor.split(' ', 2);
  if (kind === 'key' || kind === 'session') return withoutNulls({ kind, id: id ?? null, name });
  return { kind: kind === 'admin' ? 'admin' : 'system' };
}

function entrySchema() {
  return z
    .strictObject({
      id: z.string().meta({ description: 'Identifier of the change.', example: '7301' }),
      at: timestamp('When it was made, in UTC.'),
      action: z.string().meta({ description: 'What was done.', example: 'smartlink.update' }),
      smartlinkId: z
        .string()
        .optional()
        .meta({ description: 'The smartlink that was changed.', example: EXAMPLE_ID }),
      changed: z.array(z.string()).optional().meta({ description: 'Names of the changed members.' }),
      actor: z
        .strictObject({
          kind: z.enum(['key', 'session', 'admin', 'system']).meta({
            description: 'An API key, a signed-in person, the admin command, or the service itself.',
          }),
          id: z.string().optional().meta({ description: 'Of the key or the person.' }),
          name: z
            .string()
            .optional()
            .meta({ description: 'Name of the key, or e-mail address of the person, unless deleted.' }),
        })
        .meta({ description: 'What or who made the change.' }),
    })
    .meta({ id: 'Change' });
}

function auditOperation(): Operation {
  return {
    operationId: 'listChanges',
    summary: 'Read the audit log',
    description:
      'The changes of the account, newest first, in pages: follow `Link: rel="next"`, or send `X-Next-Cursor` as `cursor`. ' +
      'They name what was changed, never its content. For signed-in Owners.',
    tag: 'Account',
    query: auditQuerySchema,
    success: {
      status: 200,
      description: 'A page of changes.',
      headers: ['Link', 'X-Next-Cursor'],
      data: {
        schema: z.array(entrySchema()),
        examples: {
          changes: {
            summary: 'A change',
            message: 'Changes retrieved',
            data: [
              {
                id: '7301',
                at: EXAMPLE_TIME,
                action: 'smartlink.update',
                smartlinkId: EXAMPLE_ID,
                changed: ['smartlinkName'],
                actor: { kind: 'key', id: '0b1f7a52-8c1b-4f5e-9a35-0e6f7c8b9a10', name: 'Website' },
              },
            ],
          },
        },
      },
    },
    errors: {
      VALIDATION_FAILED: {
        day: {
          summary: 'A day that does not exist',
          details: [{ path: 'from', message: 'Must be a date as YYYY-MM-DD, from 1970 to 2199' }],
        },
      },
    },
  };
}
