import { text } from 'node:stream/consumers';
import type { ClickHouseClient } from '@clickhouse/client';

export type Grant = { readonly privileges: readonly string[]; readonly table: string };

/**
 * Returns what the login of this client may not do, as `truncate on events`. ClickHouse is asked for each privilege, and
 * nothing is tried: a table need not be there. Rejects when it fails, and after `limitMs`.
 */
export async function findLackingGrants(
  clickhouse: ClickHouseClient,
  grants: readonly Grant[],
  limitMs: number,
): Promise<readonly string[]> {
  const asked = grants.flatMap(({ privileges, table }) =>
    privileges.map((privilege) => `${privilege} on ${table}`),
  );
  const answers: boolean[] = [];
  for (const one of asked) answers.push(await isGranted(clickhouse, one, limitMs));
  return asked.filter((_, i) => answers[i] !== true);
}

/** The client would append a format to a query, which this statement does not take. */
async function isGranted(clickhouse: ClickHouseClient, grant: string, limitMs: number): Promise<boolean> {
  const { stream } = await clickhouse.exec({
    query: `check grant ${grant}`,
    abort_signal: AbortSignal.timeout(limitMs),
  });
  return (await text(stream)).trim() === '1';
}
