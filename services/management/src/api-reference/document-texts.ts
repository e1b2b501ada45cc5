import { z } from 'zod';
import { ApiError, type ErrorCode, statusOf } from '../errors.js';
import { type ErrorExample, EXAMPLE_TIME, ignoredSchema, type Tag, timestamp } from '../operation.js';

/** The groups of operations, in the order of the page. */
export const TAGS: { name: Tag; description: string }[] = [
  { name: 'Smartlinks', description: 'Create, read, change, pause and delete smartlinks.' },
  { name: 'Tags and folders', description: 'What smartlinks are filed under.' },
  { name: 'Media', description: 'Pictures for smartlinks.' },
  { name: 'Domains', description: 'Hosts of your own for smartlinks.' },
  { name: 'Analytics', description: 'Clicks, QR scans and fallbacks.' },
  { name: 'QR codes', description: 'Images of the codes that lead to smartlinks.' },
  { name: 'Webhooks', description: 'Messages to your own servers when something happens.' },
  { name: 'Import and export', description: 'Smartlinks from files, and all of them as a file.' },
  { name: 'Account', description: 'The account, its members, API keys and audit log.' },
  {
    name: 'Operators',
    description: 'People, accounts and plans of the installation, its health, and unsafe URLs.',
  },
  { name: 'Reference', description: 'This document.' },
];

/** The text above the operations, in Markdown. */
export function introduction(): string {
  return [...PARAGRAPHS, '## Error codes', table()].join('\n\n');
}

const PARAGRAPHS = [
  'Smartlinks are short public addresses that lead every visitor to the right place. This API creates and ' +
    'measures them.',
  '## Requests',
  'Every request carries a key: `Authorization: Bearer <key>`. Requests of a signed-in person carry the cookie of the session ' +
    'instead, and writes then the `Origin` of this service. Bodies are JSON in UTF-8, at most 1 MiB, nested at most ' +
    '16 deep, with `Content-Type: application/json`. Lengths count Unicode code points. Unknown members ' +
    'and query parameters are ignored; `ignored` of the answer lists the first 20. On create, `null` is the same as leaving a field out. `HEAD` works wherever `GET` does.',
  '## Answers',
  'A success is `{success: true, message, data, timestamp, ignored?}`, a failure `{success: false, error: {code, message, ' +
    'details?}, timestamp, ignored?}`: check `success` first, and distinguish failures by `code`; messages are for human readers. ' +
    'Times are UTC with milliseconds. Every answer has an `X-Request-Id`. Invalid HTTP, too large headers and incomplete ' +
    'requests are answered in the same envelope, with 400, 431 and 408.',
  '## Limits',
  'The plan limits the requests per user and minute; a signed-in person may make 600 per minute on every plan. Every answer to a valid key has `RateLimit-Limit`, ' +
    '`RateLimit-Remaining` and `RateLimit-Reset`; a 429 has `Retry-After`.',
  '## Versions',
  'The version of the API is part of the path: `/api/v1`.',
];

function table(): string {
  const rows = ERROR_CODES.map((code) => `| ${statusOf(code)} | \`${code}\` | ${WHEN[code]} |`);
  return ['| status | code | when |', '| --- | --- | --- |', ...rows].join('\n');
}

/** All codes, each with its meaning in a sentence. */
export const WHEN: Readonly<Record<ErrorCode, string>> = {
  VALIDATION_FAILED: 'The body, a query parameter or a header breaks a rule; `details` lists every fault.',
  UNAUTHORIZED: 'The key is missing, malformed, unknown, revoked or expired, or the session has ended.',
  PLAN_RESTRICTED: "The user's plan does not include this call or parameter.",
  SUBSCRIPTION_LIMIT_REACHED:
    'The user has the maximum number of smartlinks of the plan, deleted ones not counted, or of bytes of uploaded pictures.',
  FORBIDDEN:
    'The API key lacks the scope, or the signed-in person the role, that the call needs; `details` names it.',
  CONFIRMATION_REQUIRED:
    'A signed-in person has neither signed in nor entered the password within the last ten minutes.',
  NOT_FOUND:
    'The path, smartlink, tag, folder, picture, domain, webhook or delivery does not exist, belongs to another user, or (for changes) is deleted.',
  METHOD_NOT_ALLOWED: 'The path does not support the method; `Allow` lists those it supports.',
  SMARTLINK_URL_TAKEN: 'Another smartlink has, or had, this `smartlinkUrl`.',
  NAME_TAKEN: 'Another object of the account has this name or `externalId`; `details` names the member.',
  DOMAIN_TAKEN: 'The account has the host already, or another account has proven it.',
  DOMAIN_IN_USE: 'The domain is the primary address of an Active or Paused smartlink.',
  MEDIA_IN_USE: 'An Active or Paused smartlink has an address of the picture.',
  IDEMPOTENCY_KEY_REUSED: 'The `Idempotency-Key` was used with a different body in the last 24 hours.',
  GONE: 'Sign-in, which is outside `/api/v1`: a one-time link has been used or has expired.',
  PRECONDITION_FAILED: 'The smartlink is not in the version that `If-Match` names.',
  PAYLOAD_TOO_LARGE:
    'The body is larger than 1 MiB, a picture has too many bytes or pixels, or the results of the patches of a bulk call are together larger than 8 MiB.',
  UNSUPPORTED_MEDIA_TYPE:
    'The body is not `application/json` in UTF-8, a picture has a type that is not taken, or the body is compressed.',
  UNSAFE_URL: 'The URL safety check judged a URL malicious; `details` names each.',
  RATE_LIMITED:
    "More or costlier requests per minute than the user's plan allows, too many at once, or more than 60 unknown keys per minute from the client's network.",
  INTERNAL_ERROR: 'An internal failure of the service.',
  SERVICE_UNAVAILABLE:
    'A database does not answer, too many passwords are waiting to be hashed, a smartlink changes too often, or, with ' +
    '`SAFETY_FAIL_CLOSED`, URLs cannot be checked. Try again later.',
};

export const ERROR_CODES = Object.keys(WHEN) as readonly ErrorCode[];

/** The codes whose answers list faults. */
const WITH_DETAILS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'FORBIDDEN',
  'VALIDATION_FAILED',
  'SMARTLINK_URL_TAKEN',
  'NAME_TAKEN',
  'DOMAIN_TAKEN',
  'UNSAFE_URL',
]);

/** `NotFound` */
export function componentName(code: ErrorCode): string {
  return code.toLowerCase().replaceAll(/(?:^|_)(\w)/g, (_match, letter: string) => letter.toUpperCase());
}

export function failureSchemas(): Readonly<Record<ErrorCode, z.ZodType>> {
  const detail = z
    .strictObject({
      path: z.string().meta({
        description: 'Dotted path with array indexes; empty for the body itself.',
        example: 'configuration.smartlinkUrl',
      }),
      message: z
        .string()
        .meta({ description: 'The fault, for human readers.', example: 'Invalid URL format' }),
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
        ignored: ignoredSchema,
      })
      .meta({ id: `${componentName(code)}Failure`, description: WHEN[code] }),
  ]);
  return Object.fromEntries(entries) as Record<ErrorCode, z.ZodType>;
}

const USUAL_EXAMPLES: Partial<Record<ErrorCode, Readonly<Record<string, ErrorExample>>>> = {
  UNAUTHORIZED: {
    malformedKey: { summary: 'A missing or malformed key', message: 'Invalid API key format' },
    unknownKey: { summary: 'An unknown, revoked or expired key' },
    endedSession: { summary: 'The cookie of a session that has ended', message: 'Session expired' },
  },
};

/** Without `examples`, the code's usual message. */
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

const text = (description: string, example: string) => z.string().meta({ description, example });
const whole = (description: string, example: number) => z.int().min(0).meta({ description, example });

/** All response headers, for `components.headers`; optional ones are missing on some answers. */
export function responseHeaders() {
  return {
    'X-Request-Id': text('Identifies the request, also in the logs.', '0b6f3c1e-6a0e-4a39-9b0e-5d6e3b1c2a4f'),
    'RateLimit-Limit': whole(
      "Requests per minute of the user's plan, over all keys; 60 after too many unknown keys.",
      600,
    ),
    'RateLimit-Remaining': whole('Requests left in the current window.', 599),
    'RateLimit-Reset': whole('Seconds until the window ends.', 60),
    'Retry-After': whole('Seconds to wait before a retry.', 12),
    Allow: text('The methods that the path supports.', 'DELETE, GET, HEAD, PATCH, POST'),
    'WWW-Authenticate': text('Always `Bearer`.', 'Bearer'),
    ETag: text('The version of the answer; for a smartlink, the value for `If-Match`.', '"7301"'),
    ETagOfOne: text('The version of the smartlink, for `If-Match`. Absent on a list.', '"7301"').optional(),
    Location: text('The public address of the new smartlink, as `relink`.', 'https://sl.example.com/docs'),
    Link: text('`rel="next"`: the next page of the list. Absent on the last page.', nextPage).optional(),
    'X-Next-Cursor': text('`cursor` of the next page. Absent on the last page.', cursor).optional(),
    'X-Total-Count': text('Number of smartlinks of all pages. Only with `count=true`.', '10000+').optional(),
    'X-Search': text('Only where `q` finds what begins with its text.', 'prefix').optional(),
    'Content-Disposition': text('The file name.', 'inline; filename="docs.svg"'),
    CsvDisposition: text('The file name. Only with CSV.', 'attachment; filename="analytics.csv"').optional(),
  };
}

const cursor = 'MTc2MzcxMTIwMDAwMC4wMTlhYTVjNC1jMDAwLTcwMDAtODAwMC0wMDAwMDAwMDAwMDE';
const nextPage = `</api/v1/smartlink?limit=20&cursor=${cursor}>; rel="next"`;

/** On every answer. */
export const ON_EVERY_ANSWER = ['X-Request-Id'] as const;

/** On every answer to a request with a valid key. */
export const ON_ANSWERS_TO_USERS = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'] as const;

/** References to components by their names in `components.headers`. */
export function headerReferences(components: readonly string[]): Record<string, { $ref: string }> {
  return Object.fromEntries(
    components.map((component) => [
      HEADER_OF[component] ?? component,
      { $ref: `#/components/headers/${component}` },
    ]),
  );
}

// Whether a header is optional is part of its component, so some headers have two.
const HEADER_OF: Readonly<Record<string, string | undefined>> = {
  ETagOfOne: 'ETag',
  CsvDisposition: 'Content-Disposition',
};
