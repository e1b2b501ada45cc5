import type { Engine } from './schema-needed.js';

/** Returns the engine with its host and port, as in a line for a person: `Postgres at db.internal:5432`. */
export function placeOf(engine: Engine, url: string): string {
  return readAddress(engine, url).place;
}

/**
 * Returns one clear line for a failure to reach a database: the engine, host and port, and what is wrong. It never holds
 * the password, nor what else the address has behind the host but the name of the database. `answerMsMax` is how long an
 * answer was waited for, in milliseconds, where that is known.
 */
export function describeDatabaseFailure(
  engine: Engine,
  url: string,
  err: unknown,
  answerMsMax?: number,
): string {
  const { place, user, database } = readAddress(engine, url);
  const code = codeOf(err);
  switch (code) {
    case 'ECONNREFUSED':
      return `${place} refuses the connection: it does not run, or listens elsewhere`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `${place} cannot be found: the name is not known (${code})`;
    case 'ENOENT':
      return `${place} cannot be reached: there is no such socket`;
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return `${place} cannot be reached: no way leads there (${code})`;
    case 'ECONNRESET':
    case 'EPIPE':
      return `${place} closed the connection`;
    // SQLSTATE invalid_password and invalid_authorization_specification; ClickHouse's AUTHENTICATION_FAILED.
    case '28P01':
    case '516':
      return `${place} does not take the password of user ${user}`;
    // A login that does not exist or may not come in, and what pg_hba.conf does not let in: TLS may be all that it lacks.
    case '28000':
      return `${place} does not let user ${user} in: ${messageOf(err, url)}`;
    // SQLSTATE invalid_catalog_name; ClickHouse's UNKNOWN_DATABASE.
    case '3D000':
    case '81':
      return `${place} has no database ${database}`;
    case '53300':
      return `${place} takes no more connections`;
    case '57P03':
      return `${place} is starting or stopping`;
    default:
      return isTimeout(err)
        ? `${place} does not answer ${answerMsMax === undefined ? 'in time' : `within ${answerMsMax / 1_000} s`}`
        : `${place} fails: ${messageOf(err, url)}`;
  }
}

function readAddress(engine: Engine, url: string): { place: string; user: string; database: string } {
  const defaults =
    engine === 'Postgres' ? { port: '5432', user: 'postgres' } : { port: '8123', user: 'default' };
  try {
    const { hostname, port, username, pathname, searchParams } = new URL(url);
    const host = searchParams.get('host') ?? (hostname || 'localhost');
    return {
      place: `${engine} at ${decodeURIComponent(host)}:${port || defaults.port}`,
      user: searchParams.get('user') ?? (decodeURIComponent(username) || defaults.user),
      database: decodeURIComponent(pathname.slice(1)) || defaults.user,
    };
  } catch {
    return { place: engine, user: defaults.user, database: '' };
  }
}

/** The code of the innermost failure that has one: both clients wrap those of a name with several addresses. */
function codeOf(err: unknown): string {
  if (err instanceof AggregateError && err.errors.length > 0) return codeOf(err.errors[0]);
  if (!(err instanceof Error)) return '';
  if ('code' in err && typeof err.code === 'string') return err.code;
  return err.cause === undefined ? '' : codeOf(err.cause);
}

/** Whether an answer, or a connection, has taken too long. ClickHouse's client says of its own limit that a user aborted it. */
export function isTimeout(err: unknown): boolean {
  const text = err instanceof Error ? `${err.name} ${err.message} ${codeOf(err)}` : '';
  return /time(?:d )?-?out|TIMEDOUT|TimeoutError|aborted a request|does not answer within/i.test(text);
}

function messageOf(err: unknown, url: string): string {
  const message = err instanceof Error ? err.message || codeOf(err) || err.name : String(err);
  // No message of either client was seen to hold the address; one that does must not be the first.
  const line = message.split('\n', 1)[0] ?? '';
  try {
    const { password, searchParams } = new URL(url);
    const secrets = [decodeURIComponent(password), password, searchParams.get('password') ?? ''];
    return secrets
      .filter((secret) => secret !== '')
      .reduce((text, secret) => text.replaceAll(secret, '***'), line);
  } catch {
    return line;
  }
}
