import { EngineError } from './engine-error.js';
import { quote } from './insert-statement.js';

// Parameters of ClickHouse's HTTP interface that are no settings of the engine. The engine refuses unknown ones.
const HTTP_PARAMETERS = new Set([
  'buffer_size',
  'cancel_http_readonly_queries_on_client_close',
  'client_protocol_version',
  'close_session',
  'compress',
  'database',
  'decompress',
  'default_format',
  'enable_http_compression',
  'http_headers_progress_interval_ms',
  'http_zlib_compression_level',
  'log_comment',
  'password',
  'query',
  'query_id',
  'quota_key',
  'role',
  'send_progress_in_http_headers',
  'session_check',
  'session_id',
  'session_timeout',
  'stacktrace',
  'user',
  'wait_end_of_query',
]);

/** A query that names no limit of its own is ended after this long, so that none can hold the process for ever. */
const MAX_EXECUTION_TIME_SECONDS = 60;

/**
 * Returns the SQL that prepares a fresh connection for one request: its database, its settings, its `param_x`
 * values, and the request's id as log_comment, by which a running query can be found and killed.
 * Throws EngineError for a setting whose name is no identifier.
 */
export function prepareConnectionSql(request: { queryId: string; parameters: URLSearchParams }): string {
  const settings = new Map([
    ['max_execution_time', String(MAX_EXECUTION_TIME_SECONDS)],
    ['log_comment', request.queryId],
  ]);
  for (const [name, value] of request.parameters) {
    if (HTTP_PARAMETERS.has(name)) continue;
    if (!/^[A-Za-z_]\w*$/.test(name))
      throw new EngineError(115, 'UNKNOWN_SETTING', `Unknown setting ${quote(name)}.`);
    settings.set(name, value);
  }
  const set = `set ${[...settings].map(([name, value]) => `${name} = ${quote(value)}`).join(', ')}`;
  const database = request.parameters.get('database') ?? '';
  return database === '' ? set : `use \`${database.replace(/[\\`]/g, (char) => `\\${char}`)}\`; ${set}`;
}
