import type { DetailsOf, ErrorCode, OperationId } from './operation-types.js';

type Common = Error & {
  readonly name: 'SmartlinkError';
  /** Operation id in the API's reference. */
  readonly operation: OperationId;
  /** Number of requests sent. */
  readonly attempts: number;
};

type OfAnswer = {
  /** HTTP status. */
  readonly status: number;
  /** X-Request-Id, which is also in the logs of the service; null without one. */
  readonly requestId: string | null;
  /** Retry-After in milliseconds; null without one. */
  readonly retryAfterMs: number | null;
};

/** A failure answered by the API; `code` says why. */
export type SmartlinkApiError = {
  [Code in ErrorCode]: Common &
    OfAnswer & {
      readonly kind: 'api';
      readonly code: Code;
      readonly details: DetailsOf<Code>;
      /** Paths of unknown members and parameters that the service ignored, at most 20. */
      readonly ignored: readonly string[];
    };
}[ErrorCode];

/** The connection failed. The outcome of the request is unknown. */
export type SmartlinkNetworkError = Common & { readonly kind: 'network' };

/** No answer in time. The outcome of the request is unknown. */
export type SmartlinkTimeoutError = Common & { readonly kind: 'timeout' };

/** The caller's signal ended the call; `reason` is the signal's. The outcome of a request is unknown. */
export type SmartlinkAbortError = Common & { readonly kind: 'aborted'; readonly reason: unknown };

/**
 * An answer that is not from this version of the API, for instance from a proxy. `fault` says why: a redirect (never
 * followed, as the key would be sent along), a body above `answerBytesMax`, another media type, no JSON, JSON without the
 * envelope, `data` that should be a list, cursors that form a cycle, or an unknown error code.
 */
export type SmartlinkAnswerError = Common &
  OfAnswer & {
    readonly kind: 'answer';
    readonly fault:
      | 'redirect'
      | 'tooLarge'
      | 'mediaType'
      | 'notJson'
      | 'notEnvelope'
      | 'notList'
      | 'repeatedCursor'
      | 'unknownCode';
  };

/** Everything that a call rejects with; narrow it by `kind`, and kind `api` by `code`. */
export type SmartlinkError =
  | SmartlinkApiError
  | SmartlinkNetworkError
  | SmartlinkTimeoutError
  | SmartlinkAbortError
  | SmartlinkAnswerError;

/** Whether a caught value is an error of this client. */
export function isSmartlinkError(err: unknown): err is SmartlinkError {
  return err instanceof ErrorWithMembers;
}

export type Members<Kind extends SmartlinkError = SmartlinkError> = Kind extends Kind
  ? Omit<Kind, keyof Error>
  : never;

/** The caller ensures that `message` and `members` do not hold the key. */
export function smartlinkError(message: string, members: Members): SmartlinkError {
  return new ErrorWithMembers(message, members) as unknown as SmartlinkError;
}

// Node prints an error with the name of its class; outside this expression the name is that of the type.
const ErrorWithMembers = class SmartlinkError extends Error {
  static {
    // On the prototype, as for built-in errors: printing an error then shows it in the stack, not among the members.
    Object.defineProperty(this.prototype, 'name', { value: 'SmartlinkError' });
  }

  constructor(message: string, members: object) {
    super(message);
    Object.assign(this, members);
  }
};
