import { createClient } from '@clickhouse/client';
import type { SmartlinkClient } from '@smartlink/client';
import type { Tally } from './account.js';
import type { Target } from './target.js';

export type CountedReader = {
  /** Clicks, scans and fallbacks over the user's smartlinks that are not deleted, as the API tells them. */
  readonly readApi: () => Promise<Tally>;
  /** Rows of ClickHouse by source, outcome and exclusion; null where it is not known. */
  readonly readRows: () => Promise<Tally | null>;
  readonly close: () => Promise<void>;
};

const QUERY_TIMEOUT_MS = 60_000;

/** Returns what reads the figures of a target's user. The caller closes it. */
export async function openCountedReader(target: Target, api: SmartlinkClient): Promise<CountedReader> {
  const clickhouse =
    target.clickhouseUrl === null
      ? null
      : createClient({ url: target.clickhouseUrl, request_timeout: QUERY_TIMEOUT_MS });
  const { data } = await api.analytics.summary();
  const ownerId = data.user.id;
  return {
    readApi: async () => {
      const { summary } = (await api.analytics.summary()).data;
      const { totalClicks, totalQrCodeScans, totalFallbacks } = summary;
      return { click: totalClicks, scan: totalQrCodeScans, fallback: totalFallbacks };
    },
    readRows: async () => {
      if (clickhouse === null) return null;
      const answer = await clickhouse.query({
        query: ROWS,
        query_params: { ownerId },
        format: 'JSONEachRow',
        clickhouse_settings: { output_format_json_quote_64bit_integers: 0 },
      });
      const [row] = await answer.json<Record<string, number>>();
      return row ?? null;
    },
    close: async () => {
      await clickhouse?.close();
    },
  };
}

// With `final` a visit that was sent twice is one row.
const ROWS = `
select countIf(outcome != 'excluded' and source = 'click') as click,
       countIf(outcome != 'excluded' and source = 'scan') as scan,
       countIf(outcome = 'target') as target,
       countIf(outcome = 'page') as page,
       countIf(outcome = 'fallback') as fallback,
       countIf(exclusion = 'bot') as bot,
       countIf(exclusion = 'head') as head,
       countIf(exclusion = 'deleted') as deleted,
       countIf(outcome = 'excluded' and exclusion not in ('bot', 'head', 'deleted')) as excluded_otherwise,
       count() as all
from events final
where owner_id = {ownerId:UUID}`;
