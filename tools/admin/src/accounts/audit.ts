import type { Command } from 'commander';
import type { Client } from 'pg';
import { isObject } from '@smartlink/smartlink/model';
import { isUuid } from '@smartlink/smartlink/store';
import { addAccountOption, LIMIT_MAX, parseSince, readLimit } from '../cli/options.js';
import { widthOf } from '../cli/table.js';
import { Problem, type Terminal } from '../cli/terminal.js';
import { examples } from '../cli/text.js';
import { withSession } from '../engines/session.js';
import { readSmartlinkId } from '../visits/scope.js';
import { findUserRow, noUser } from './find-user.js';
import { type PageColumns, printPage } from './page.js';

/** The command's own actions; the API adds `smartlink.*`. */
type AdminAction =
  | `user.${'create' | 'set-plan' | 'delete'}`
  | `key.${'create' | 'revoke'}`
  | `member.${'create' | 'invite'}`
  | `person.${'create' | 'update' | 'link' | 'disable'}`
  | `plan.${'create' | 'set' | 'delete'}`
  | `events.${'purge' | 'replay'}`
  | `database.${'backup' | 'restore'}`;

/** Records a change, in its transaction; `details` holds names and limits, never a key. */
export async function addAuditEntry(
  db: Client,
  action: AdminAction,
  userId: string | null,
  details: Readonly<Record<string, unknown>> = {},
  smartlinkId: string | null = null,
): Promise<void> {
  await db.query(
    `insert into audit_entries (actor, action, user_id, details, smartlink_id) values ('admin', $1, $2, $3, $4)`,
    [action, userId, JSON.stringify(details), smartlinkId],
  );
}

export function addAuditCommands(program: Command, terminal: Terminal): void {
  const audit = program.command('audit').description('show who changed what and when');
  addAccountOption(audit.command('list'), 'only changes of this user; of a deleted user by id')
    .description('list changes of smartlinks, users, keys and plans, newest first')
    .option('--smartlink <id>', 'only changes of this smartlink', readSmartlinkId('--smartlink'))
    .option(
      '--action <name>',
      'one action, like smartlink.update, key.create, user.set-plan or plan.set',
      readAction,
    )
    .option(
      '--since <when>',
      'a span back from now like 30m (minutes), 12h, 7d or 2w, or a date like 2026-01-31 (UTC)',
      (text) => parseSince(text, new Date()),
    )
    .option('--before <id>', 'list the page of entries older than this one')
    .option('-n, --limit <n>', `number of entries to list, up to ${LIMIT_MAX}`, readLimit, 50)
    .option('-j, --json', 'print an array')
    .addHelpText(
      'after',
      examples(
        'audit list --since 24h',
        'audit list --account ann@example.com --action smartlink.delete',
        'audit list --since 7d --limit 1000 --json',
      ),
    )
    .action((options: ListOptions) => list(terminal, options));
}

type ListOptions = {
  account?: string;
  smartlink?: string;
  action?: string;
  since?: Date;
  before?: string;
  limit: number;
  json?: true;
};

const COLUMNS: PageColumns<AuditRow> = {
  ENTRY: ({ id }) => String(id),
  'TIME (UTC)': ({ at }) => at.toISOString().slice(0, 19).replace('T', ' '),
  ACTOR: (row) => describeActor(row),
  ACTION: ({ action }) => action,
  USER: ({ email, userId }) => email ?? userId ?? '-',
  WHAT: (row) => describeChange(row),
};
/** From this width on they are readable. */
const COLUMNS_WIDTH = 150;
const NARROW_COLUMNS: PageColumns<AuditRow> = {
  ENTRY: ({ id }) => String(id),
  'TIME (UTC)': ({ at }) => at.toISOString().slice(0, 16).replace('T', ' '),
  CHANGE: (row) =>
    [row.action, `by ${describeActor(row)}`, row.email ?? row.userId, describeChange(row)]
      .filter((line) => line !== null && line !== '-')
      .join('\n'),
};

async function list(terminal: Terminal, options: ListOptions): Promise<void> {
  const { account, before, ...filter } = options;
  const found = await withSession(terminal.env, async ({ db }) => {
    const userId = account === undefined ? undefined : await findUserId(db, account);
    const place = before === undefined ? undefined : await findEntry(db, before);
    return findAuditEntries(db, { ...filter, userId, before: place }, options.limit + 1);
  });
  printPage(terminal, options, {
    found,
    columns: widthOf(terminal) < COLUMNS_WIDTH ? NARROW_COLUMNS : COLUMNS,
    none: 'There are no such entries.',
    more: (last) => `There are older ones: add --before ${last?.id}.`,
  });
}

type AuditFilter = Pick<ListOptions, 'smartlink' | 'action' | 'since'> & {
  readonly userId?: string | undefined;
  readonly before?: { readonly at: Date; readonly id: string } | undefined;
};

function readAction(text: string): string {
  if (/^[a-z]+\.[a-z-]+$/.test(text)) return text;
  throw new Problem(
    `--action ${JSON.stringify(text)}: expected a name like smartlink.update or user.create.`,
  );
}

/** A deleted user is known by the id only. */
async function findUserId(db: Client, idOrEmail: string): Promise<string> {
  const user = await findUserRow(db, idOrEmail);
  if (user !== null) return user.id;
  if (isUuid(idOrEmail)) return idOrEmail;
  throw noUser(
    idOrEmail,
    '; a deleted user has entries under the id, which audit list --action user.delete shows',
  );
}

async function findEntry(db: Client, id: string): Promise<{ at: Date; id: string }> {
  // 15 digits stay below both 2^53 and the end of a bigint.
  const isId = /^\d{1,15}$/.test(id);
  const { rows } = await db.query<{ at: Date }>('select at from audit_entries where id = $1', [
    isId ? id : null,
  ]);
  if (rows[0] === undefined) throw new Problem(`--before ${JSON.stringify(id)}: there is no such entry.`);
  return { at: rows[0].at, id };
}

/** As `audit list --json` prints it. */
type AuditRow = {
  readonly id: number;
  readonly at: Date;
  readonly actor: string;
  /** The key that made the change; null when it was no key, or one that is deleted. */
  readonly key: { readonly name: string; readonly displayPrefix: string } | null;
  readonly action: string;
  readonly userId: string | null;
  /** null when the user is deleted. */
  readonly email: string | null;
  readonly smartlinkId: string | null;
  readonly details: Readonly<Record<string, unknown>>;
};

// pg sends no named statement, so Postgres plans with the values: a filter that is null folds away and the others
// use the index of 0002 or 0003 that has their column. Users and keys are looked up for the rows that are shown.
const FIND_AUDIT_ENTRIES = `
select entries.id::float8 as id, entries.at, entries.actor,
       case when keys.id is not null
            then json_build_object('name', keys.name, 'displayPrefix', keys.display_prefix) end as key,
       entries.action, entries.user_id as "userId", users.email, entries.smartlink_id as "smartlinkId",
       coalesce(entries.details, '{}') as details
from (
  select id, at, actor, action, user_id, smartlink_id, details
  from audit_entries
  where ($1::uuid is null or user_id = $1)
    and ($2::uuid is null or smartlink_id = $2)
    and ($3::text is null or action = $3)
    and ($4::timestamptz is null or at >= $4)
    and ($5::bigint is null or (at, id) < ($6::timestamptz, $5))
  order by at desc, id desc
  limit $7
) as entries
left join users on users.id = entries.user_id
-- The actor may name something else than a key: only an id is cast.
left join api_keys as keys on keys.id = case
  when entries.actor ~ '^key [0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then substr(entries.actor, 5)::uuid end
order by entries.at desc, entries.id desc`;

export async function findAuditEntries(
  db: Client,
  { userId, smartlink, action, since, before }: AuditFilter,
  limit: number,
): Promise<readonly AuditRow[]> {
  const values = [userId, smartlink, action, since, before?.id, before?.at, limit];
  return (await db.query<AuditRow>(FIND_AUDIT_ENTRIES, values)).rows;
}

/** `admin`, or the key by its shown start and name. */
export const describeActor = ({ actor, key }: Pick<AuditRow, 'actor' | 'key'>): string =>
  key === null ? actor : `key ${key.displayPrefix}… ${key.name}`.trimEnd();

// Their values speak for themselves.
const UNNAMED = new Set(['changed', 'details', 'limits', 'days']);

/** The change in one line; `-` when the action says it all. */
export function describeChange(entry: Pick<AuditRow, 'smartlinkId' | 'details'>): string {
  // The display prefix names a key better than its id.
  const { from, to, displayPrefix, keyId: _, ...others } = entry.details;
  const parts = entry.smartlinkId === null ? [] : [`smartlink ${entry.smartlinkId}`];
  if (displayPrefix !== undefined) parts.push(`key ${toText(displayPrefix)}…`);
  for (const [name, value] of Object.entries(others)) {
    parts.push(`${UNNAMED.has(name) ? '' : `${name} `}${toText(value)}`);
  }
  if (from !== undefined || to !== undefined) parts.push(toStep(from, to));
  return parts.length === 0 ? '-' : parts.join(', ');
}

/** `old → new`, of each member of an object. */
function toStep(from: unknown, to: unknown): string {
  if (!isObject(from) || !isObject(to)) return `${toText(from)} → ${toText(to)}`;
  return Object.keys(to)
    .map((name) => `${name} ${toText(from[name])} → ${toText(to[name])}`)
    .join(', ');
}

function toText(value: unknown): string {
  if (Array.isArray(value)) return value.map(toText).join(', ');
  if (!isObject(value)) return String(value);
  const { path, message } = value;
  if (typeof path === 'string' && typeof message === 'string') return `${path}: ${message}`;
  return Object.entries(value)
    .map(([name, member]) => `${name} ${toText(member)}`)
    .join(', ');
}
