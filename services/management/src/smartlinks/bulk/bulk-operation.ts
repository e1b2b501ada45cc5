import { SMARTLINK_TYPES } from '@smartlink/smartlink/smartlink-type';
import { z } from 'zod';
import { EXAMPLE_ID } from '../../envelope-schemas.js';
import { ApiError } from '../../errors.js';
import type { ErrorCode } from '../../errors.js';
import type { DataExample, Operation } from '../../operation.js';
import { CREATE_EXAMPLES, PATCH_EXAMPLES } from '../examples.js';
import { idempotencyKeySchema } from '../idempotency.js';
import { bulkMessage } from './bulk-answer.js';
import { OPERATIONS_MAX } from './bulk-request.js';

/** What an operation of a bulk call can be refused with. */
const REFUSALS = [
  'VALIDATION_FAILED',
  'SUBSCRIPTION_LIMIT_REACHED',
  'NOT_FOUND',
  'SMARTLINK_URL_TAKEN',
  'PRECONDITION_FAILED',
  'UNSAFE_URL',
  'SERVICE_UNAVAILABLE',
] as const satisfies readonly ErrorCode[];

type BulkSchemas = {
  /** The bodies of the single calls. */
  readonly create: z.ZodType;
  readonly patch: z.ZodType;
  readonly remove: z.ZodType;
  readonly smartlink: z.ZodType;
  /** Smartlinks of the create examples, by type. */
  readonly examples: Readonly<Record<(typeof SMARTLINK_TYPES)[number], DataExample>>;
};

/** POST /smartlink/bulk, as the reference shows it. */
export function bulkOperation(schemas: BulkSchemas): Operation {
  return {
    operationId: 'bulkSmartlinks',
    summary: 'Create, change and delete many smartlinks',
    description: DESCRIPTION,
    tag: 'Smartlinks',
    needsKey: true,
    headers: z.object({ 'Idempotency-Key': idempotencyKeySchema }),
    body: { schema: requestSchema(schemas), examples: requestExamples() },
    success: {
      status: 200,
      description: 'Every operation was tried: `data` has one result for each, in the order sent.',
      data: { schema: z.array(resultSchema(schemas)), examples: resultExamples(schemas) },
    },
    errors: {
      VALIDATION_FAILED: {
        operation: {
          summary: 'An operation that is two',
          details: [{ path: 'operations.1', message: 'Must have exactly one of create, patch, delete' }],
        },
        empty: {
          summary: 'Nothing to do',
          details: [{ path: 'operations', message: 'Must have at least 1 element' }],
        },
        tooMany: {
          summary: 'Too much to do',
          details: [{ path: 'operations', message: `Must have at most ${OPERATIONS_MAX} elements` }],
        },
      },
      PLAN_RESTRICTED: {},
      IDEMPOTENCY_KEY_REUSED: {},
    },
  };
}

const DESCRIPTION =
  'Each operation is answered as its single call would be: with its status, its message and its smartlink, or with its ' +
  'error, whose `details` have the paths that the single call’s would have. One that fails holds up none of the ' +
  'others. They are done in the order sent, so an address that one gives up is there for the next.\n\n' +
  'What succeeds is stored all at once: when the call itself fails, with 500 or 503 say, nothing of it was done. ' +
  'Only a call of the wrong form is refused as a whole with 400; its paths begin with `operations`. Together, answers ' +
  'list at most about 5,000 faults.\n\n' +
  'With `dryRun` nothing is stored, published or noted, and every answer is what it would be; ids, versions and ' +
  'assigned addresses of creates are made up for it and are not kept. `Idempotency-Key` is then without effect.\n\n' +
  'With an `Idempotency-Key` the first answer, refusals of operations included, is given again for 24 hours; send what ' +
  'was refused with a new key.\n\nA bulk call is one request to the rate limit. What its patches leave may come to 8 ' +
  'MiB in all; more is 413.';

function requestSchema({ create, patch, remove }: BulkSchemas): z.ZodType {
  const absent = z.never().optional();
  return z
    .object({
      dryRun: z.boolean().optional().meta({ description: 'Answer as if it were done, and do nothing.' }),
      operations: z
        .array(
          z.union([
            z.object({ create, patch: absent, delete: absent }).meta({ id: 'BulkCreate' }),
            z
              .object({
                patch,
                ifMatch: z.string().optional().meta({
                  description:
                    'As `If-Match` of PATCH: the `etag` of the version to change, or several, or `*`.',
                }),
                create: absent,
                delete: absent,
              })
              .meta({ id: 'BulkPatch' }),
            z.object({ delete: remove, create: absent, patch: absent }).meta({ id: 'BulkDelete' }),
          ]),
        )
        .min(1)
        .max(OPERATIONS_MAX)
        .meta({ description: 'What to do, each the body of its single call.' }),
    })
    .meta({ id: 'BulkRequest' });
}

function resultSchema({ smartlink }: BulkSchemas): z.ZodType {
  const message = z.string().meta({ description: 'What was done, for people.' });
  const etag = z
    .string()
    .meta({ description: 'The version of the smartlink, for `ifMatch`.', example: '"7301"' });
  const success = z.literal(true);
  const error = z.strictObject({
    code: z.enum(REFUSALS),
    message: z.string(),
    details: z
      .array(z.strictObject({ path: z.string(), message: z.string() }))
      .min(1)
      .optional()
      .meta({ description: 'What is wrong, by its path in the body of the operation.' }),
  });
  return z.union([
    z
      .strictObject({ status: z.literal(201), success, message, data: smartlink, etag })
      .meta({ id: 'BulkCreated' }),
    z
      .strictObject({ status: z.literal(200), success, message, data: smartlink, etag })
      .meta({ id: 'BulkUpdated' }),
    z.strictObject({ status: z.literal(200), success, message, data: z.null() }).meta({ id: 'BulkDeleted' }),
    z
      .strictObject({
        status: z.int().meta({ description: 'The HTTP status of the single call.', example: 409 }),
        success: z.literal(false),
        error,
      })
      .meta({ id: 'BulkRefused' }),
  ]);
}

function requestExamples() {
  const deletion = { delete: { smartlinkId: EXAMPLE_ID } };
  return {
    mixed: {
      summary: 'One of each',
      value: {
        operations: [
          { create: CREATE_EXAMPLES.TxtBin.value },
          { patch: PATCH_EXAMPLES.replaceButtons.value, ifMatch: '*' },
          deletion,
        ],
      },
    },
    dryRun: {
      summary: 'Seven creates, only tried',
      value: {
        dryRun: true,
        operations: SMARTLINK_TYPES.map((type) => ({ create: CREATE_EXAMPLES[type].value })),
      },
    },
    refused: {
      summary: 'Some that are refused',
      value: {
        operations: [
          {
            create: {
              configuration: { smartlinkName: 'Handbook', smartlinkUrl: 'welcome', smartlinkType: 'Url' },
              shortener: { url: 'http://localhost/handbook' },
            },
          },
          { patch: { ...PATCH_EXAMPLES.clearFields.value, id: 'unknown' } },
        ],
      },
    },
  };
}

function resultExamples({ examples }: BulkSchemas) {
  const [created, changed] = [examples.TxtBin.data, examples.Landing.data];
  const etag = '"7301"';
  return {
    mixed: {
      summary: 'One of each',
      message: bulkMessage(3, 0, false),
      data: [
        { status: 201, success: true, message: 'Smartlink created', data: created, etag },
        { status: 200, success: true, message: 'Smartlink updated', data: changed, etag },
        { status: 200, success: true, message: 'Smartlink deleted', data: null },
      ],
    },
    refused: {
      summary: 'Some that are refused',
      message: bulkMessage(0, 2, false),
      data: [
        refusal('VALIDATION_FAILED', [
          { path: 'configuration.smartlinkUrl', message: 'This smartlink URL is reserved' },
          { path: 'shortener.url', message: 'Invalid URL format' },
        ]),
        refusal('NOT_FOUND'),
      ],
    },
  };
}

function refusal(code: ErrorCode, details?: readonly { path: string; message: string }[]) {
  const { status, message } = new ApiError(code);
  return { status, success: false, error: { code, message, ...(details === undefined ? {} : { details }) } };
}
