import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { createClient } from '@clickhouse/client';

/** Returns the names of the spools in the volume, sorted. */
export function spoolFolders(spools: string): string {
  return readdirSync(spools).toSorted().join(' ');
}

/** Returns how many bytes of events wait in all spools of the volume. */
export function waitingBytes(spools: string): number {
  return readdirSync(spools, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:open|seg)$/.test(name))
    .reduce((sum, name) => sum + bytesOf(path.join(spools, name)), 0);
}

// A segment may have been renamed since the folder was read.
function bytesOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/** Returns how many events there are by country. */
export async function countByCountry(clickhouseUrl: string): Promise<ReadonlyMap<string, number>> {
  const client = createClient({ url: clickhouseUrl });
  try {
    const result = await client.query({
      query: 'select country, toUInt32(count()) as visits from events final group by country',
      format: 'JSONEachRow',
    });
    const rows = await result.json<{ country: string; visits: number }>();
    return new Map(rows.map(({ country, visits }) => [country, visits]));
  } finally {
    await client.close();
  }
}

/** Returns how many events there are. */
export async function countEvents(clickhouseUrl: string): Promise<number> {
  return [...(await countByCountry(clickhouseUrl)).values()].reduce((sum, count) => sum + count, 0);
}
