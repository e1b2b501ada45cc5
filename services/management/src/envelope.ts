import type { ApiError } from './errors.js';

/** Returns a success as clients receive it (management-api.md, Response envelope). */
export function success(message: string, data: object | null): object {
  return { success: true, message, data, timestamp: new Date().toISOString() };
}

/** Returns a failure as clients receive it. `details` only where the specification has them. */
export function failure(err: ApiError): object {
  return {
    success: false,
    error: {
      code: err.code,
      message: err.message,
      ...(err.details === undefined ? {} : { details: err.details }),
    },
    timestamp: new Date().toISOString(),
  };
}
