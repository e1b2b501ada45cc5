import { CONNECTION_CODES, failureCode } from '@smartlink/process/database';
import { type Fault, FAULTS_MAX } from '@smartlink/smartlink/document';

/** The only map from code to HTTP status and message. */
const ERRORS = {
  VALIDATION_FAILED: { status: 400, message: 'Request validation failed' },
  UNAUTHORIZED: { status: 401, message: 'Invalid API key' },
  PLAN_RESTRICTED: { status: 403, message: 'Your plan does not include this' },
  SUBSCRIPTION_LIMIT_REACHED: { status: 403, message: 'Subscription limit reached' },
  FORBIDDEN: { status: 403, message: 'This API key may not do this' },
  CONFIRMATION_REQUIRED: { status: 403, message: 'Confirm that it is you' },
  NOT_FOUND: { status: 404, message: 'Smartlink not found' },
  METHOD_NOT_ALLOWED: { status: 405, message: 'Method not allowed' },
  SMARTLINK_URL_TAKEN: { status: 409, message: 'Smartlink URL is already taken' },
  NAME_TAKEN: { status: 409, message: 'Name is already taken' },
  DOMAIN_TAKEN: { status: 409, message: 'Domain is already taken' },
  DOMAIN_IN_USE: { status: 409, message: 'Domain still has smartlinks' },
  MEDIA_IN_USE: { status: 409, message: 'A smartlink shows this picture' },
  IDEMPOTENCY_KEY_REUSED: {
    status: 409,
    message: 'This Idempotency-Key was used with another request',
  },
  GONE: { status: 410, message: 'This link has been used or has expired' },
  PRECONDITION_FAILED: { status: 412, message: 'The smartlink has changed since it was read' },
  PAYLOAD_TOO_LARGE: { status: 413, message: 'Request body is too large' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: 'Content-Type must be application/json' },
  UNSAFE_URL: { status: 422, message: 'URL is not safe' },
  RATE_LIMITED: { status: 429, message: 'Too many requests' },
  INTERNAL_ERROR: { status: 500, message: 'Internal error' },
  SERVICE_UNAVAILABLE: { status: 503, message: 'Service temporarily unavailable' },
} as const;

export type ErrorCode = keyof typeof ERRORS;

type ApiErrorOptions = {
  readonly message?: string;
  readonly details?: readonly Fault[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
};

/** A failure with its error code. Anything else that is thrown becomes INTERNAL_ERROR. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly details: readonly Fault[] | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, options: ApiErrorOptions = {}) {
    super(options.message ?? ERRORS[code].message, { cause: options.cause });
    this.name = 'ApiError';
    this.code = code;
    // A menu may have fifty thousand pictures on one unsafe host.
    this.details = options.details?.slice(0, FAULTS_MAX);
    this.headers = options.headers ?? {};
  }

  get status(): number {
    return statusOf(this.code);
  }
}

export function statusOf(code: ErrorCode): number {
  return ERRORS[code].status;
}

/** VALIDATION_FAILED with one detail. */
export function fault(path: string, message: string): ApiError {
  return new ApiError('VALIDATION_FAILED', { details: [{ path, message }] });
}

/** VALIDATION_FAILED with every fault. */
export function faults(details: readonly Fault[]): ApiError {
  return new ApiError('VALIDATION_FAILED', { details });
}

/** The address belongs to another smartlink. */
export function slugTaken(): ApiError {
  return new ApiError('SMARTLINK_URL_TAKEN', {
    details: [{ path: 'configuration.smartlinkUrl', message: 'This smartlink URL is already taken' }],
  });
}

/** Another object of the account has the value at `path`. */
export function nameTaken(path = 'name'): ApiError {
  return new ApiError('NAME_TAKEN', { details: [{ path, message: 'Is already taken' }] });
}

/** The failure that a client receives for `err`, which may be anything. */
export function toApiError(err: unknown): ApiError {
  if (err instanceof ApiError) return err;
  const code = failureCode(err);
  const known = FRAMEWORK_ERRORS[code];
  if (known === 'VALIDATION_FAILED') return fault('', 'Must be a complete JSON body');
  if (known !== undefined) return new ApiError(known);
  if (isPostgresUnavailable(err, code)) return new ApiError('SERVICE_UNAVAILABLE', { cause: err });
  return new ApiError('INTERNAL_ERROR', { cause: err });
}

// Fastify's error codes for request bodies.
const FRAMEWORK_ERRORS: Readonly<Record<string, ErrorCode | undefined>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'PAYLOAD_TOO_LARGE',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'VALIDATION_FAILED',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'VALIDATION_FAILED',
};

// Beside a lost connection, the classes of Postgres for the same: 08 connection exception, 53 insufficient resources,
// 57 operator intervention (shutdown, statement timeout), 55P03 lock timeout.
function isPostgresUnavailable(err: unknown, code: string): boolean {
  if (CONNECTION_CODES.has(code) || /^(08|53|57)...$/.test(code) || code === '55P03') return true;
  // pg gives these no code (pg 8, lib/client.js and pg-pool/index.js).
  const message = err instanceof Error ? err.message : '';
  return (
    message.includes('Connection terminated') ||
    message.includes('timeout exceeded when trying to connect') ||
    message.includes('Query read timeout') ||
    message.includes('Cannot use a pool after calling end')
  );
}
