import fp from 'fastify-plugin';
import { withTimeLimit } from '../time-limit.js';

const CHECK_LIMIT_MS = 1_000;

/**
 * Serves /-/live (the process answers) and /-/ready (it can serve). Without Postgres nothing can be served; without
 * Redis changes are published later, without ClickHouse only analytics are refused, so those two are told and do not
 * take the service out of the balancer.
 */
export default fp(
  (app, _options, done) => {
    let isClosing = false;
    app.addHook('preClose', (next) => {
      isClosing = true;
      next();
    });
    app.get('/-/live', () => ({ status: 'live' }));
    app.get('/-/ready', async (_request, reply) => {
      const [postgres, redis, clickhouse] = await Promise.all([
        describe(app.pg.query('select 1')),
        describe(app.redis.ping()),
        describe(
          app.clickhouse.ping().then((result) => {
            if (!result.success) throw result.error;
          }),
        ),
      ]);
      const isReady = !isClosing && postgres === 'ok';
      const status = isClosing ? 'shutting down' : isReady ? 'ready' : 'not ready';
      return reply.code(isReady ? 200 : 503).send({ status, checks: { postgres, redis, clickhouse } });
    });
    done();
  },
  { name: 'health', dependencies: ['postgres', 'redis', 'clickhouse'] },
);

async function describe(check: Promise<unknown>): Promise<string> {
  try {
    await withTimeLimit(CHECK_LIMIT_MS, check);
    return 'ok';
  } catch (err) {
    return err instanceof Error && err.message !== '' ? `down: ${err.message}` : 'down';
  }
}
