import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { describeDatabaseFailure, failureMessage, withTimeLimit } from '@smartlink/process/database';
import { askSchema, type SchemaSource } from '@smartlink/process/schema';
import { measureOutbox, OUTBOX_AGE_MAX_SECONDS } from '@smartlink/smartlink/store';
import { selectRows } from '@smartlink/visits/analytics';
import { measureRollup } from '@smartlink/visits/rollup';
import type { Access } from '../accounts/access.js';
import { success } from '../envelope.js';
import type { Operation } from '../operation.js';
import { ANSWER_MS_MAX, schemasOf } from '../plugins/engines.js';
import { gaugesFromQuery } from '../plugins/metrics.js';
import { measureOverdue } from '../smartlinks/smartlinks.js';
import { NO_URL_SAFETY } from '../url-safety/url-safety.js';
import { FOR_OPERATORS } from './operations.js';

// A visit reaches ClickHouse within seconds of its answer, unless it waits in the spool.
const VISIT_AGE_MAX_SECONDS = 60;
// The last minutes of arrivals: a skip index finds them.
const ARRIVALS_MINUTES = 10;
// URLs are judged once a day, and while the provider is down once an hour.
const OVERDUE_MAX_SECONDS = 2 * 3_600;

type Addresses = { readonly DATABASE_URL: string; readonly CLICKHOUSE_URL: string };
type Finding = { readonly name: string; readonly ok: boolean; readonly reason?: string };
/** A rejection of `run` is a fault. */
type Check = { readonly name: string; readonly run: () => Promise<Omit<Finding, 'name'>> };

const access: Access = { person: 'operator' };

/** GET /admin/health. Concurrent requests share one run of the checks. */
export function healthRoutes(
  app: FastifyInstance,
  { addresses }: { readonly addresses: Addresses },
  done: () => void,
): void {
  const checks = checksOf(app, addresses);
  gaugesFromQuery(app.metrics.registry, () => measureBackup(app), [
    {
      name: 'smartlink_backup_age_seconds',
      help: 'Age of the newest backup of both databases, or of the installation before the first',
      member: 'ageSeconds',
    },
  ]);
  let underWay: Promise<Finding[]> | null = null;
  app.get('/admin/health', { config: { operation: healthOperation, access } }, async () => {
    underWay ??= Promise.all(checks.map(runCheck)).finally(() => {
      underWay = null;
    });
    return success('Checks done', await underWay);
  });
  done();
}

async function runCheck({ name, run }: Check): Promise<Finding> {
  try {
    return { name, ...(await withTimeLimit(ANSWER_MS_MAX, run())) };
  } catch (err) {
    return { name, ok: false, reason: failureMessage(err) };
  }
}

/** The doctor's checks of engines, schemas and queues. Hosts and configuration are left to the command. */
function checksOf(app: FastifyInstance, addresses: Addresses): readonly Check[] {
  const { pg, redis, clickhouse, urlSafety } = app;
  const { DATABASE_URL, CLICKHOUSE_URL } = addresses;
  const schemas = schemasOf(addresses);
  /** Failures name only host and port of the address. */
  const reaching = async (engine: 'Postgres' | 'ClickHouse', url: string, answer: Promise<unknown>) => {
    try {
      await answer;
      return { ok: true };
    } catch (err) {
      return { ok: false, reason: describeDatabaseFailure(engine, url, err) };
    }
  };
  return [
    { name: 'Postgres', run: () => reaching('Postgres', DATABASE_URL, pg.query('select 1')) },
    { name: 'Postgres schema', run: () => judgeSchema(schemas.postgres) },
    {
      name: 'changes to publish',
      run: async () => {
        const { depth, oldestSeconds } = await measureOutbox(pg);
        return {
          ok: oldestSeconds <= OUTBOX_AGE_MAX_SECONDS,
          reason: depth === 0 ? 'none waits' : `${depth} wait, the oldest for ${Math.round(oldestSeconds)} s`,
        };
      },
    },
    { name: 'Redis', run: async () => ({ ok: (await redis.ping()) === 'PONG' }) },
    {
      name: 'ClickHouse',
      run: () =>
        reaching('ClickHouse', CLICKHOUSE_URL, selectRows(clickhouse, 'select 1', {}, ANSWER_MS_MAX)),
    },
    { name: 'ClickHouse schema', run: () => judgeSchema(schemas.clickhouse) },
    {
      name: 'figures by day',
      run: async () => {
        const { isLate, seen } = await measureRollup(clickhouse, Date.now(), ANSWER_MS_MAX);
        return { ok: !isLate, reason: seen };
      },
    },
    { name: 'visits on their way', run: () => judgeArrivals(app) },
    ...(urlSafety === NO_URL_SAFETY ? [] : [{ name: 'URL safety', run: () => judgeSafety(app) }]),
  ];
}

const NEWEST_BACKUP = `
select extract(epoch from now() - coalesce(
  (select max(at) from audit_entries where action = 'database.backup'),
  (select min(applied_at) from schema_migration)
))::float8 as "ageSeconds"`;

async function measureBackup({ pg }: FastifyInstance): Promise<{ ageSeconds: number }> {
  const { rows } = await pg.query<{ ageSeconds: number }>(NEWEST_BACKUP);
  return { ageSeconds: rows[0]?.ageSeconds ?? Number.NaN };
}

async function judgeSchema(source: SchemaSource) {
  const state = await askSchema(source, ANSWER_MS_MAX);
  return state.kind === 'known' ? { ok: true } : { ok: false, reason: state.reason };
}

const RECENT_ARRIVALS = `
select count() as visits, dateDiff('second', max(arrived_at), now64(3)) as age,
       max(dateDiff('second', ts, arrived_at)) as late
from events where arrived_at > now64(3) - interval ${ARRIVALS_MINUTES} minute`;

/** The spools are on the hosts of redirect, so a visit that waited in one is recognised by its age on arrival. */
async function judgeArrivals({ clickhouse }: Pick<FastifyInstance, 'clickhouse'>) {
  const [row] = await selectRows<{ visits: number; age: number; late: number }>(
    clickhouse,
    RECENT_ARRIVALS,
    {},
    ANSWER_MS_MAX,
  );
  if (row === undefined || row.visits === 0) {
    return { ok: true, reason: `no visit arrived in the last ${ARRIVALS_MINUTES} minutes` };
  }
  const isLate = row.late > VISIT_AGE_MAX_SECONDS;
  const last = `the last visit arrived ${Math.max(0, row.age)} s ago`;
  return { ok: !isLate, reason: isLate ? `${last}; some were ${row.late} s old` : last };
}

async function judgeSafety({ pg, urlSafety }: Pick<FastifyInstance, 'pg' | 'urlSafety'>) {
  if (urlSafety.isProviderDown?.() === true) return { ok: false, reason: 'the provider does not answer' };
  const { count, oldestSeconds } = await measureOverdue(pg);
  const reason = `${count} smartlinks are due to be judged, the first for ${Math.round(oldestSeconds)} s`;
  return { ok: oldestSeconds <= OVERDUE_MAX_SECONDS, ...(count === 0 ? {} : { reason }) };
}

function healthOperation(): Operation {
  return {
    tag: 'Operators',
    operationId: 'readHealth',
    summary: 'Check the installation',
    description:
      'Databases, their schemas, changes that wait to be published, rollups, the arrival of visits, and the URL safety ' +
      `provider, each within ${ANSWER_MS_MAX / 1_000} seconds. \`npm run admin -- doctor\` checks hosts and configuration too. ` +
      FOR_OPERATORS,
    success: {
      status: 200,
      description: 'All checks, whatever they found.',
      data: {
        schema: z.array(
          z
            .strictObject({
              name: z.string().meta({ description: 'What was checked.' }),
              ok: z.boolean().meta({ description: 'Whether all is well.' }),
              reason: z.string().optional().meta({ description: 'What was seen, for human readers.' }),
            })
            .meta({ id: 'HealthCheck' }),
        ),
        examples: {
          checks: {
            summary: 'Changes that wait',
            message: 'Checks done',
            data: [
              { name: 'Postgres', ok: true },
              { name: 'changes to publish', ok: false, reason: '12 wait, the oldest for 75 s' },
            ],
          },
        },
      },
    },
    errors: {},
  };
}
