/** An answer in the engine's own form: a number, a name, and a text that ClickHouse's clients know how to read. */
export class EngineError extends Error {
  readonly code: number;
  readonly httpStatus: number;

  constructor(code: number, name: string, message: string) {
    super(`Code: ${code}. DB::Exception: ${message} (${name})`);
    this.name = 'EngineError';
    this.code = code;
    this.httpStatus = httpStatusOf(code);
  }
}

/** Returns the HTTP answer to anything thrown while a request was served. Code 1002 is ClickHouse's UNKNOWN_EXCEPTION. */
export function describeError(err: unknown): { code: number; httpStatus: number; text: string } {
  if (err instanceof EngineError) return { code: err.code, httpStatus: err.httpStatus, text: err.message };
  const message = (err instanceof Error ? err.message : String(err)).replace(/^Query failed: /, '');
  const digits = /^Code: (\d+)\. DB::Exception/.exec(message)?.[1];
  if (digits === undefined) {
    return { code: 1002, httpStatus: 500, text: `Code: 1002. DB::Exception: ${message} (UNKNOWN_EXCEPTION)` };
  }
  return { code: Number(digits), httpStatus: httpStatusOf(Number(digits)), text: message };
}

// As ClickHouse's HTTPHandler maps them; everything else is 500.
function httpStatusOf(code: number): number {
  return STATUS_BY_CODE[code] ?? 500;
}

const STATUS_BY_CODE: Readonly<Record<number, number>> = {
  36: 400, // BAD_ARGUMENTS
  46: 404, // UNKNOWN_FUNCTION
  47: 404, // UNKNOWN_IDENTIFIER
  48: 501, // NOT_IMPLEMENTED
  60: 404, // UNKNOWN_TABLE
  62: 400, // SYNTAX_ERROR
  81: 404, // UNKNOWN_DATABASE
  115: 404, // UNKNOWN_SETTING
  159: 408, // TIMEOUT_EXCEEDED
  202: 503, // TOO_MANY_SIMULTANEOUS_QUERIES
  307: 413, // TOO_MANY_BYTES
  516: 403, // AUTHENTICATION_FAILED
};
