import { randomInt } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Pool, PoolClient } from 'pg';
import { type Queryable, withTransaction } from '@smartlink/process/database';
import {
  API_KEYS_MAX,
  apiKeyDigest,
  apiKeyDisplayPrefix,
  generateApiKey,
  insertApiKey,
  type Scope,
  toCidrs,
} from '@smartlink/smartlink/credentials';
import { LOCK_USER } from '@smartlink/smartlink/store';
import { success, withoutNulls } from '../envelope.js';
import { ApiError, fault } from '../errors.js';
import {
  decodeCursor,
  encodeCursor,
  isSmartlinkId,
  nextPageHeaders,
  parseBody,
  parseQuery,
} from '../requests.js';
import { type Access, requireKey } from './access.js';
import { type Principal, principalOf } from './accounts.js';
import { addAuditEntry } from './audit.js';
import {
  type CreateBody,
  createBodySchema,
  deleteBodySchema,
  keyOperations,
  LIST_LIMIT_MAX,
  type ListQuery,
  listQuerySchema,
  type RotateBody,
  rotateBodySchema,
  type UpdateBody,
  updateBodySchema,
} from './key-operations.js';

const owner: Access = { person: 'Owner' };
const confirmed: Access = { ...owner, isConfirmed: true };

/** The API keys of an account, for its Owners, and GET /keys/current, for a key about itself. */
export function keyRoutes(app: FastifyInstance, _options: object, done: () => void): void {
  const { pg } = app;
  const keys = createKeyManager(pg);
  const operations = keyOperations();

  app.get('/keys', { config: { operation: operations.list, access: owner } }, async (request, reply) => {
    const query = parseQuery(listQuerySchema, request);
    const { data, nextCursor } = await keys.list(principalOf(request), query);
    if (nextCursor !== null) reply.headers(nextPageHeaders('/keys', query, nextCursor));
    return success('API keys retrieved', data);
  });

  app.post(
    '/keys',
    { config: { operation: operations.create, access: confirmed } },
    async (request, reply) => {
      const principal = principalOf(request);
      const body = parseBody(createBodySchema, request);
      return reply.code(201).send(success('API key created', await keys.create(principal, body)));
    },
  );

  app.patch('/keys', { config: { operation: operations.update, access: confirmed } }, async (request) => {
    const principal = principalOf(request);
    const body = parseBody(updateBodySchema, request);
    return success('API key updated', await keys.update(principal, body));
  });

  app.delete('/keys', { config: { operation: operations.remove, access: confirmed } }, async (request) => {
    const principal = principalOf(request);
    const { keyId } = parseBody(deleteBodySchema, request);
    await keys.revoke(principal, keyId);
    return success('API key revoked', null);
  });

  app.post(
    '/keys/rotate',
    { config: { operation: operations.rotate, access: confirmed } },
    async (request) => {
      const principal = principalOf(request);
      const body = parseBody(rotateBodySchema, request);
      return success('API key rotated', await keys.rotate(principal, body));
    },
  );

  app.get(
    '/keys/current',
    { config: { operation: operations.current, access: { scope: 'any', role: 'Viewer' } } },
    async (request) => {
      const principal = principalOf(request);
      return success('API key retrieved', await keys.find(principal, requireKey(principal)));
    },
  );
  done();
}

// The members of a key in answers: never add a digest.
const COLUMNS = `
  id, name, display_prefix as "displayPrefix", scopes, created_by as "createdBy",
  to_json(allowed_networks::inet[]) as "allowedNetworks", expires_at as "expiresAt", created_at as "createdAt",
  last_used_at as "lastUsedAt"`;

const OWN_KEYS = `from api_keys where user_id = $1 and revoked_at is null`;
const LIST = `
select ${COLUMNS} ${OWN_KEYS} and ($2::timestamptz is null or (created_at, id) < ($2, $3::uuid))
order by created_at desc, id desc
limit $4`;
const FIND_ONE = `select ${COLUMNS} ${OWN_KEYS} and id = $2`;

// The user's row is the lock for the number of keys, as for the number of smartlinks.
const COUNT = `select count(*)::integer as count ${OWN_KEYS}`;

const UPDATE = `
update api_keys set name = $2, scopes = $3, allowed_networks = ${toCidrs('$4')}, expires_at = $5
where id = $1
returning ${COLUMNS}`;

const REVOKE = `update api_keys set revoked_at = now() where id = $1`;

// A key before the previous one stops working at once.
const ROTATE = `
update api_keys set
  key_sha256 = $2, display_prefix = $3,
  previous_sha256 = case when $4 > 0 then key_sha256 end,
  previous_until = case when $4 > 0 then now() + $4 * interval '1 second' end
where id = $1
returning ${COLUMNS}`;

/** null: none. */
type KeyRow = {
  readonly id: string;
  readonly name: string;
  readonly displayPrefix: string;
  readonly scopes: readonly Scope[];
  readonly createdBy: string | null;
  readonly allowedNetworks: readonly string[] | null;
  readonly expiresAt: Date | null;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
};

/** The use cases of an account's keys. They reject with NOT_FOUND for a key of another account, or a revoked one. */
function createKeyManager(pg: Pool) {
  return {
    /** Newest first. Throws VALIDATION_FAILED for a malformed cursor. */
    async list({ userId }: Principal, { limit = LIST_LIMIT_MAX, cursor }: ListQuery) {
      const after = cursor === undefined ? null : decodeCursor(cursor);
      const { rows } = await pg.query<KeyRow>(LIST, [userId, after?.time, after?.id, limit + 1]);
      const page = rows.slice(0, limit);
      const last = page.at(-1);
      const hasMore = rows.length > limit && last !== undefined;
      return {
        data: page.map(withoutNulls),
        nextCursor: hasMore ? encodeCursor({ time: last.createdAt, id: last.id }) : null,
      };
    },

    async find({ userId }: Principal, id: string): Promise<object> {
      return withoutNulls(await findOwn(pg, userId, id));
    },

    /** Only this answer holds the key. Rejects with PLAN_RESTRICTED, and with VALIDATION_FAILED above the maximum. */
    create(principal: Principal, body: CreateBody): Promise<object> {
      requireScopesOfPlan(principal, body.scopes);
      const { userId } = principal;
      return withTransaction(pg, async (client) => {
        if ((await lockCount(client, userId)) >= API_KEYS_MAX) {
          throw fault('', `A user has at most ${API_KEYS_MAX} API keys`);
        }
        const { id, apiKey } = await insertApiKey(client, {
          ...body,
          userId,
          createdBy: personOf(principal),
        });
        const key = await findOwn(client, userId, id);
        await addKeyEntry(client, principal, 'key.create', key, { name: key.name });
        return { ...withoutNulls(key), apiKey };
      });
    },

    /** A patch without a difference leaves no audit entry. Rejects with PLAN_RESTRICTED. */
    update(principal: Principal, { id, ...patch }: UpdateBody): Promise<object> {
      if (patch.scopes !== undefined) requireScopesOfPlan(principal, patch.scopes);
      return withTransaction(pg, async (client) => {
        const before = await lockOwn(client, principal.userId, id);
        const { name, scopes, allowedNetworks, expiresAt } = { ...before, ...withoutUndefined(patch) };
        const { rows } = await client.query<KeyRow>(UPDATE, [id, name, scopes, allowedNetworks, expiresAt]);
        const [after = before] = rows;
        const changed = CHANGEABLE.filter(
          (member) => JSON.stringify(before[member]) !== JSON.stringify(after[member]),
        );
        if (changed.length > 0) await addKeyEntry(client, principal, 'key.update', after, { changed });
        return withoutNulls(after);
      });
    },

    revoke(principal: Principal, id: string): Promise<void> {
      return withTransaction(pg, async (client) => {
        const key = await lockOwn(client, principal.userId, id);
        await client.query(REVOKE, [id]);
        await addKeyEntry(client, principal, 'key.revoke', key);
      });
    },

    /** Only this answer holds the new key. An expired key is not rotated: VALIDATION_FAILED. */
    rotate(principal: Principal, { id, graceSeconds = 0 }: RotateBody): Promise<object> {
      return withTransaction(pg, async (client) => {
        const { expiresAt } = await lockOwn(client, principal.userId, id);
        if (expiresAt !== null && expiresAt.getTime() <= Date.now()) throw fault('id', 'The key has expired');
        const apiKey = generateApiKey(randomInt);
        const values = [id, apiKeyDigest(apiKey), apiKeyDisplayPrefix(apiKey), graceSeconds];
        const { rows } = await client.query<KeyRow>(ROTATE, values);
        const [key] = rows as [KeyRow];
        await addKeyEntry(client, principal, 'key.rotate', key);
        return { ...withoutNulls(key), apiKey };
      });
    },
  };
}

const CHANGEABLE = ['name', 'scopes', 'allowedNetworks', 'expiresAt'] as const;

function withoutUndefined<T extends object>(patch: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined)) as {
    [Name in keyof T]?: Exclude<T[Name], undefined>;
  };
}

function requireScopesOfPlan({ plan }: Principal, scopes: readonly Scope[]): void {
  if (!plan.advancedAllowed && scopes.some((scope) => scope !== '*')) throw new ApiError('PLAN_RESTRICTED');
}

function personOf({ credential }: Principal): string | null {
  return credential.kind === 'session' ? credential.personId : null;
}

function addKeyEntry(
  client: PoolClient,
  principal: Principal,
  action: `key.${string}`,
  { id: keyId, displayPrefix }: KeyRow,
  details: object = {},
): Promise<void> {
  return addAuditEntry(client, principal, action, { keyId, displayPrefix, ...details });
}

/** A key of the account that is not revoked. Rejects with NOT_FOUND. */
async function findOwn(db: Queryable, userId: string, id: string, lock = ''): Promise<KeyRow> {
  const { rows } = isSmartlinkId(id) ? await db.query(FIND_ONE + lock, [userId, id]) : { rows: [] };
  if (rows[0] === undefined) throw new ApiError('NOT_FOUND', { message: 'API key not found' });
  return rows[0] as KeyRow;
}

function lockOwn(db: Queryable, userId: string, id: string): Promise<KeyRow> {
  return findOwn(db, userId, id, ' for no key update');
}

/** Counts the keys of an account and blocks additions until the transaction ends. */
async function lockCount(client: PoolClient, userId: string): Promise<number> {
  await client.query(LOCK_USER, [userId]);
  const { rows } = await client.query<{ count: number }>(COUNT, [userId]);
  return rows[0]?.count ?? 0;
}
