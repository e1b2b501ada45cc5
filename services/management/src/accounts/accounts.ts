import { createHash } from 'node:crypto';
import type { Queryable } from '@smartlink/link-resolver/snapshot-query';
import { isApiKey } from '@smartlink/smartlink/api-key';
import { ApiError } from '../errors.js';
import { findKeyBySha256, touchKey } from './queries.js';
import type { ApiKeyRow } from './queries.js';

/** Who makes a request, and what their plan allows. null means unlimited. */
export type Principal = {
  readonly keyId: string;
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

// A revoked key works no longer than this (reliability goal S4 allows 1 s); it spares a busy client's key most of
// its queries.
const KEPT_MS = 500;
// Unknown keys are kept too, so a guesser could fill the memory: when the limit is reached everything is dropped.
const KEPT_MAX = 10_000;

type Kept = { readonly row: Promise<ApiKeyRow | null>; readonly until: number };

/**
 * Returns the check of an Authorization header's value. It resolves to the key's owner, or rejects with
 * UNAUTHORIZED; a malformed key costs no query. `now` is in ms since 1970.
 */
export function createKeyAuthenticator(deps: {
  pg: Queryable;
  now: () => number;
  onTouchFailed: (err: unknown) => void;
}): (authorization: readonly string[]) => Promise<Principal> {
  const { pg, now, onTouchFailed } = deps;
  const kept = new Map<string, Kept>();

  function look(sha256: Buffer): Promise<ApiKeyRow | null> {
    const id = sha256.toString('base64');
    const known = kept.get(id);
    if (known && known.until > now()) return known.row;
    if (kept.size >= KEPT_MAX) kept.clear();
    const row = findKeyBySha256(pg, sha256);
    kept.set(id, { row, until: now() + KEPT_MS });
    row.then(
      (found) => {
        if (found?.last_used_is_old) touchKey(pg, found.id).catch(onTouchFailed);
      },
      // A failure is nothing to keep: the next request asks again.
      () => kept.delete(id),
    );
    return row;
  }

  return async (authorization) => {
    const key = readKey(authorization);
    if (key === null) throw unauthorized('Invalid API key format');
    const row = await look(createHash('sha256').update(key).digest());
    if (row === null || (row.expires_at !== null && row.expires_at.getTime() <= now())) {
      throw unauthorized('Invalid API key');
    }
    return toPrincipal(row);
  };
}

/** Returns the well-formed key of the one `Authorization: Bearer <key>` header, else null. */
function readKey(authorization: readonly string[]): string | null {
  const [value] = authorization;
  if (value === undefined || authorization.length !== 1) return null;
  const key = /^bearer +(\S+)$/i.exec(value)?.[1];
  return key !== undefined && isApiKey(key) ? key : null;
}

function unauthorized(message: string): ApiError {
  return new ApiError('UNAUTHORIZED', { message, headers: { 'www-authenticate': 'Bearer' } });
}

function toPrincipal(row: ApiKeyRow): Principal {
  return {
    keyId: row.id,
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
