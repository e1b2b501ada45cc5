import { z } from 'zod';
import { ApiError } from '../errors.js';
import type { ErrorCode } from '../errors.js';
import type { ErrorExample } from '../operation.js';
import { EXAMPLE_TIME, timestamp } from '../envelope-schemas.js';

/** When each code is answered, in a sentence. The list of all codes. */
export const WHEN: Readonly<Record<ErrorCode, string>> = {
  VALIDATION_FAILED: 'The body, a query parameter or a header breaks a rule; `details` lists every fault.',
  UNAUTHORIZED: 'The key is missing, malformed, unknown, revoked or expired.',
  PLAN_RESTRICTED: "The user's plan does not include this call or parameter.",
  SUBSCRIPTION_LIMIT_REACHED:
    'The user has as many smartlinks as the plan allows. Deleted ones do not count.',
  NOT_FOUND:
    "There is no such path, smartlink, webhook or delivery, it is somebody else's, or (for changes) it is deleted.",
  METHOD_NOT_ALLOWED: 'The path does not take the method; `Allow` lists those it takes.',
  SMARTLINK_URL_TAKEN: 'Another smartlink has, or once had, this `smartlinkUrl`.',
  IDEMPOTENCY_KEY_REUSED: 'The `Idempotency-Key` was used with another body in the last 24 hours.',
  PRECONDITION_FAILED: 'The smartlink is not in the version that `If-Match` names.',
  PAYLOAD_TOO_LARGE:
    'The body is larger than 1 MiB, or what the patches of a bulk call would leave is together larger than 8 MiB.',
  UNSUPPORTED_MEDIA_TYPE: 'The body is not `application/json` in UTF-8, or it is compressed.',
  UNSAFE_URL: 'The URL safety check judged a URL malicious; `details` names each.',
  RATE_LIMITED: "More requests in a minute than the user's plan allows.",
  INTERNAL_ERROR: 'A fault of the service.',
  SERVICE_UNAVAILABLE:
    'A database does not answer, too many passwords wait to be hashed, or, where the operator has set ' +
    '`SAFETY_FAIL_CLOSED`, URLs cannot be checked. Try again later.',
};

export const ERROR_CODES = Object.keys(WHEN) as readonly ErrorCode[];

/** The codes whose answers list faults. */
const WITH_DETAILS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'VALIDATION_FAILED',
  'SMARTLINK_URL_TAKEN',
  'UNSAFE_URL',
]);

/** Returns the code in the form of component names: `NotFound`. */
export function componentName(code: ErrorCode): string {
  return code.toLowerCase().replaceAll(/(?:^|_)(\w)/g, (_match, letter: string) => letter.toUpperCase());
}

/** Returns a schema of the failure envelope for each code. */
export function failureSchemas(): Readonly<Record<ErrorCode, z.ZodType>> {
  const detail = z
    .strictObject({
      path: z.string().meta({
        description: 'Where: a dotted path with array indexes; empty for the body itself.',
        example: 'configuration.smartlinkUrl',
      }),
      message: z.string().meta({ description: 'What is wrong, for people.', example: 'Invalid URL format' }),
    })
    .meta({ id: 'Fault' });
  const entries = ERROR_CODES.map((code) => [
    code,
    z
      .strictObject({
        success: z.literal(false),
        error: z.strictObject({
          code: z.literal(code),
          message: z.string(),
          ...(WITH_DETAILS.has(code) ? { details: z.array(detail).min(1) } : {}),
        }),
        timestamp: timestamp(),
      })
      .meta({ id: `${componentName(code)}Failure`, description: WHEN[code] }),
  ]);
  return Object.fromEntries(entries) as Record<ErrorCode, z.ZodType>;
}

const USUAL_EXAMPLES: Partial<Record<ErrorCode, Readonly<Record<string, ErrorExample>>>> = {
  UNAUTHORIZED: {
    malformedKey: { summary: 'No key, or no well-formed one', message: 'Invalid API key format' },
    unknownKey: { summary: 'A key that is unknown, revoked or expired' },
  },
};

/** Returns a code's examples as they stand in the document. With no examples the usual message is the one. */
export function failureExamples(code: ErrorCode, examples: Readonly<Record<string, ErrorExample>> = {}) {
  const given = Object.keys(examples).length > 0 ? examples : (USUAL_EXAMPLES[code] ?? usualExample(code));
  return Object.fromEntries(
    Object.entries(given).map(([name, { summary, message, details }]) => {
      const error = {
        code,
        message: message ?? new ApiError(code).message,
        ...(details === undefined ? {} : { details }),
      };
      return [name, { summary, value: { success: false, error, timestamp: EXAMPLE_TIME } }];
    }),
  );
}

function usualExample(code: ErrorCode): Readonly<Record<string, ErrorExample>> {
  const name = componentName(code);
  return { [name.charAt(0).toLowerCase() + name.slice(1)]: { summary: new ApiError(code).message } };
}
