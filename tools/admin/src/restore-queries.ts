import type { Client } from 'pg';

/** Returns the login of the connection. */
export async function findLogin(db: Client): Promise<string> {
  const { rows } = await db.query<{ login: string }>('select current_user::text as login');
  return rows[0]?.login ?? '';
}

// A restore locks and fills every table, empties those that migrations fill, and sets sequences.
const LACKING = `
select c.relname::text as name, string_agg(p.privilege, ', ' order by p.place) as lacks
from pg_class c
cross join lateral unnest(case when c.relkind = 'S' then array['update'] else array['select', 'insert', 'update', 'delete'] end)
  with ordinality as p (privilege, place)
where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p', 'S') and c.relname <> 'schema_migration'
  and not case when c.relkind = 'S' then has_sequence_privilege(c.oid, p.privilege)
               else has_table_privilege(c.oid, p.privilege) end
group by c.relname order by c.relname`;

/** Returns what the login may not do of what a restore does, as `delete on slugs`. */
export async function findLackingForRestore(db: Client): Promise<readonly string[]> {
  const { rows } = await db.query<{ name: string; lacks: string }>(LACKING);
  return rows.map(({ name, lacks }) => `${lacks} on ${name}`);
}

/** Returns whether a table, named by the catalog, has a row. */
export async function hasRows(db: Client, table: string): Promise<boolean> {
  return (await db.query(`select 1 from ${table} limit 1`)).rows.length > 0;
}

/** Keeps everybody from these tables until the transaction ends. */
export async function lockTables(db: Client, tables: readonly string[]): Promise<void> {
  await db.query(`lock table ${tables.join(', ')} in access exclusive mode`);
}

/** Deletes every row of a table that migrations have filled. */
export async function emptyTable(db: Client, table: string): Promise<void> {
  await db.query(`delete from ${table}`);
}

// What is checked at commit needs no order.
const REFERENCES = `
select conrelid::regclass::text as name, confrelid::regclass::text as "refersTo" from pg_constraint
where contype = 'f' and not condeferrable and conrelid <> confrelid
  and connamespace = current_schema()::regnamespace`;

/** Returns which table refers to which other in a way that is checked with each row. */
export async function listReferences(
  db: Client,
): Promise<readonly { readonly name: string; readonly refersTo: string }[]> {
  return (await db.query<{ name: string; refersTo: string }>(REFERENCES)).rows;
}

/** Sets a sequence to its saved value, and `ahead` beyond it. */
export async function setSequence(
  db: Client,
  { name, value, isCalled }: { readonly name: string; readonly value: string; readonly isCalled: boolean },
  ahead: number,
): Promise<void> {
  await db.query('select setval($1::regclass, $2::bigint + $3, $4)', [name, value, ahead, isCalled]);
}

/** Gives every smartlink a version that is `ahead` of what it had. */
export async function raiseVersions(db: Client, ahead: number): Promise<void> {
  await db.query('update smartlinks set version = version + $1', [ahead]);
}

/** Notes every address that leads to a smartlink as one to be published. */
export async function publishAllAddresses(db: Client): Promise<void> {
  await db.query(
    `insert into publish_outbox (slug_key, version)
     select slugs.key, smartlinks.version from slugs join smartlinks on smartlinks.id = slugs.smartlink_id`,
  );
}

/** Ends the messages that wait for a webhook; the log tells `reason`. */
export async function failWaitingMessages(db: Client, reason: string): Promise<void> {
  await db.query(
    `update webhook_deliveries set status = 'Failed', error = $1, next_attempt_at = null, leased_until = null
     where status = 'Pending'`,
    [reason],
  );
}

/** Switches every webhook off; its owner is told `reason`. */
export async function disableWebhooks(db: Client, reason: string): Promise<void> {
  await db.query(
    `update webhooks set is_enabled = false, disabled_reason = $1, visits_until = null, visits_after_id = null
     where is_enabled`,
    [reason],
  );
}

/** Returns those of `ids` who are no users, in their order. */
export async function findUnknownUsers(db: Client, ids: readonly string[]): Promise<readonly string[]> {
  const { rows } = await db.query<{ id: string }>(
    'select id from unnest($1::uuid[]) as owners (id) where id not in (select id from users) order by id',
    [ids],
  );
  return rows.map(({ id }) => id);
}
