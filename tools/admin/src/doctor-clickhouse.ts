import { ClickHouseLogLevel, createClient } from '@clickhouse/client';
import type { ClickHouseClient } from '@clickhouse/client';
import { askSchema, clickhouseSchema } from '@smartlink/process/schema-check';
import { findLackingGrants } from './clickhouse-grants.js';
import type { Grant } from './clickhouse-grants.js';
import { ANSWER_LIMIT_MS, given, judgeClock, ok, problem, unknown, warning } from './doctor-check.js';
import type { DoctorCheck, Finding } from './doctor-check.js';
import { adviseReaching, describeUnanswered } from './doctor-failure.js';
import { CLICKHOUSE_GRANTS, READS_VISITS, judgeClickhousePrivileges } from './doctor-privileges.js';
import { findClickhouseTime, findClickhouseVersion, findUnrolled } from './doctor-queries.js';
import { judgeSchemaState } from './doctor-schema.js';

const VERSION_MIN = [26, 3] as const;
const DAY_MS = 86_400_000;
// A day that is over is rolled up within minutes; two may be open around midnight.
const OPEN_DAYS_MAX = 2;

export const clickhouseCheck: DoctorCheck = {
  name: 'ClickHouse',
  async run({ env, now, signal }) {
    const url = given(env, 'CLICKHOUSE_URL');
    if (url === null)
      return [
        unknown(
          'ClickHouse',
          'CLICKHOUSE_URL (or CLICKHOUSE_URL_FILE) is not set',
          'Set it, or start npm start.',
        ),
      ];
    const clickhouse = openClient(url);
    // What is being waited for then rejects.
    signal.addEventListener('abort', () => void clickhouse.close(), { once: true });
    try {
      const version = await findClickhouseVersion(clickhouse).catch((err: unknown) => err);
      if (typeof version !== 'string') {
        const seen = describeUnanswered('ClickHouse', url, version);
        return [
          problem(
            'ClickHouse',
            seen,
            `${adviseReaching('CLICKHOUSE_URL', version)} Visits wait in the spool.`,
          ),
        ];
      }
      const schema = askSchema(
        clickhouseSchema(url, () => openClient(url), ANSWER_LIMIT_MS),
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
  const lacking = (grants: readonly Grant[]) => findLackingGrants(clickhouse, grants, ANSWER_LIMIT_MS);
  const service = (await lacking([READS_VISITS])).length === 0 ? 'management' : 'redirect';
  return judgeClickhousePrivileges(service, await lacking(CLICKHOUSE_GRANTS[service]));
}

async function judgeTime(clickhouse: ClickHouseClient, now: () => number): Promise<Finding> {
  const before = now();
  return judgeClock('ClickHouse clock', await findClickhouseTime(clickhouse), before, now());
}

async function judgeRollup(clickhouse: ClickHouseClient, now: () => number): Promise<Finding> {
  const check = 'figures by day';
  const row = await findUnrolled(clickhouse).catch(() => undefined);
  if (row === undefined)
    return unknown(
      check,
      'rollup_state and events cannot be read',
      'Management may: see ClickHouse privileges.',
    );
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
