import type { FastifyInstance } from 'fastify';
import { type Queryable, withTransaction } from '@smartlink/process/database';
import type { Logger } from '@smartlink/process/lifecycle';
import { createLocalTries, createTries } from '@smartlink/process/tries';
import {
  addDomain,
  createDomainLookup,
  type DomainLook,
  DOMAINS_MAX,
  recordDomainChange,
  recordLook,
  removeDomain,
} from '@smartlink/smartlink/domains';
import { findOwnHosts, LOCK_USER } from '@smartlink/smartlink/store';
import type { Access } from '../accounts/access.js';
import { type Principal, principalOf } from '../accounts/accounts.js';
import { sendPage } from '../collections/collection.js';
import type { Config } from '../config.js';
import { success, withoutNulls } from '../envelope.js';
import { ApiError, fault, faults } from '../errors.js';
import { decodeCursor, encodeCursor, parseBody, parseQuery } from '../requests.js';
import { NO_URL_SAFETY, requireSafeUrls } from '../url-safety/url-safety.js';
import { observeLooks, startDailyLooks } from './daily-look.js';
import {
  createDomainSchemas,
  type CreateBody,
  domainOperations,
  listQuerySchema,
  type UpdateBody,
} from './operations.js';
import {
  countDomains,
  DESTINATIONS,
  type DomainRow,
  FILES,
  findDomain,
  listDomains,
  toDomain,
  updateDomain,
  urlsOfDomain,
} from './queries.js';

const read: Access = { scope: 'domains:read', role: 'Viewer' };
const write: Access = { scope: 'domains:write', role: 'Owner' };

// Each asks name servers that anyone may run.
const VERIFIES_PER_MINUTE = 10;
const ACCOUNTS_MAX = 10_000;

type DomainsOptions = {
  readonly config: Pick<
    Config,
    'PUBLIC_BASE_URL' | 'DOMAIN_DNS_SERVERS' | 'DOMAIN_VERIFICATION' | 'REDIS_KEY_PREFIX'
  >;
  readonly runsJobs: boolean;
  readonly log: Logger;
};

/** GET, POST, PATCH and DELETE /domains, POST /domains/verify, and the job of the daily looks. */
export function domains(
  app: FastifyInstance,
  { config, runsJobs, log }: DomainsOptions,
  done: () => void,
): void {
  const { pg, urlSafety } = app;
  const publicBaseUrl = config.PUBLIC_BASE_URL;
  const lookUp = createDomainLookup({ servers: config.DOMAIN_DNS_SERVERS, publicBaseUrl });
  const onLook = observeLooks(app.metrics.registry, pg);
  if (runsJobs) {
    const job = startDailyLooks({ pg, lookUp, urlSafety, onLook, log });
    app.addHook('onClose', job.stop);
  }
  const cnameTarget = new URL(publicBaseUrl).hostname;
  const schemas = createDomainSchemas(publicBaseUrl);
  const operations = domainOperations(schemas);
  const manager = createDomainManager(app, {
    isTrusting: config.DOMAIN_VERIFICATION === 'trust',
    lookUp,
    requireTry: limitVerifies(app, config.REDIS_KEY_PREFIX),
  });
  const view = (row: DomainRow) => withoutNulls(toDomain(row, cnameTarget));
  const path = '/domains';

  app.get(path, { config: { operation: operations.list, access: read } }, (request, reply) => {
    const query = parseQuery(listQuerySchema, request);
    const { userId } = principalOf(request);
    const after = query.cursor === undefined ? null : decodeCursor(query.cursor);
    const page = { path, query, message: 'Domains retrieved' };
    return sendPage(reply, page, {
      find: async (limit) =>
        (await listDomains(pg, userId, { after, limit })).map((row) => toDomain(row, cnameTarget)),
      cursorOf: ({ id, createdAt }) => encodeCursor({ id, time: createdAt }),
    });
  });

  app.post(path, { config: { operation: operations.create, access: write } }, async (request, reply) => {
    const principal = principalOf(request);
    if (!principal.plan.advancedAllowed) throw new ApiError('PLAN_RESTRICTED');
    const row = await manager.create(principal, parseBody(schemas.create, request));
    return reply.code(201).send(success('Domain created', view(row)));
  });

  app.patch(path, { config: { operation: operations.update, access: write } }, async (request) => {
    const row = await manager.update(principalOf(request), parseBody(schemas.update, request));
    return success('Domain updated', view(row));
  });

  app.delete(path, { config: { operation: operations.remove, access: write } }, async (request) => {
    await manager.remove(principalOf(request), parseBody(schemas.remove, request).domainId);
    return success('Domain deleted', null);
  });

  app.post(`${path}/verify`, { config: { operation: operations.verify, access: write } }, async (request) => {
    const row = await manager.verify(principalOf(request), parseBody(schemas.verify, request).id);
    return success(row.status === 'Active' ? 'Domain verified' : 'Domain not verified', view(row));
  });
  done();
}

/** Counts one try of an account. Rejects with RATE_LIMITED. */
function limitVerifies({ redis }: FastifyInstance, keyPrefix: string) {
  const tries = createTries(redis, Date.now);
  const limits = { perMinute: VERIFIES_PER_MINUTE, perHour: VERIFIES_PER_MINUTE * 60 };
  const local = createLocalTries(limits, ACCOUNTS_MAX);
  return async (userId: string): Promise<void> => {
    const taken = await tries.take([{ local, key: `${keyPrefix}domain-verify:1:${userId}` }]);
    if (taken.refusedBy === null) return;
    throw new ApiError('RATE_LIMITED', {
      message: 'Too many tries',
      headers: { 'retry-after': String(Math.ceil(taken.ms / 1_000)) },
    });
  };
}

const MEMBERS = [...Object.keys(DESTINATIONS), ...Object.keys(FILES)] as (
  | keyof typeof DESTINATIONS
  | keyof typeof FILES
)[];

const isProven = ({ status }: Pick<DomainRow, 'status'>): boolean =>
  status === 'Active' || status === 'Failing';

const domainTaken = () =>
  new ApiError('DOMAIN_TAKEN', { details: [{ path: 'host', message: 'Is already taken' }] });

const notFound = () => new ApiError('NOT_FOUND', { message: 'Domain not found' });

async function find(db: Queryable, id: string, userId: string, isLocked = false): Promise<DomainRow> {
  const row = await findDomain(db, { id, userId, isLocked });
  if (row === null) throw notFound();
  return row;
}

/** Merges a patch into a locked row of a locked account; the members that changed. */
async function apply(
  client: Queryable,
  { userId }: Principal,
  row: DomainRow,
  { patch, isUnjudged }: { readonly patch: Partial<UpdateBody>; readonly isUnjudged: boolean },
): Promise<readonly string[]> {
  if (patch.isDefault === true && !isProven(row)) throw fault('isDefault', 'This domain is not verified');
  const merged = { ...row, isDefault: patch.isDefault ?? row.isDefault };
  for (const name of MEMBERS) merged[name] = patch[name] === undefined ? row[name] : patch[name];
  const changed = ([...MEMBERS, 'isDefault'] as const).filter((name) => merged[name] !== row[name]);
  if (changed.length > 0) await updateDomain(client, userId, merged, { isUnjudged });
  return changed;
}

/** The use cases of an account's domains. They reject with NOT_FOUND for a domain of another account. */
function createDomainManager(
  { pg, urlSafety }: Pick<FastifyInstance, 'pg' | 'urlSafety'>,
  deps: {
    readonly isTrusting: boolean;
    readonly lookUp: (host: string) => Promise<DomainLook>;
    readonly requireTry: (userId: string) => Promise<void>;
  },
) {
  /** Checks new destinations; whether they are left for the daily look to judge. */
  async function checkDestinations(patch: Partial<UpdateBody>, row: { host: string } & Partial<DomainRow>) {
    const urls = urlsOfDomain(patch).filter(
      ({ path, url }) => row[path as keyof typeof DESTINATIONS] !== url,
    );
    const hosts = new Map(urls.map(({ path, url }) => [path, new URL(url).hostname.replace(/\.$/, '')]));
    const own = new Set([row.host, ...(await findOwnHosts(pg, hosts.values()))]);
    const rings = [...hosts].filter(([, host]) => own.has(host));
    if (rings.length > 0) throw faults(rings.map(([path]) => ({ path, message: 'Invalid URL format' })));
    if (urls.length === 0 || urlSafety === NO_URL_SAFETY) return false;
    return !(await requireSafeUrls(urlSafety, urls));
  }

  return {
    /** Rejects with VALIDATION_FAILED above the maximum, and with DOMAIN_TAKEN. */
    async create(principal: Principal, { host, ...patch }: CreateBody): Promise<DomainRow> {
      const { userId, actor } = principal;
      const isUnjudged = await checkDestinations(patch, { host });
      return withTransaction(pg, async (client) => {
        await client.query(LOCK_USER, [userId]);
        if ((await countDomains(client, userId)) >= DOMAINS_MAX) {
          throw fault('', `A user has at most ${DOMAINS_MAX} domains`);
        }
        const id = await addDomain(client, { userId, host, isTrusted: deps.isTrusting });
        if (id === null) throw domainTaken();
        await apply(client, principal, await find(client, id, userId, true), { patch, isUnjudged });
        await recordDomainChange(client, { id, userId, host }, actor, 'domain.create');
        return find(client, id, userId);
      });
    },

    /** A patch without a difference writes nothing. */
    async update(principal: Principal, { id, ...patch }: UpdateBody): Promise<DomainRow> {
      const { userId, actor } = principal;
      const isUnjudged = await checkDestinations(patch, await find(pg, id, userId));
      return withTransaction(pg, async (client) => {
        // Its default domain is one at a time.
        await client.query(LOCK_USER, [userId]);
        const row = await find(client, id, userId, true);
        const changed = await apply(client, principal, row, { patch, isUnjudged });
        if (changed.length === 0) return row;
        await recordDomainChange(client, { ...row, userId }, actor, 'domain.update', { changed });
        return find(client, id, userId);
      });
    },

    /** Rejects with DOMAIN_IN_USE. */
    async remove({ userId, actor }: Principal, id: string): Promise<void> {
      await find(pg, id, userId);
      const outcome = await withTransaction(pg, (client) => removeDomain(client, { id, userId, actor }));
      if (outcome === 'unknown') throw notFound();
      if (outcome === 'used') throw new ApiError('DOMAIN_IN_USE');
    },

    /** Looks at its records now. Rejects with RATE_LIMITED, and with DOMAIN_TAKEN if another account has the host. */
    async verify({ userId, actor }: Principal, id: string): Promise<DomainRow> {
      const { host } = await find(pg, id, userId);
      await deps.requireTry(userId);
      const look = await deps.lookUp(host);
      const outcome = await withTransaction(pg, (client) => recordLook(client, { id, actor }, look));
      if (outcome === null) throw notFound();
      if (outcome === 'taken') throw domainTaken();
      return find(pg, id, userId);
    },
  };
}
