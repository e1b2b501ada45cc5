import { z } from 'zod';
import { FAULTS_MAX } from '@smartlink/smartlink/document';
import { SMARTLINK_TYPES } from '@smartlink/smartlink/model';
import { NO_TOTALS, type Totals } from '@smartlink/visits/analytics';
import { envelopeAroundList } from '../../envelope.js';
import { ApiError, type ErrorCode } from '../../errors.js';
import { EXAMPLE_ID, type Operation } from '../../operation.js';
import type { Slices } from '../../time-slices.js';
import { type Answer, idempotencyKeySchema } from '../documents/idempotency.js';
import { CREATE_EXAMPLES, PATCH_EXAMPLES, type Reference } from '../documents/reference.js';
import { deleteBodySchema, statusBodySchema } from '../documents/set-status.js';
import { etagOf, toSmartlink } from '../documents/smartlink-view.js';
import { OPERATIONS_MAX } from './prepare-operations.js';
import type { Outcome } from './write-operations.js';

type AnswerOptions = {
  readonly totals: ReadonlyMap<string, Totals>;
  readonly publicBaseUrl: string;
  readonly dryRun: boolean;
  readonly ignored: readonly string[];
  readonly slices: Slices;
};

/** For each operation the answer of its single call, and its status. */
export async function bulkAnswer(outcomes: readonly Outcome[], options: AnswerOptions): Promise<Answer> {
  let faultsLeft = FAULTS_MAX;
  const results: string[] = [];
  for (const outcome of outcomes) {
    if (outcome instanceof ApiError) {
      // With at least one fault per refusal.
      const details = outcome.details?.slice(0, Math.max(1, faultsLeft));
      faultsLeft -= details?.length ?? 0;
      results.push(JSON.stringify(refused(outcome, details)));
    } else results.push(JSON.stringify(done(outcome, options)));
    await options.slices.nextIfOver();
  }
  const failed = outcomes.filter((outcome) => outcome instanceof ApiError).length;
  const message = bulkMessage(outcomes.length - failed, failed, options.dryRun);
  const [head, tail] = envelopeAroundList(message, options.ignored);
  return { status: 200, headers: {}, body: `${head}${results.join(',')}${tail}` };
}

function bulkMessage(succeeded: number, failed: number, dryRun: boolean): string {
  return dryRun
    ? `Dry run done: ${succeeded} would succeed, ${failed} would fail`
    : `Bulk done: ${succeeded} succeeded, ${failed} failed`;
}

function done(outcome: Exclude<Outcome, ApiError>, { totals, publicBaseUrl }: AnswerOptions): object {
  if (outcome.kind === 'deleted') {
    return { status: 200, success: true, message: 'Smartlink deleted', data: null };
  }
  const { kind, row } = outcome;
  const status = kind === 'created' ? 201 : 200;
  const message = `Smartlink ${kind}`;
  const data = toSmartlink(row, totals.get(row.id) ?? NO_TOTALS, publicBaseUrl);
  return { status, success: true, message, data, etag: etagOf(row) };
}

function refused({ status, code, message }: ApiError, details: ApiError['details']): object {
  const error = { code, message, ...(details === undefined ? {} : { details }) };
  return { status, success: false, error };
}

/** Codes that an operation can be refused with. */
const REFUSALS = [
  'VALIDATION_FAILED',
  'SUBSCRIPTION_LIMIT_REACHED',
  'NOT_FOUND',
  'SMARTLINK_URL_TAKEN',
  'NAME_TAKEN',
  'PRECONDITION_FAILED',
  'UNSAFE_URL',
  'SERVICE_UNAVAILABLE',
] as const satisfies readonly ErrorCode[];

export function bulkOperation(reference: Reference): Operation {
  return {
    operationId: 'bulkSmartlinks',
    summary: 'Create, change, pause, activate and delete many smartlinks',
    description: DESCRIPTION,
    tag: 'Smartlinks',
    headers: z.object({ 'Idempotency-Key': idempotencyKeySchema }),
    body: { schema: requestSchema(reference), examples: requestExamples() },
    success: {
      status: 200,
      description: 'Every operation was attempted: `data` has one result each, in the order sent.',
      data: { schema: z.array(resultSchema(reference)), examples: resultExamples(reference) },
    },
    errors: {
      VALIDATION_FAILED: {
        operation: {
          summary: 'An operation with two kinds',
          details: [
            { path: 'operations.1', message: 'Must have exactly one of create, patch, status, delete' },
          ],
        },
        empty: {
          summary: 'No operations',
          details: [{ path: 'operations', message: 'Must have at least 1 element' }],
        },
        tooMany: {
          summary: 'Too many operations',
          details: [{ path: 'operations', message: `Must have at most ${OPERATIONS_MAX} elements` }],
        },
      },
      FORBIDDEN: {
        notCreate: {
          summary: 'A key that may only create, and another operation',
          details: [{ path: '', message: 'Needs the scope links:write' }],
        },
      },
      PLAN_RESTRICTED: {},
      IDEMPOTENCY_KEY_REUSED: {},
    },
  };
}

const DESCRIPTION =
  'Each operation is answered like its single call: with its status, message and smartlink, or with its error, whose ' +
  '`details` have the paths of the single call. A failed operation does not affect the others. They are done in the ' +
  'order sent, so an operation can use an address that an earlier one gave up.\n\nEverything that succeeds is stored ' +
  'together: if the call itself fails, with 500 or 503 for example, nothing is stored. Only a malformed call is refused ' +
  'as a whole with 400; its paths begin with `operations`. Together, the answers list 1,000 faults, and at least one of each operation that has any.\n\n' +
  'With `dryRun` nothing is stored or published, and every answer is what it would be; ids, versions and assigned ' +
  'addresses of creates are not kept. `Idempotency-Key` then has no effect.\n\nWith an `Idempotency-Key` the first ' +
  'answer, including refused operations, is sent again for 24 hours; send refused operations with a new key.\n\nA bulk ' +
  'call counts as one request towards the rate limit. The smartlinks that it patches, pauses or ' +
  'activates may have 8 MiB together; more is 413.';

function requestSchema({ createBody, patchBody }: Reference): z.ZodType {
  const [create, patch] = [createBody(), patchBody()];
  const absent = z.never().optional();
  const status = statusBodySchema;
  return z
    .object({
      dryRun: z.boolean().optional().meta({ description: 'Answer without storing or publishing anything.' }),
      operations: z
        .array(
          z.union([
            z.object({ create, patch: absent, status: absent, delete: absent }).meta({ id: 'BulkCreate' }),
            z
              .object({
                patch,
                ifMatch: z.string().optional().meta({
                  description:
                    'As `If-Match` of PATCH: the `etag` of the version to change, a list of them, or `*`.',
                }),
                create: absent,
                status: absent,
                delete: absent,
              })
              .meta({ id: 'BulkPatch' }),
            z.object({ status, create: absent, patch: absent, delete: absent }).meta({ id: 'BulkStatus' }),
            z
              .object({ delete: deleteBodySchema, create: absent, patch: absent, status: absent })
              .meta({ id: 'BulkDelete' }),
          ]),
        )
        .min(1)
        .max(OPERATIONS_MAX)
        .meta({ description: 'The operations, each with the body of its single call.' }),
    })
    .meta({ id: 'BulkRequest' });
}

function resultSchema(reference: Reference): z.ZodType {
  const smartlink = reference.smartlink();
  const message = z.string().meta({ description: 'What was done, for human readers.' });
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
      .meta({ description: 'The faults, by their paths in the body of the operation.' }),
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
          { status: { id: EXAMPLE_ID, status: 'Paused' } },
          deletion,
        ],
      },
    },
    dryRun: {
      summary: 'Seven creates as a dry run',
      value: {
        dryRun: true,
        operations: SMARTLINK_TYPES.map((type) => ({ create: CREATE_EXAMPLES[type].value })),
      },
    },
    refused: {
      summary: 'Refused operations',
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

function resultExamples(reference: Reference) {
  const { TxtBin, Landing } = reference.examples('');
  const [created, changed] = [TxtBin.data, Landing.data];
  const etag = '"7301"';
  return {
    mixed: {
      summary: 'One of each',
      message: bulkMessage(4, 0, false),
      data: [
        { status: 201, success: true, message: 'Smartlink created', data: created, etag },
        { status: 200, success: true, message: 'Smartlink updated', data: changed, etag },
        {
          ...{ status: 200, success: true, message: 'Smartlink paused' },
          ...{ data: { ...(changed as object), status: 'Paused' }, etag: '"7302"' },
        },
        { status: 200, success: true, message: 'Smartlink deleted', data: null },
      ],
    },
    refused: {
      summary: 'Refused operations',
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
