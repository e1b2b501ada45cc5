import type { ClickHouseClient } from '@clickhouse/client';
import type { ServerProcess } from '@smartlink/bench/server-process';
import { goalCases, pickLinks } from './api-cases.js';
import { askWell } from './measure-api.js';
import type { Tenants } from './tenants.js';

const COUNTED = `
select toFloat64(countIf(smartlink_id = {hot:UUID})) as hot, toFloat64(countIf(smartlink_id = {medium:UUID})) as medium,
       toFloat64(countIf(smartlink_id = {small:UUID})) as small, toFloat64(count()) as summary
from events
where owner_id = {ownerId:UUID} and outcome != 'excluded'`;

/** Rejects when an answer of the API that is about to be measured has other totals than the table of events. */
export async function checkAnswers(
  service: ServerProcess,
  clickhouse: ClickHouseClient,
  tenants: Tenants,
): Promise<void> {
  const { hot, medium, small } = pickLinks(tenants);
  const result = await clickhouse.query({
    query: COUNTED,
    query_params: { ownerId: hot.ownerId, hot: hot.id, medium: medium.id, small: small.id },
    format: 'JSONEachRow',
  });
  const [counted] = await result.json<Record<'hot' | 'medium' | 'small' | 'summary', number>>();
  const cases = goalCases(tenants);
  for (const name of ['hot', 'medium', 'small', 'summary'] as const) {
    const { data } = JSON.parse(await askWell(service, cases[name].request)) as { data: Answered };
    const { totalClicks, totalQrCodeScans } = 'summary' in data ? data.summary : data;
    if (totalClicks + totalQrCodeScans !== counted?.[name]) {
      throw new Error(
        `${cases[name].title}: the API says ${totalClicks + totalQrCodeScans}, the table ${counted?.[name] ?? 0}`,
      );
    }
  }
}

type Answered = Totals | { readonly summary: Totals };
type Totals = { readonly totalClicks: number; readonly totalQrCodeScans: number };
