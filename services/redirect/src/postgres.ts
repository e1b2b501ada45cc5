import type { Replica } from '@smartlink/link-resolver/replicas';
import type { Queryable } from '@smartlink/link-resolver/snapshot-query';
import { failureMessage } from '@smartlink/process/failure-message';
import type { Logger } from '@smartlink/process/logger';
import { Pool } from 'pg';

// One for the misses that are gathered into one query at a time, one for large links; more would idle, and times the
// processes it is what Postgres must bear. Both are kept: one that was opened under a rush of large links took more than
// the second it has, and all who waited for it got a 503.
const CONNECTIONS_MAX = 2;
const CONNECT_TIMEOUT_MS = 1_000;
const STATEMENT_TIMEOUT_MS = 1_000;
/** On our side of the wire, for when Postgres cannot even say that its time is up. */
const QUERY_TIMEOUT_MS = 1_500;
const IDLE_TIMEOUT_MS = 60_000;
// A replica has less time for all of it: the primary must still have its turn before the visitor is gone.
const REPLICA_TIMEOUT_MS = 750;
// Two questions are asked in one use of a connection, which may have to be made: together they have no more than this.
const REPLICA_USE_TIMEOUT_MS = 1_500;
// Nobody waits for changes that are overdue, and 4 MiB of content are read at once.
const OUTBOX_STATEMENT_TIMEOUT_MS = 5_000;

export type LinkDatabase = Queryable & {
  /** Opens all connections; rejects when Postgres does not answer. */
  readonly connect: () => Promise<void>;
  readonly end: () => Promise<void>;
};

/**
 * Opens the pool for misses. A database that is not there stops nothing: each query rejects within 2.5 s, and the
 * resolver decides. The caller ends it.
 */
export function openLinkDatabase(options: { url: string; log: Logger }): LinkDatabase {
  const { url, log } = options;
  const pool = new Pool({
    connectionString: url,
    max: CONNECTIONS_MAX,
    min: CONNECTIONS_MAX,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    keepAlive: true,
    application_name: 'smartlink-redirect',
  });
  // An idle connection that breaks is told here, and without a listener it would end the process.
  pool.on('error', (err) => {
    log.warn({ err: { message: failureMessage(err) } }, 'a connection to postgres broke');
  });
  return {
    query: (text, values) => pool.query(text, values),
    async connect() {
      await Promise.all(Array.from({ length: CONNECTIONS_MAX }, () => pool.query('select 1')));
    },
    end: () => pool.end(),
  };
}

export type ReplicaDatabase = Replica & {
  /** Opens a connection; rejects when the replica does not answer. */
  readonly connect: () => Promise<void>;
  readonly end: () => Promise<void>;
};

/**
 * Opens the pool of a read replica. Each use of a connection rejects within 1.5 s, whatever was asked in it. The caller
 * ends it.
 */
export function openReplicaDatabase(options: { url: string; log: Logger }): ReplicaDatabase {
  const { url, log } = options;
  const pool = new Pool({
    connectionString: url,
    max: CONNECTIONS_MAX + 1,
    min: CONNECTIONS_MAX,
    connectionTimeoutMillis: REPLICA_TIMEOUT_MS,
    statement_timeout: REPLICA_TIMEOUT_MS,
    query_timeout: REPLICA_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    keepAlive: true,
    application_name: 'smartlink-redirect',
  });
  pool.on('error', (err) => {
    log.warn({ err: { message: failureMessage(err) } }, 'a connection to a postgres replica broke');
  });
  // The pool does not listen to a connection that is in use; who uses it hears of the break by what it asked.
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
    // It closes the connection, and what was asked on it rejects.
    const timer = setTimeout(release, deadline - performance.now(), true);
    try {
      const result = await work({ query: (text, values) => client.query(text, values) });
      release(false);
      return result;
    } catch (err) {
      // What is left of the question would be in the way of the next one.
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

export type OutboxDatabase = Queryable & { readonly end: () => Promise<void> };

// So long is another database used before the first is tried again.
const RETURN_AFTER_MS = 30_000;

/**
 * Opens a connection to the first of `urls` that answers, as openOutboxDatabase does: one that fails is followed by the
 * next at the next question, and the first is tried again after 30 s. The caller ends it.
 */
export function openFirstDatabase(urls: readonly string[]): OutboxDatabase {
  const databases = urls.map(openOutboxDatabase);
  let chosen = 0;
  let leftAt = 0;
  return {
    async query(text, values) {
      if (chosen !== 0 && performance.now() - leftAt > RETURN_AFTER_MS) chosen = 0;
      const asked = chosen;
      try {
        const database = databases[asked];
        if (database === undefined) throw new Error('There is no database to ask');
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
 * Opens the connection of the primary, one, which is made when it is asked something, and made again when it broke. A
 * database that is not there stops nothing: each query rejects within 7 s. The caller ends it.
 */
export function openOutboxDatabase(url: string): OutboxDatabase {
  const pool = new Pool({
    connectionString: url,
    max: 1,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: OUTBOX_STATEMENT_TIMEOUT_MS,
    query_timeout: OUTBOX_STATEMENT_TIMEOUT_MS + 1_000,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    keepAlive: true,
    application_name: 'smartlink-redirect-outbox',
  });
  // The next query tells.
  pool.on('error', () => undefined);
  return { query: (text, values) => pool.query(text, values), end: () => pool.end() };
}
