import { Pool, type PoolConfig } from 'pg';
import type { Replica } from '@smartlink/links/resolve';
import { failureMessage, type Queryable } from '@smartlink/process/database';
import type { Logger } from '@smartlink/process/lifecycle';

// One for batched misses, one for large links; more would idle, and Postgres bears them once per process. Both stay open: a
// connection opened during a rush of large links took more than its second, and all who waited for it got a 503.
const CONNECTIONS_MAX = 2;
const CONNECT_TIMEOUT_MS = 1_000;
const STATEMENT_TIMEOUT_MS = 1_000;
/** Kept by this side, in case Postgres cannot report its own timeout. */
const QUERY_TIMEOUT_MS = 1_500;
const IDLE_TIMEOUT_MS = 60_000;
// Shorter for a replica: the primary must still have its turn before the visitor leaves.
const REPLICA_TIMEOUT_MS = 750;
// For both queries of one use, the connection included.
const REPLICA_USE_TIMEOUT_MS = 1_500;
// No visitor waits for overdue changes, and a page reads 4 MiB of content.
const OUTBOX_STATEMENT_TIMEOUT_MS = 5_000;

type Database = Queryable & { readonly end: () => Promise<void> };

/** `onBroken` hears of idle connections that break; without a listener such a break would end the process. */
function openPool(url: string, options: PoolConfig, onBroken: (err: Error) => void): Pool {
  const common = {
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    keepAlive: true,
    application_name: 'smartlink-redirect',
  };
  const pool = new Pool({ connectionString: url, ...common, ...options });
  return pool.on('error', onBroken);
}

type PrimaryOptions = { readonly url: string; readonly log: Logger };

function openPrimaryPool({ url, log }: PrimaryOptions, more: PoolConfig = {}): Pool {
  const limits = {
    max: CONNECTIONS_MAX,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
  };
  return openPool(url, { ...limits, ...more }, (err) => {
    log.warn({ err: { message: failureMessage(err) } }, 'postgres connection lost');
  });
}

/**
 * Opens the pool for misses. An absent database stops nothing: each query rejects within 2.5 s, and the resolver decides.
 * `connect` opens all connections and rejects when Postgres does not answer. The caller ends it.
 */
export function openLinkDatabase(
  options: PrimaryOptions,
): Database & { readonly connect: () => Promise<void> } {
  const pool = openPrimaryPool(options, { min: CONNECTIONS_MAX });
  return {
    query: (text, values) => pool.query(text, values),
    async connect() {
      await Promise.all(Array.from({ length: CONNECTIONS_MAX }, () => pool.query('select 1')));
    },
    end: () => pool.end(),
  };
}

/**
 * Opens the pool for visits of limited links, apart from the one for misses, which must not wait for a locked row. It opens at
 * most two connections, when they are needed; each query rejects within 2.5 s. The caller ends it.
 */
export function openAllowanceDatabase(options: PrimaryOptions): Database {
  const pool = openPrimaryPool(options);
  return { query: (text, values) => pool.query(text, values), end: () => pool.end() };
}

/**
 * Opens the pool of a read replica. Each use of a connection rejects within 1.5 s, whatever its queries. `connect` rejects
 * when the replica does not answer. The caller ends it.
 */
export function openReplicaDatabase(options: {
  url: string;
  log: Logger;
}): Replica & Pick<ReturnType<typeof openLinkDatabase>, 'connect' | 'end'> {
  const limits = {
    max: CONNECTIONS_MAX + 1,
    min: CONNECTIONS_MAX,
    connectionTimeoutMillis: REPLICA_TIMEOUT_MS,
    statement_timeout: REPLICA_TIMEOUT_MS,
    query_timeout: REPLICA_TIMEOUT_MS,
  };
  const pool = openPool(options.url, limits, (err) => {
    options.log.warn({ err: { message: failureMessage(err) } }, 'postgres replica connection lost');
  });
  // The pool does not listen to a connection in use; its query rejects.
  pool.on('connect', (client) => {
    client.on('error', () => undefined);
  });
  const withConnection: Replica['withConnection'] = async (work) => {
    const deadline = performance.now() + REPLICA_USE_TIMEOUT_MS;
    const client = await pool.connect();
    let isReleased = false;
    const release = (isBroken: boolean): void => {
      if (!isReleased) client.release(isBroken);
      isReleased = true;
    };
    // Closes the connection, and its query rejects.
    const timer = setTimeout(release, deadline - performance.now(), true);
    try {
      const result = await work({ query: (text, values) => client.query(text, values) });
      release(false);
      return result;
    } catch (err) {
      // An unfinished query would block the next one.
      release(true);
      throw err;
    } finally {
      clearTimeout(timer);
    }
  };
  return {
    withConnection,
    connect: () => withConnection((db) => db.query('select 1', [])).then(() => undefined),
    end: () => pool.end(),
  };
}

/**
 * Opens the primary's connection for the table of domains, closed while idle. Each query rejects within 2.5 s. The caller ends it.
 */
export function openDomainDatabase(url: string): Database {
  const limits = {
    max: 1,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    application_name: 'smartlink-redirect-domains',
  };
  // The next query fails too.
  const pool = openPool(url, limits, () => undefined);
  return { query: (text, values) => pool.query(text, values), end: () => pool.end() };
}

// How long another database is used before the first is tried again.
const RETURN_AFTER_MS = 30_000;

/**
 * Opens a connection, as openOutboxDatabase does, to the first of `urls` that answers: after a failure the next query goes
 * to the next one, and after 30 s to the first again. The caller ends it.
 */
export function openFirstDatabase(urls: readonly string[]): Database {
  const databases = urls.map(openOutboxDatabase);
  let chosen = 0;
  let leftAt = 0;
  return {
    async query(text, values) {
      if (chosen !== 0 && performance.now() - leftAt > RETURN_AFTER_MS) chosen = 0;
      const asked = chosen;
      try {
        const database = databases[asked];
        if (database === undefined) throw new Error('There is no database to query');
        return await database.query(text, values);
      } catch (err) {
        chosen = (asked + 1) % databases.length;
        leftAt = performance.now();
        throw err;
      }
    },
    async end() {
      await Promise.all(databases.map((database) => database.end()));
    },
  };
}

/**
 * Opens the primary's one connection, made by the first query and again after it broke. An absent database stops nothing:
 * each query rejects within 7 s. The caller ends it.
 */
export function openOutboxDatabase(url: string): Database {
  const limits = {
    max: 1,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: OUTBOX_STATEMENT_TIMEOUT_MS,
    query_timeout: OUTBOX_STATEMENT_TIMEOUT_MS + 1_000,
    application_name: 'smartlink-redirect-outbox',
  };
  // The next query fails too.
  const pool = openPool(url, limits, () => undefined);
  return { query: (text, values) => pool.query(text, values), end: () => pool.end() };
}
