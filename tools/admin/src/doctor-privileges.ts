import { ok, problem } from './doctor-check.js';
import type { Finding } from './doctor-check.js';
import type { Grant } from './clickhouse-grants.js';
import type { Privilege } from './doctor-queries.js';

/** What deploy/postgres/roles.sql keeps from the login of management; a test holds both lists against that file. */
const MANAGEMENT_LACKS: Readonly<Record<string, readonly string[]>> = {
  slugs: ['delete'],
  audit_entries: ['update', 'delete'],
  schema_migration: ['insert', 'update', 'delete'],
};
/** What it lets the login of redirect read. */
const REDIRECT_READS: ReadonlySet<string> = new Set([
  'slugs',
  'smartlinks',
  'publish_outbox',
  'link_changes',
  'schema_migration',
]);

/**
 * Judges a login by what it is for: one that may write something is management's, or the owner's, one that may only read
 * is redirect's.
 */
export function judgePostgresPrivileges(login: string, privileges: readonly Privilege[]): Finding {
  const check = 'Postgres privileges';
  const isWriter = privileges.some(({ privilege, isGranted }) => privilege === 'insert' && isGranted);
  const service = isWriter ? 'management' : 'redirect';
  const lacking = privileges
    .filter((one) => !one.isGranted && (isWriter ? managementNeeds(one) : redirectNeeds(one)))
    .map(({ name, privilege }) => `${privilege} on ${name}`);
  if (lacking.length === 0) return ok(check, `${login} may do what ${service} does`);
  const named = lacking.slice(0, NAMED_MAX).join(', ');
  return problem(
    check,
    `${login} lacks ${named}${lacking.length > NAMED_MAX ? ' and more' : ''}, for ${service}`,
    'Run deploy/postgres/roles.sql once more, or grant them to the login of DATABASE_URL.',
  );
}

const NAMED_MAX = 10;

const managementNeeds = ({ name, privilege }: Privilege): boolean =>
  MANAGEMENT_LACKS[name]?.includes(privilege) !== true;

const redirectNeeds = ({ name, privilege }: Privilege): boolean =>
  privilege === 'select' && REDIRECT_READS.has(name);

/** The right that tells management's login from redirect's, which only inserts. */
export const READS_VISITS: Grant = { privileges: ['select'], table: 'events' };

/** What each service does in ClickHouse, as deploy/compose/clickhouse/users.xml grants it. */
export const CLICKHOUSE_GRANTS: Readonly<Record<'management' | 'redirect', readonly Grant[]>> = {
  management: [
    ...['events', 'visits_daily', 'forgotten_visits', 'rollup_state'].map((table) => ({
      privileges: ['select', 'insert', 'alter update', 'alter delete', 'optimize'],
      table,
    })),
    { privileges: ['select'], table: 'schema_migration' },
  ],
  redirect: [
    { privileges: ['insert'], table: 'events' },
    { privileges: ['select'], table: 'schema_migration' },
  ],
};

/** Judges what a login of ClickHouse lacks of what `service` does. */
export function judgeClickhousePrivileges(
  service: 'management' | 'redirect',
  lacking: readonly string[],
): Finding {
  const check = 'ClickHouse privileges';
  if (lacking.length === 0) return ok(check, `may do what ${service} does`);
  const named = lacking.slice(0, NAMED_MAX).join(', ');
  return problem(
    check,
    `lacks ${named}${lacking.length > NAMED_MAX ? ' and more' : ''}, for ${service}`,
    'Grant them to the user of CLICKHOUSE_URL (deploy/compose/clickhouse/users.xml has all of them).',
  );
}
