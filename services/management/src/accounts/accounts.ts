import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { clientNetwork } from '@smartlink/process/client-address';
import type { Queryable } from '@smartlink/process/database';
import { isApiKey } from '@smartlink/smartlink/credentials';
import { success } from '../envelope.js';
import { ApiError } from '../errors.js';
import type { Operation } from '../operation.js';
import { headerValues } from '../requests.js';
import type { Role, Scope } from './access.js';
import { createKeyGuesses, tooManyGuesses } from './key-guesses.js';

/** GET /validate: the scope requires a valid key. */
export function accountRoutes(app: FastifyInstance, _options: object, done: () => void): void {
  app.get(
    '/validate',
    { config: { operation: validateOperation, access: { scope: 'any', role: 'Viewer' } } },
    () => success('API key is valid', null),
  );
  done();
}

function validateOperation(): Operation {
  return {
    operationId: 'validateKey',
    summary: 'Check an API key',
    description: 'Checks whether the key is valid. The call counts towards the rate limit like any other.',
    tag: 'Account',
    success: {
      status: 200,
      description: 'The key is valid.',
      data: {
        schema: z.null(),
        examples: { valid: { summary: 'A valid key', message: 'API key is valid', data: null } },
      },
    },
    errors: {},
  };
}

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal | null;
  }
}

/**
 * Requires a valid API key, or the cookie of a session, on every route in this scope, and on unknown paths and methods. With
 * an Authorization header the cookie is ignored.
 */
export const authenticate = fp(
  (app, _options, done) => {
    const { clientAddress, sessions, ownSite } = app;
    const authenticate = createKeyAuthenticator({
      pg: app.pg,
      now: Date.now,
      onGuessRefused: () => {
        app.metrics.onRateLimit('unknown_key');
      },
      onTouchFailed: (err) => {
        app.log.warn({ err }, 'last use of a key could not be recorded');
      },
    });
    app.decorateRequest('principal', null);
    app.addHook('onRequest', async (request) => {
      const authorization = headerValues(request, 'authorization');
      if (authorization.length > 0 || ownSite.readCookie(request) === null) {
        request.principal = await authenticate(authorization, () => clientAddress(request));
        return;
      }
      const principal = await sessions.find(request);
      if (principal === null) throw unauthorized('Session expired');
      ownSite.requireOwnOrigin(request, { needsProof: true });
      request.principal = principal;
    });
    done();
  },
  { name: 'authenticate', dependencies: ['postgres', 'metrics', 'client-address', 'sessions'] },
);

/** Only within the scope of `authenticate`. */
export function principalOf(request: FastifyRequest): Principal {
  if (request.principal === null) throw new Error('BUG: this route is outside the scope of authenticate');
  return request.principal;
}

/** How long a person who signed in, entered the password or redeemed a link counts as confirmed. */
export const CONFIRMED_MINUTES = 10;

/** Throws CONFIRMATION_REQUIRED if it is a person who has not confirmed in the last ten minutes. Keys need no confirmation. */
export async function requireConfirmed(db: Queryable, { credential }: Principal): Promise<void> {
  if (credential.kind === 'key') return;
  const { rows } = await db.query(
    `select from sessions where id = $1 and confirmed_at > now() - interval '${CONFIRMED_MINUTES} minutes'`,
    [credential.id],
  );
  if (rows.length === 0) throw new ApiError('CONFIRMATION_REQUIRED');
}

/** What a request was authenticated by. */
export type Credential =
  | { readonly kind: 'key'; readonly id: string; readonly scopes: readonly Scope[] }
  | {
      readonly kind: 'session';
      readonly id: string;
      readonly personId: string;
      /** In the account in use; null: the person has none, or is no longer a member of it. */
      readonly role: Role | null;
      readonly isOperator: boolean;
    };

/** The account of a request, and the limits of its plan; null: unlimited. */
export type Principal = {
  readonly credential: Credential;
  /** The key or the person, as the audit log has it. */
  readonly actor: string;
  readonly userId: string;
  readonly email: string;
  readonly plan: {
    readonly name: string;
    readonly smartlinksMax: number | null;
    readonly requestsPerMinute: number;
    readonly analyticsDaysMax: number | null;
    readonly advancedAllowed: boolean;
  };
};

// A revoked key works no longer than this (reliability goal S4 allows 1 s). Saves busy clients most queries.
const CACHED_MS = 500;
// Unknown keys are cached too; the bound limits the memory that guesses can fill.
const CACHED_KEYS_MAX = 10_000;
// Keys whose last look-up found them valid, without a time limit: some 2 MB. The limit of guesses does not apply to them.
const VALID_KEYS_MAX = 10_000;

type CachedKey = { readonly row: Promise<ApiKeyRow | null>; readonly until: number };

/**
 * Checks the values of the Authorization header. Rejects with UNAUTHORIZED, or with RATE_LIMITED if the client has sent
 * too many unknown keys and this one was not valid before. Neither a malformed nor a limited key costs a query. `now` is
 * in ms since 1970.
 */
function createKeyAuthenticator(deps: {
  pg: Queryable;
  now: () => number;
  onGuessRefused: () => void;
  onTouchFailed: (err: unknown) => void;
}): (authorization: readonly string[], addressOf: () => string) => Promise<Principal> {
  const { pg, now, onGuessRefused, onTouchFailed } = deps;
  const cache = new LRUCache<string, CachedKey>({ max: CACHED_KEYS_MAX });
  const validKeys = new LRUCache<string, true>({ max: VALID_KEYS_MAX });
  const guesses = createKeyGuesses(now);

  /** Throws RATE_LIMITED. */
  function beginGuess(address: string) {
    const guess = guesses.begin(clientNetwork(address, 56));
    if (guess.kind === 'allowed') return guess;
    onGuessRefused();
    throw tooManyGuesses('Too many unknown API keys', guess.waitMs);
  }

  function isValid(row: ApiKeyRow | null): row is ApiKeyRow {
    return row !== null && (row.expires_at === null || row.expires_at.getTime() > now());
  }

  function findKey(sha256: Buffer, addressOf: () => string): Promise<ApiKeyRow | null> {
    const id = sha256.toString('base64');
    const known = cache.get(id);
    if (known && known.until > now()) return known.row;
    const guess = validKeys.get(id) ? null : beginGuess(addressOf());
    const row = findKeyBySha256(pg, sha256);
    cache.set(id, { row, until: now() + CACHED_MS });
    row.then(
      (found) => {
        if (isValid(found)) validKeys.set(id, true);
        else validKeys.delete(id);
        guess?.end(isValid(found) ? 'valid' : 'unknown');
        if (found?.last_used_is_old) touchKey(pg, found.id).catch(onTouchFailed);
      },
      () => {
        // Failures are not cached: the next request queries again.
        cache.delete(id);
        guess?.end('failed');
      },
    );
    return row;
  }

  return async (authorization, addressOf) => {
    const key = readKey(authorization);
    if (key === null) throw unauthorized('Invalid API key format');
    const row = await findKey(createHash('sha256').update(key).digest(), addressOf);
    if (!isValid(row)) throw unauthorized('Invalid API key');
    return toPrincipal(row);
  };
}

/** The well-formed key of the only `Authorization: Bearer <key>` header. */
function readKey(authorization: readonly string[]): string | null {
  const [value] = authorization;
  if (value === undefined || authorization.length !== 1) return null;
  const key = /^bearer +(\S+)$/i.exec(value)?.[1];
  return key !== undefined && isApiKey(key) ? key : null;
}

export function unauthorized(message: string): ApiError {
  return new ApiError('UNAUTHORIZED', { message, headers: { 'www-authenticate': 'Bearer' } });
}

function toPrincipal(row: ApiKeyRow): Principal {
  return {
    credential: { kind: 'key', id: row.id, scopes: row.scopes },
    actor: `key ${row.id}`,
    userId: row.user_id,
    email: row.email,
    plan: {
      name: row.plan,
      smartlinksMax: row.smartlinks_max,
      requestsPerMinute: row.requests_per_minute,
      analyticsDaysMax: row.analytics_days_max,
      advancedAllowed: row.advanced_allowed,
    },
  };
}

type ApiKeyRow = {
  readonly id: string;
  readonly scopes: readonly Scope[];
  readonly user_id: string;
  readonly email: string;
  readonly expires_at: Date | null;
  readonly last_used_is_old: boolean;
  readonly plan: string;
  readonly smartlinks_max: number | null;
  readonly requests_per_minute: number;
  readonly analytics_days_max: number | null;
  readonly advanced_allowed: boolean;
};

// One index look-up each in api_keys, users and plans. The caller caches the row, so it checks the expiry.
const FIND_KEY = `
select api_keys.id, api_keys.scopes, api_keys.user_id, users.email, api_keys.expires_at,
       api_keys.last_used_at is null or api_keys.last_used_at < now() - interval '1 minute' as last_used_is_old,
       plans.name as plan, plans.smartlinks_max, plans.requests_per_minute, plans.analytics_days_max,
       plans.advanced_allowed
from api_keys
join users on users.id = api_keys.user_id
join plans on plans.name = users.plan
where api_keys.key_sha256 = $1 and api_keys.revoked_at is null`;

/** Revoked keys are not found. */
async function findKeyBySha256(db: Queryable, sha256: Buffer): Promise<ApiKeyRow | null> {
  const { rows } = await db.query(FIND_KEY, [sha256]);
  return (rows[0] as ApiKeyRow | undefined) ?? null;
}

// The condition prevents several processes from writing the same row in the same minute.
const TOUCH_KEY = `
update api_keys set last_used_at = now()
where id = $1 and (last_used_at is null or last_used_at < now() - interval '1 minute')`;

async function touchKey(db: Queryable, keyId: string): Promise<void> {
  await db.query(TOUCH_KEY, [keyId]);
}
