import { ClickHouseLogLevel, createClient } from '@clickhouse/client';
import type { ClickHouseClient } from '@clickhouse/client';
import { describeDatabaseFailure } from '@smartlink/process/database-failure';
import { askSchema, clickhouseSchema } from '@smartlink/process/schema-check';
import { selectRows } from '@smartlink/visit-analytics/select-rows';
import { ANSWER_LIMIT_MS, given, judgeClock, ok, problem, unknown, warning } from './doctor-check.js';
import type { DoctorCheck, Finding } from './doctor-check.js';
import { judgeSchemaState } from './doctor-schema.js';

const VERSION_MIN = [26, 3] as const;
const DAY_MS = 86_400_000;
// A day that is over is rolled up within minutes; two may be open around midnight.
const OPEN_DAYS_MAX = 2;

export const clickhouseCheck: DoctorCheck = {
  name: 'ClickHouse',
  async run({ env, now }) {
    const url = given(env, 'CLICKHOUSE_URL');
    if (url === null)
      return [unknown('ClickHouse', 'CLICKHOUSE_URL is not set', 'Set it, or start npm start.')];
    const clickhouse = openClient(url);
    try {
      const version = await readVersion(clickhouse).catch((err: unknown) => err);
      if (typeof version !== 'string') {
        const seen = describeDatabaseFailure('ClickHouse', url, version);
        return [
          problem('ClickHouse', seen, 'Start it, or correct CLICKHOUSE_URL. Visits wait in the spool.'),
        ];
      }
      const schema = askSchema(
        clickhouseSchema(url, () => openClient(url)),
        ANSWER_LIMIT_MS,
      );
      return [
        judgeVersion(version),
        judgeSchemaState('ClickHouse schema', await schema),
        await judgePrivileges(clickhouse),
        await judgeTime(clickhouse, now),
        await judgeRollup(clickhouse, now),
      ];
    } finally {
      await clickhouse.close();
    }
  },
};

const openClient = (url: string): ClickHouseClient =>
  createClient({
    url,
    application: 'smartlink-doctor',
    request_timeout: ANSWER_LIMIT_MS,
    log: { level: ClickHouseLogLevel.OFF },
    clickhouse_settings: { output_format_json_quote_64bit_integers: 0 },
  });

async function readVersion(clickhouse: ClickHouseClient): Promise<string> {
  const [row] = await selectRows<{ version: string }>(
    clickhouse,
    'select version() as version',
    {},
    ANSWER_LIMIT_MS,
  );
  return row?.version ?? '';
}

function judgeVersion(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [majorMin, minorMin] = VERSION_MIN;
  if (major > majorMin || (major === majorMin && minor >= minorMin)) return ok('ClickHouse version', version);
  return problem(
    'ClickHouse version',
    `${version}, and ${VERSION_MIN.join('.')} is needed`,
    'Upgrade it; visits wait in the spool meanwhile.',
  );
}

async function judgePrivileges(clickhouse: ClickHouseClient): Promise<Finding> {
  const check = 'ClickHouse privileges';
  // An insert without a row needs the right and changes nothing.
  for (const table of ['events', 'visits_daily', 'rollup_state']) {
    try {
      await clickhouse.command({
        query: `insert into ${table} select * from ${table} limit 0`,
        clickhouse_settings: { async_insert: 0 },
      });
    } catch {
      return problem(
        check,
        `may not read and write the table ${table}`,
        'Grant select and insert on the database of CLICKHOUSE_URL to its user.',
      );
    }
  }
  return ok(check, 'may read and write events and figures');
}

async function judgeTime(clickhouse: ClickHouseClient, now: () => number): Promise<Finding> {
  const before = now();
  const [row] = await selectRows<{ ms: number }>(
    clickhouse,
    'select toUnixTimestamp64Milli(now64(3)) as ms',
    {},
    ANSWER_LIMIT_MS,
  );
  return judgeClock('ClickHouse clock', row?.ms ?? 0, before, now());
}

type RollupRow = { openFrom: string; firstOpen: string; rows: number };

async function judgeRollup(clickhouse: ClickHouseClient, now: () => number): Promise<Finding> {
  const check = 'figures by day';
  const query = `
    with (select argMax(open_from, version) from rollup_state) as open
    select toString(open) as openFrom, toString(toDate(min(ts))) as firstOpen, count() as rows
    from events where ts >= open`;
  const row = await selectRows<RollupRow>(clickhouse, query, {}, ANSWER_LIMIT_MS).then(
    ([first]) => first,
    () => undefined,
  );
  if (row === undefined) return unknown(check, 'rollup_state cannot be read', 'See ClickHouse schema.');
  if (row.rows === 0) return ok(check, 'no visit waits to be rolled up');
  const days = Math.floor(now() / DAY_MS) - Math.floor(Date.parse(`${row.firstOpen}T00:00:00Z`) / DAY_MS);
  const seen = `rolled up to ${row.openFrom}, visits since ${row.firstOpen} wait`;
  return days < OPEN_DAYS_MAX
    ? ok(check, seen)
    : warning(
        check,
        seen,
        'See whether management runs, and what it logs of the roll-up. Answers stay exact.',
      );
}
