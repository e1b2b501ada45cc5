import type { Command } from 'commander';
import type { Client } from 'pg';
import { findAuditEntries, findAuditTime } from './audit-queries.js';
import type { AuditFilter, AuditRow } from './audit-queries.js';
import { describeActor, describeChange } from './audit-text.js';
import { examples } from './examples.js';
import { LIMIT_MAX, readLimit } from './list-limit.js';
import { Problem } from './problem.js';
import { findUserRow } from './queries.js';
import { withSession } from './session.js';
import { formatTable } from './table.js';
import type { Terminal } from './terminal.js';
import { parseSince } from './time-options.js';
import { noUser } from './user-commands.js';
import { isUuid } from './uuid.js';

const LIMIT_DEFAULT = 50;

type ListOptions = {
  email?: string;
  smartlink?: string;
  action?: string;
  since?: string;
  before?: string;
  limit: string;
  json?: true;
};

/** Adds `audit list`. */
export function addAuditCommands(program: Command, terminal: Terminal): void {
  const audit = program.command('audit').description('who changed what and when');
  audit
    .command('list')
    .description('list changes of smartlinks, users, keys and plans, newest first')
    .option('--email <address>', 'changes of this user and of what is theirs; the id when the user is gone')
    .option('--smartlink <id>', 'changes of this smartlink')
    .option('--action <name>', 'one action, like smartlink.update, key.create, user.set-plan or plan.set')
    .option(
      '--since <when>',
      'a span back from now like 30m (minutes), 12h, 7d or 2w, or a date like 2026-01-31 (UTC)',
    )
    .option('--before <id>', 'only what is older than this entry: the next page')
    .option('--limit <n>', `most entries to list, up to ${LIMIT_MAX}`, String(LIMIT_DEFAULT))
    .option('--json', 'print an array')
    .addHelpText(
      'after',
      examples(
        'audit list --since 24h',
        'audit list --email ann@example.com --action smartlink.delete',
        'audit list --before 1200 --limit 1000 --json',
      ),
    )
    .action((options: ListOptions) => list(terminal, options));
}

async function list(terminal: Terminal, options: ListOptions): Promise<void> {
  const limit = readLimit(options.limit);
  // One more than is shown tells whether there is another page.
  const found = await withSession(terminal.env, async ({ db }) =>
    findAuditEntries(db, await readFilter(db, options), limit + 1),
  );
  const shown = found.slice(0, limit);
  if (options.json) {
    terminal.stdout(`${JSON.stringify(shown.map(toJson))}\n`);
    return;
  }
  const last = shown.at(-1);
  if (last === undefined) {
    terminal.stdout('There are no such entries.\n');
    return;
  }
  terminal.stdout(
    formatTable(
      ['ENTRY', 'TIME (UTC)', 'ACTOR', 'ACTION', 'USER', 'WHAT'],
      shown.map((entry) => [
        entry.id,
        entry.at.toISOString().slice(0, 19).replace('T', ' '),
        describeActor(entry),
        entry.action,
        entry.email ?? entry.user_id ?? '-',
        describeChange(entry),
      ]),
    ),
  );
  if (found.length > limit) terminal.stdout(`There are older ones: add --before ${last.id}.\n`);
}

async function readFilter(db: Client, options: ListOptions): Promise<AuditFilter> {
  const { email, smartlink, action, since, before } = options;
  if (smartlink !== undefined && !isUuid(smartlink)) {
    throw new Problem(`--smartlink ${JSON.stringify(smartlink)} is no id of a smartlink.`);
  }
  if (action !== undefined && !/^[a-z]+\.[a-z-]+$/.test(action)) {
    throw new Problem(
      `--action ${JSON.stringify(action)}: expected a name like smartlink.update or user.create.`,
    );
  }
  return {
    since: since === undefined ? null : parseSince(since, new Date()),
    smartlinkId: smartlink ?? null,
    action: action ?? null,
    userId: email === undefined ? null : await findUserId(db, email),
    before: before === undefined ? null : await findEntry(db, before),
  };
}

/** Returns the id of a user; one who is gone is known by the id only. Throws Problem when nobody is meant. */
async function findUserId(db: Client, idOrEmail: string): Promise<string> {
  const user = await findUserRow(db, idOrEmail);
  if (user !== null) return user.id;
  if (isUuid(idOrEmail)) return idOrEmail;
  throw noUser(
    idOrEmail,
    '; one who is gone has entries under the id, which audit list --action user.delete shows',
  );
}

async function findEntry(db: Client, id: string): Promise<{ at: Date; id: string }> {
  // 15 digits stay below both 2^53 and the end of a bigint.
  const at = /^\d{1,15}$/.test(id) ? await findAuditTime(db, id) : null;
  if (at === null) throw new Problem(`--before ${JSON.stringify(id)}: there is no such entry.`);
  return { at, id };
}

function toJson(entry: AuditRow): object {
  const { key_name: name, key_display_prefix: displayPrefix } = entry;
  return {
    id: Number(entry.id),
    at: entry.at.toISOString(),
    actor: entry.actor,
    key: displayPrefix === null ? null : { name, displayPrefix },
    action: entry.action,
    userId: entry.user_id,
    email: entry.email,
    smartlinkId: entry.smartlink_id,
    details: entry.details ?? {},
  };
}
