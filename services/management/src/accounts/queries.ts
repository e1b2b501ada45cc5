import type { Queryable } from '@smartlink/link-resolver/snapshot-query';

export type ApiKeyRow = {
  readonly id: string;
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

// One index look-up each in api_keys, users and plans. Expiry is left to the caller, who keeps the row for a while.
const FIND_KEY = `
select api_keys.id, api_keys.user_id, users.email, api_keys.expires_at,
       api_keys.last_used_at is null or api_keys.last_used_at < now() - interval '1 minute' as last_used_is_old,
       plans.name as plan, plans.smartlinks_max, plans.requests_per_minute, plans.analytics_days_max,
       plans.advanced_allowed
from api_keys
join users on users.id = api_keys.user_id
join plans on plans.name = users.plan
where api_keys.key_sha256 = $1 and api_keys.revoked_at is null`;

/** Returns the key that is not revoked with this SHA-256, its user and plan; null when there is none. */
export async function findKeyBySha256(db: Queryable, sha256: Buffer): Promise<ApiKeyRow | null> {
  const { rows } = await db.query(FIND_KEY, [sha256]);
  return (rows[0] as ApiKeyRow | undefined) ?? null;
}

// The condition keeps several processes from writing the same row in the same minute.
const TOUCH_KEY = `
update api_keys set last_used_at = now()
where id = $1 and (last_used_at is null or last_used_at < now() - interval '1 minute')`;

/** Records that a key was used, at most once a minute. */
export async function touchKey(db: Queryable, keyId: string): Promise<void> {
  await db.query(TOUCH_KEY, [keyId]);
}
