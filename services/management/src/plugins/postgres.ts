import { failureMessage } from '@smartlink/process/failure-message';
import fp from 'fastify-plugin';
import { Pool } from 'pg';

declare module 'fastify' {
  interface FastifyInstance {
    pg: Pool;
  }
}

// No request may wait for longer: a client would rather have a 503 than a minute of silence.
const CONNECT_TIMEOUT_MS = 3_000;
const STATEMENT_TIMEOUT_MS = 5_000;
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 10_000;

/** Opens the pool of Postgres connections and closes it after the last request. */
export default fp<{ databaseUrl: string; connectionsMax: number }>(
  (app, { databaseUrl, connectionsMax }, done) => {
    const pool = new Pool({
      connectionString: databaseUrl,
      max: connectionsMax,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      // Should Postgres itself not answer any more, statement_timeout is no help.
      query_timeout: STATEMENT_TIMEOUT_MS + 1_000,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
      application_name: 'smartlink-management',
    });
    pool.on('error', (err) => {
      app.log.warn({ err: { message: failureMessage(err) } }, 'an idle postgres connection broke');
    });
    // While a connection is lent out the pool does not listen to it, and a reset between two statements would be an
    // uncaught exception. The next statement on it rejects all the same.
    pool.on('connect', (client) => {
      client.on('error', () => undefined);
    });
    app.decorate('pg', pool);
    app.addHook('onClose', async () => {
      await pool.end();
    });
    done();
  },
  { name: 'postgres' },
);
