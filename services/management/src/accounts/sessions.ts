import { randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { LRUCache } from 'lru-cache';
import { clientNetwork } from '@smartlink/process/client-address';
import type { Queryable } from '@smartlink/process/database';
import { createToken, isToken, tokenDigest } from '@smartlink/smartlink/credentials';
import type { Credential, Principal } from './accounts.js';
import { createKeyGuesses, tooManyGuesses } from './key-guesses.js';
import { createOwnSite, type OwnSite } from './own-site.js';
import type { Role } from './roles.js';

declare module 'fastify' {
  interface FastifyInstance {
    ownSite: OwnSite;
    sessions: Sessions;
  }
}

export type SessionCredential = Extract<Credential, { kind: 'session' }>;
export type SessionPrincipal = Principal & { readonly credential: SessionCredential };

export type Sessions = ReturnType<typeof createSessions>;

/** `app.sessions` and `app.ownSite`. `baseUrl` is MANAGEMENT_BASE_URL. */
export const sessions = fp<{ baseUrl: string }>(
  (app, { baseUrl }, done) => {
    app.decorate('ownSite', createOwnSite(baseUrl));
    app.decorate(
      'sessions',
      createSessions({
        pg: app.pg,
        ownSite: app.ownSite,
        addressOf: app.clientAddress,
        now: Date.now,
        onGuessRefused: () => {
          app.metrics.onRateLimit('unknown_key');
        },
        onTouchFailed: (err) => {
          app.log.warn({ err }, 'last use of a session could not be recorded');
        },
      }),
    );
    done();
  },
  { name: 'sessions', dependencies: ['postgres', 'metrics', 'client-address'] },
);

/**
 * The principal of the session, if the request has one, in a scope where no key counts. Refuses writes of pages of other sites,
 * of sign-in too.
 */
export const optionalSession = fp(
  (app, _options, done) => {
    app.decorateRequest('principal', null);
    app.addHook('onRequest', async (request) => {
      const hasCookie = app.ownSite.readCookie(request) !== null;
      app.ownSite.requireOwnOrigin(request, { needsProof: hasCookie });
      if (hasCookie) request.principal = await app.sessions.find(request);
    });
    done();
  },
  // The name that the other scopes' plugin has: the limits of requests depend on it.
  { name: 'authenticate', dependencies: ['sessions'] },
);

const VALID_SESSIONS_MAX = 10_000;

/**
 * Sessions are looked up at each request and never cached: a role that changes, an account that is left and a session that
 * ends count from the next request on, in every process.
 */
function createSessions(deps: {
  pg: Queryable;
  ownSite: OwnSite;
  addressOf: (request: FastifyRequest) => string;
  now: () => number;
  onGuessRefused: () => void;
  onTouchFailed: (err: unknown) => void;
}) {
  const { pg, ownSite, addressOf, now, onGuessRefused, onTouchFailed } = deps;
  const guesses = createKeyGuesses(now);
  // Those found by their last look-up: the limit of guesses does not apply to them.
  const valid = new LRUCache<string, true>({ max: VALID_SESSIONS_MAX });

  async function findRow(request: FastifyRequest, digest: Buffer): Promise<SessionRow | null> {
    const id = digest.toString('base64');
    const guess = valid.has(id) ? null : guesses.begin(clientNetwork(addressOf(request), 56));
    if (guess?.kind === 'refused') {
      onGuessRefused();
      throw tooManyGuesses('Too many unknown sessions', guess.waitMs);
    }
    try {
      const { rows } = await pg.query(FIND_SESSION, [digest]);
      const row = (rows[0] as SessionRow | undefined) ?? null;
      if (row === null) valid.delete(id);
      else valid.set(id, true);
      guess?.end(row === null ? 'unknown' : 'valid');
      return row;
    } catch (err) {
      guess?.end('failed');
      throw err;
    }
  }

  return {
    /** The principal of the request's cookie; null for a cookie that is not valid any more. Rejects with RATE_LIMITED. */
    async find(request: FastifyRequest): Promise<SessionPrincipal | null> {
      const token = ownSite.readCookie(request) ?? '';
      const row = isToken(token) ? await findRow(request, tokenDigest(token)) : null;
      if (row?.last_seen_is_old === true) pg.query(TOUCH_SESSION, [row.id]).catch(onTouchFailed);
      return row === null ? null : toPrincipal(row);
    },
  };
}

/** The principal of a person without an account in use. No row of `users` has the id, and every role is missing. */
function toPrincipal(row: SessionRow): SessionPrincipal {
  return {
    credential: {
      kind: 'session',
      id: row.id,
      personId: row.person_id,
      role: row.role,
      isOperator: row.is_operator,
    },
    actor: `session ${row.person_id}`,
    userId: row.user_id ?? row.person_id,
    email: row.email ?? row.person_email,
    plan: {
      name: row.plan ?? '',
      smartlinksMax: row.plan === null ? 0 : row.smartlinks_max,
      requestsPerMinute: row.requests_per_minute ?? 0,
      analyticsDaysMax: row.analytics_days_max,
      advancedAllowed: row.advanced_allowed ?? false,
      mediaBytesMax: row.plan === null ? 0 : row.media_bytes_max,
    },
  };
}

/** The columns of the account are null when the person is not, or no longer, its member. */
type SessionRow = {
  readonly id: string;
  readonly person_id: string;
  readonly person_email: string;
  readonly is_operator: boolean;
  readonly last_seen_is_old: boolean;
  readonly user_id: string | null;
  readonly email: string | null;
  readonly role: Role | null;
  readonly plan: string | null;
  readonly smartlinks_max: number | null;
  readonly requests_per_minute: number | null;
  readonly analytics_days_max: number | null;
  readonly advanced_allowed: boolean | null;
  readonly media_bytes_max: number | null;
};

// A person who becomes an operator has the shorter times from then on.
export const IS_VALID = `now() < least(sessions.idle_until, sessions.ends_at, case when people.is_operator
  then least(sessions.last_seen_at + interval '12 hours', sessions.created_at + interval '7 days') end)`;

// One index look-up in each table.
const FIND_SESSION = `
select sessions.id, sessions.person_id, people.email as person_email, people.is_operator,
       sessions.last_seen_at < now() - interval '1 minute' as last_seen_is_old,
       users.id as user_id, users.email, memberships.role, plans.name as plan, plans.smartlinks_max,
       plans.requests_per_minute, plans.analytics_days_max, plans.advanced_allowed, plans.media_bytes_max::float8
from sessions
join people on people.id = sessions.person_id and people.disabled_at is null
left join memberships on memberships.user_id = sessions.user_id and memberships.person_id = sessions.person_id
left join users on users.id = memberships.user_id
left join plans on plans.name = users.plan
where sessions.token_sha256 = $1 and ${IS_VALID}`;

// The condition prevents several processes from writing the same row in the same minute.
const TOUCH_SESSION = `
update sessions set last_seen_at = now(), idle_until = least(ends_at, now() + interval '14 days')
where id = $1 and last_seen_at < now() - interval '1 minute'`;

const ADD_SESSION = `
insert into sessions (id, token_sha256, person_id, user_id, idle_until, ends_at, device, country)
select $1, $2, people.id, $4, now() + case when is_operator then interval '12 hours' else interval '14 days' end,
       now() + case when is_operator then interval '7 days' else interval '30 days' end, $5, $7
from people where people.id = $3 and disabled_at is null and password_hash is not distinct from $6
returning round(extract(epoch from ends_at - now()))::integer as "maxAgeSeconds"`;

export type NewSession = {
  readonly personId: string;
  /** As it was when the person proved to be that person. */
  readonly passwordHash: string | null;
  /** The account in use; null: none. */
  readonly userId: string | null;
  readonly device: string;
  /** ISO 3166-1 alpha-2; null: unknown. */
  readonly country: string | null;
};

/** The token is for the cookie alone. null: the person has been disabled, or has another password by now. */
export async function addSession(
  db: Queryable,
  { personId, passwordHash, userId, device, country }: NewSession,
): Promise<{ readonly token: string; readonly maxAgeSeconds: number } | null> {
  const token = createToken();
  const values = [randomUUID(), tokenDigest(token), personId, userId, device, passwordHash, country];
  const { rows } = await db.query(ADD_SESSION, values);
  const [row] = rows as { maxAgeSeconds: number }[];
  return row === undefined ? null : { token, ...row };
}
