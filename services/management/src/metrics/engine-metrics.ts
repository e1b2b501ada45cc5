import type { ClickHouseClient } from '@clickhouse/client';
import type { RedisConnection } from '@smartlink/link-resolver/redis-connection';
import type { Pool } from 'pg';
import { Gauge, Histogram } from 'prom-client';
import type { Registry } from 'prom-client';
import { DURATION_BUCKETS_SECONDS } from './duration-buckets.js';

/** Adds the figures of the connections to the three engines to `registry`. Questions to `clickhouse` are timed from now on. */
export function measureEngines(
  registry: Registry,
  engines: { readonly pg: Pool; readonly redis: RedisConnection; readonly clickhouse: ClickHouseClient },
): void {
  measurePool(registry, engines.pg);
  timeQueries(registry, engines.clickhouse);
  new Gauge({
    name: 'smartlink_redis_connected',
    help: '1 while the connection to Redis is in order',
    registers: [registry],
    collect() {
      this.set(engines.redis.status === 'ready' ? 1 : 0);
    },
  });
}

function measurePool(registry: Registry, pg: Pool): void {
  const registers = [registry];
  new Gauge({
    name: 'smartlink_postgres_connections',
    help: 'Connections of the pool to Postgres',
    labelNames: ['state'],
    registers,
    collect() {
      this.set({ state: 'used' }, pg.totalCount - pg.idleCount);
      this.set({ state: 'idle' }, pg.idleCount);
    },
  });
  new Gauge({
    name: 'smartlink_postgres_connections_max',
    help: 'POSTGRES_CONNECTIONS_MAX: connections the pool may have',
    registers,
  }).set(pg.options.max);
  new Gauge({
    name: 'smartlink_postgres_requests_waiting',
    help: 'Who waits for a connection of the pool',
    registers,
    collect() {
      this.set(pg.waitingCount);
    },
  });
}

/** The client has one method for all questions, so they are timed there and not where each is asked. */
function timeQueries(registry: Registry, clickhouse: ClickHouseClient): void {
  const duration = new Histogram({
    name: 'smartlink_clickhouse_query_duration_seconds',
    help: 'Time of a question to ClickHouse until its answer begins; rollups are not counted',
    labelNames: ['result'],
    buckets: DURATION_BUCKETS_SECONDS,
    registers: [registry],
  });
  duration.zero({ result: 'done' });
  duration.zero({ result: 'failed' });
  const ask = clickhouse.query.bind(clickhouse);
  const timed: typeof ask = async (params) => {
    const end = duration.startTimer();
    try {
      const answer = await ask(params);
      end({ result: 'done' });
      return answer;
    } catch (err) {
      end({ result: 'failed' });
      throw err;
    }
  };
  clickhouse.query = timed;
}
