import type { BlockList } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { clientNetwork, isInNetworks, parseNetworks } from '@smartlink/process/client-address';
import type { Queryable } from '@smartlink/process/database';
import { apiKeyDigest, isApiKey, type Scope } from '@smartlink/smartlink/credentials';
import { success } from '../envelope.js';
import { ApiError } from '../errors.js';
import type { Operation } from '../operation.js';
import { headerValues } from '../requests.js';
import { createKeyGuesses, tooManyGuesses } from './key-guesses.js';
import type { Role } from './roles.js';

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
  interface FastifyInstance {
    /** Sets the principal. Rejects with UNAUTHORIZED, FORBIDDEN or RATE_LIMITED. */
    authenticateRequest: (request: FastifyRequest) => Promise<void>;
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
    app.decorate('authenticateRequest', async (request) => {
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
    app.addHook('onRequest', app.authenticateRequest);
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
  | {
      readonly kind: 'key';
      readonly id: string;
      readonly scopes: readonly Scope[];
      /** The person who created the key. */
      readonly createdBy: string | null;
    }
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
    readonly mediaBytesMax: number | null;
  };
};

// A revoked key works no longer than this (reliability goal S4 allows 1 s). Saves busy clients most queries.
const CACHED_MS = 500;
// Unknown keys are cached too; the bound limits the memory that guesses can fill.
const CACHED_KEYS_MAX = 10_000;
// Keys whose last look-up found them valid, without a time limit: some 2 MB, more with allowed networks. The limit of
// guesses does not apply to them within their networks.
const VALID_KEYS_MAX = 10_000;

type CachedKey = { readonly row: Promise<ApiKey | null>; readonly until: number };

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
  const validKeys = new LRUCache<string, AllowedNetworks>({ max: VALID_KEYS_MAX });
  const guesses = createKeyGuesses(now);

  /** Throws RATE_LIMITED. */
  function beginGuess(address: string) {
    const guess = guesses.begin(clientNetwork(address, 56));
    if (guess.kind === 'allowed') return guess;
    onGuessRefused();
    throw tooManyGuesses('Too many unknown API keys', guess.waitMs);
  }

  function isValid(key: ApiKey | null): key is ApiKey {
    return key !== null && (key.expires_at === null || key.expires_at.getTime() > now());
  }

  function isUsable(key: ApiKey | null, addressOf: () => string): key is ApiKey {
    return isValid(key) && includesClient(key.networks, addressOf);
  }

  function findKey(sha256: Buffer, addressOf: () => string): Promise<ApiKey | null> {
    const id = sha256.toString('base64');
    const networks = validKeys.get(id);
    // From elsewhere it is limited and cached like an unknown key, so that no answer tells them apart.
    const isElsewhere = networks !== undefined && !includesClient(networks, addressOf);
    const place = isElsewhere ? `${id} from elsewhere` : id;
    const known = cache.get(place);
    if (known && known.until > now()) return known.row;
    const guess = networks === undefined || isElsewhere ? beginGuess(addressOf()) : null;
    const entry = { row: findKeyBySha256(pg, sha256), until: now() + CACHED_MS };
    cache.set(place, entry);
    entry.row.then(
      (found) => {
        if (isValid(found)) validKeys.set(id, found.networks);
        else validKeys.delete(id);
        const isUsed = isUsable(found, addressOf);
        guess?.end(isUsed ? 'valid' : 'unknown');
        if (isUsed) {
          if (found.last_used_is_old) touchKey(pg, found.id).catch(onTouchFailed);
        } else if (isValid(found)) {
          cache.delete(id);
          cache.set(`${id} from elsewhere`, entry);
        }
      },
      () => {
        // Failures are not cached: the next request queries again.
        cache.delete(place);
        guess?.end('failed');
      },
    );
    return entry.row;
  }

  return async (authorization, addressOf) => {
    const text = readKey(authorization);
    if (text === null) throw unauthorized('Invalid API key format');
    const key = await findKey(apiKeyDigest(text), addressOf);
    if (!isUsable(key, addressOf)) throw unauthorized('Invalid API key');
    return toPrincipal(key);
  };
}

/** The networks that a key may be used from. */
type AllowedNetworks = BlockList | 'any';

function includesClient(networks: AllowedNetworks, addressOf: () => string): boolean {
  return networks === 'any' || isInNetworks(addressOf(), networks);
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

function toPrincipal(row: ApiKey): Principal {
  return {
    credential: { kind: 'key', id: row.id, scopes: row.scopes, createdBy: row.created_by },
    actor: `key ${row.id}`,
    userId: row.user_id,
    email: row.email,
    plan: {
      name: row.plan,
      smartlinksMax: row.smartlinks_max,
      requestsPerMinute: row.requests_per_minute,
      analyticsDaysMax: row.analytics_days_max,
      advancedAllowed: row.advanced_allowed,
      mediaBytesMax: row.media_bytes_max,
    },
  };
}

type ApiKeyRow = {
  readonly id: string;
  readonly scopes: readonly Scope[];
  readonly created_by: string | null;
  readonly user_id: string;
  readonly email: string;
  readonly expires_at: Date | null;
  readonly allowed_networks: readonly string[] | null;
  readonly last_used_is_old: boolean;
  readonly plan: string;
  readonly smartlinks_max: number | null;
  readonly requests_per_minute: number;
  readonly analytics_days_max: number | null;
  readonly advanced_allowed: boolean;
  readonly media_bytes_max: number | null;
};

type ApiKey = ApiKeyRow & { readonly networks: AllowedNetworks };

// One index look-up each in users and plans, two in api_keys. The caller caches the row, so it checks the expiry: the key
// before a rotation ends with its grace period.
const FIND_KEY = `
select api_keys.id, api_keys.scopes, api_keys.created_by, api_keys.user_id, users.email,
       least(api_keys.expires_at, case when api_keys.key_sha256 <> $1 then api_keys.previous_until end) as expires_at,
       api_keys.allowed_networks::text[],
       api_keys.last_used_at is null or api_keys.last_used_at < now() - interval '1 minute' as last_used_is_old,
       plans.name as plan, plans.smartlinks_max, plans.requests_per_minute, plans.analytics_days_max,
       plans.advanced_allowed, plans.media_bytes_max::float8
from api_keys
join users on users.id = api_keys.user_id
join plans on plans.name = users.plan
where (api_keys.key_sha256 = $1 or (api_keys.previous_sha256 = $1 and api_keys.previous_until > now()))
  and api_keys.revoked_at is null`;

/** Revoked keys are not found. */
async function findKeyBySha256(db: Queryable, sha256: Buffer): Promise<ApiKey | null> {
  const { rows } = await db.query(FIND_KEY, [sha256]);
  const row = rows[0] as ApiKeyRow | undefined;
  if (row === undefined) return null;
  const networks = row.allowed_networks === null ? 'any' : parseNetworks(row.allowed_networks);
  if (networks === null) throw new Error('BUG: a stored network is malformed');
  return { ...row, networks };
}

// The condition prevents several processes from writing the same row in the same minute.
const TOUCH_KEY = `
update api_keys set last_used_at = now()
where id = $1 and (last_used_at is null or last_used_at < now() - interval '1 minute')`;

async function touchKey(db: Queryable, keyId: string): Promise<void> {
  await db.query(TOUCH_KEY, [keyId]);
}
