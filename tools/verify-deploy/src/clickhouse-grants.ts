import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const USERS_FILE = 'deploy/compose/clickhouse/users.xml';
const MIGRATIONS = 'deploy/migrations/clickhouse';
const DATABASES = ['smartlink', 'smartlink_restored'] as const;
// ClickHouse shows these to everybody, cut to what they may see.
const OPEN_TABLES: ReadonlySet<string> = new Set(['system.tables', 'system.columns', 'system.databases']);
/** By login: the packages whose statements it sends. */
const SENT_BY: Readonly<Record<string, readonly string[]>> = {
  smartlink_redirect: ['services/redirect', 'libs/process'],
  smartlink_management: ['services/management', 'libs/process', 'libs/visit-analytics'],
};

/** A right on a table; `table` is `system.parts`, or the plain name of a table of ours. */
export type TableRight = { readonly right: 'SELECT' | 'INSERT'; readonly table: string };

/**
 * Returns which tables that a service's sources name its login in users.xml may not use, a sentence each. Throws when the
 * sources of a login name no table at all: then this looks past them.
 */
export function clickhouseGrantProblems(root: string): readonly string[] {
  const users = readFileSync(path.join(root, USERS_FILE), 'utf8');
  const tables = tablesOf(readFolder(path.join(root, MIGRATIONS), '.sql'));
  return Object.entries(SENT_BY).flatMap(([login, packages]) => {
    const sources = packages.flatMap((name) => readFolder(path.join(root, name, 'src'), '.ts'));
    const rights = findRights(sources, tables);
    if (rights.length === 0) throw new Error(`${packages.join(', ')} name no table of ClickHouse`);
    return missingGrants(users, login, rights);
  });
}

/** Returns what the statements in these sources do to tables of ours and of the system, each once. */
export function findRights(sources: readonly string[], tables: ReadonlySet<string>): readonly TableRight[] {
  const found = new Map<string, TableRight>();
  for (const source of sources) {
    const text = source.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
    const named = [
      ...[...text.matchAll(/\b(from|join|insert into)\s+(system\.\w+|\w+)/g)],
      ...[...text.matchAll(/\b(from)\s+\$\{(?:\w+\.)?system\('(\w+)'\)/g)].map(([all, verb, name]) => [
        all,
        verb,
        `system.${name ?? ''}`,
      ]),
    ];
    for (const [, verb, table = ''] of named) {
      if (!tables.has(table) && !table.startsWith('system.')) continue;
      const right = verb === 'insert into' ? 'INSERT' : 'SELECT';
      if (!OPEN_TABLES.has(table)) found.set(`${right} ${table}`, { right, table });
    }
  }
  return [...found.values()];
}

/** Returns the rights that the login has not in every database of ours, a sentence each. */
export function missingGrants(
  users: string,
  login: string,
  rights: readonly TableRight[],
): readonly string[] {
  const [, user = ''] = new RegExp(`<${login}>([\\s\\S]*?)</${login}>`).exec(users) ?? [];
  const granted = [...user.matchAll(/GRANT ([A-Z, ]+) ON (\w+)\.(\w+|\*)</g)].flatMap(
    ([, list = '', database = '', table = '']) =>
      list.split(', ').map((right) => `${right} ${database}.${table}`),
  );
  return rights.flatMap(({ right, table }) => {
    const places = table.startsWith('system.')
      ? [table]
      : DATABASES.map((database) => `${database}.${table}`);
    return places
      .filter((place) => {
        const [database = ''] = place.split('.');
        return ![`${right} ${place}`, `${right} ${database}.*`].some((one) => granted.includes(one));
      })
      .map((place) => `clickhouse/users.xml: ${login} is not granted ${right} on ${place}, which it uses`);
  });
}

/** The tables that migrations make, and the one in which the migrator keeps them. */
function tablesOf(migrations: readonly string[]): ReadonlySet<string> {
  const made = migrations.flatMap((text) =>
    [...text.matchAll(/create table if not exists (\w+)/g)].map(([, name]) => name ?? ''),
  );
  return new Set([...made, 'schema_migration']);
}

function readFolder(folder: string, ending: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending) && !name.endsWith('.test.ts'))
    .map((name) => readFileSync(path.join(folder, name), 'utf8'));
}
