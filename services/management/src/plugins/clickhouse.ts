import { ClickHouseLogLevel, createClient } from '@clickhouse/client';
import type { ClickHouseClient } from '@clickhouse/client';
import fp from 'fastify-plugin';
import type {} from './tracing.js';

declare module 'fastify' {
  interface FastifyInstance {
    clickhouse: ClickHouseClient;
  }
}

// No statement waits for longer (decisions.md, Analytics); each query sets its own limit below this.
const REQUEST_TIMEOUT_MS = 5_000;

/** Opens the ClickHouse client and closes it after the last request. */
export default fp<{ clickhouseUrl: string }>(
  (app, { clickhouseUrl }, done) => {
    const clickhouse = createClient({
      url: clickhouseUrl,
      application: 'smartlink-management',
      request_timeout: REQUEST_TIMEOUT_MS,
      max_open_connections: 10,
      ...(app.tracer === null ? {} : { tracer: app.tracer }),
      // Its own lines are no JSON and hold parameters; failures are logged by those who asked.
      log: { level: ClickHouseLogLevel.OFF },
      // Counts travel as numbers: none comes near 2^53.
      clickhouse_settings: { output_format_json_quote_64bit_integers: 0, max_execution_time: 5 },
    });
    app.decorate('clickhouse', clickhouse);
    app.addHook('onClose', async () => {
      await clickhouse.close();
    });
    done();
  },
  { name: 'clickhouse', dependencies: ['tracing'] },
);
