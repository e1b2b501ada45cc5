import type { DetailsOf, ErrorCode, OperationId } from './operation-types.js';

type Common = Error & {
  readonly name: 'SmartlinkError';
  /** What was called, as the API's reference names it. */
  readonly operation: OperationId;
  /** How many requests were sent, or begun. */
  readonly attempts: number;
};

type OfAnswer = {
  /** Status of the HTTP answer. */
  readonly status: number;
  /** X-Request-Id, which the logs of the service have too; null where the answer has none. */
  readonly requestId: string | null;
  /** How long to wait by Retry-After, in milliseconds; null where the answer does not say. */
  readonly retryAfterMs: number | null;
};

/** The API refused or failed, and said why by `code`. */
export type SmartlinkApiError = {
  [Code in ErrorCode]: Common &
    OfAnswer & { readonly kind: 'api'; readonly code: Code; readonly details: DetailsOf<Code> };
}[ErrorCode];

/** No answer: no connection, or one that broke. Whether the request was carried out is not known. */
export type SmartlinkNetworkError = Common & { readonly kind: 'network' };

/** No answer in time. Whether the request was carried out is not known. */
export type SmartlinkTimeoutError = Common & { readonly kind: 'timeout' };

/** The caller's signal ended the call; `reason` is the signal's. Whether a request was carried out is not known. */
export type SmartlinkAbortError = Common & { readonly kind: 'aborted'; readonly reason: unknown };

/**
 * An answer that the API does not give: something else answered, such as a proxy, or a newer API. `fault` is what is
 * wrong with it: a redirect (which is never followed, as the key would go along), a body above `answerBytesMax`, another
 * media type, no JSON, JSON without the envelope, `data` that is no list where a list is due, a cursor that leads in a
 * circle, or a failure with a code that this client does not know.
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

/** Everything that a call rejects with, told apart by `kind`, and with kind `api` by `code`. */
export type SmartlinkError =
  | SmartlinkApiError
  | SmartlinkNetworkError
  | SmartlinkTimeoutError
  | SmartlinkAbortError
  | SmartlinkAnswerError;

/** Returns whether a caught value is an error of this client, and lets TypeScript know its kinds and codes. */
export function isSmartlinkError(err: unknown): err is SmartlinkError {
  return err instanceof ErrorWithMembers;
}

/** What an error says beside its message. */
export type Members<Kind extends SmartlinkError = SmartlinkError> = Kind extends Kind
  ? Omit<Kind, keyof Error>
  : never;

/** Returns an error of this client. Neither `message` nor `members` hold the key: the caller sees to that. */
export function smartlinkError(message: string, members: Members): SmartlinkError {
  return new ErrorWithMembers(message, members) as unknown as SmartlinkError;
}

// Printed, an error bears the name of its class; outside this expression the name is that of the type.
const ErrorWithMembers = class SmartlinkError extends Error {
  static {
    // Of the prototype, as errors have it: who prints an error sees its members alone, and its stack begins with this.
    Object.defineProperty(this.prototype, 'name', { value: 'SmartlinkError' });
  }

  constructor(message: string, members: object) {
    super(message);
    Object.assign(this, members);
  }
};
