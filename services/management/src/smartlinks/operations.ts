import { documentSchemas } from '@smartlink/smartlink/document';
import { z } from 'zod';
import { EXAMPLE_ID } from '../envelope-schemas.js';
import { onFirstCall } from '../on-first-call.js';
import type { Operation } from '../operation.js';
import { bulkOperation } from './bulk/bulk-operation.js';
import { smartlinkExamples } from './examples.js';
import { unsafeUrlReason } from './pause-reason.js';
import { deleteBodySchema, listQuerySchema, statusBodySchema } from './request-schemas.js';
import { smartlinkSchema } from './response-schemas.js';
import { createOperation, unsafeUrl, updateOperation } from './write-operations.js';

/** Returns what the reference says of the smartlinks' routes; `publicBaseUrl` is what examples of `relink` begin with. */
export function smartlinkOperations(publicBaseUrl: string) {
  // One instance of each schema, so that the operations refer to the same components.
  const schemas = onFirstCall(() => documentSchemas({ publicBaseUrl, passwordRequired: true }));
  const smartlink = onFirstCall(() => smartlinkSchema(schemas()));
  const examplesWith = (message: string) => smartlinkExamples(schemas(), publicBaseUrl, message);
  const create = onFirstCall(() =>
    createOperation(schemas(), {
      status: 201,
      description: 'Created: live at its `relink` as soon as this is answered.',
      headers: ['Location', 'ETag'],
      data: { schema: smartlink(), examples: examplesWith('Smartlink created') },
    }),
  );
  const update = onFirstCall(() =>
    updateOperation(schemas(), {
      status: 200,
      description: 'The smartlink as it is now.',
      headers: ['ETag'],
      data: { schema: smartlink(), examples: { Landing: examplesWith('Smartlink updated').Landing } },
    }),
  );
  return {
    create,
    read: () => readOperation(smartlink(), examplesWith),
    update,
    setStatus: () => setStatusOperation(smartlink(), examplesWith),
    remove: removeOperation,
    bulk: () =>
      bulkOperation({
        create: bodyOf(create()),
        patch: bodyOf(update()),
        remove: deleteBodySchema,
        smartlink: smartlink(),
        examples: examplesWith(''),
      }),
  } satisfies Record<string, () => Operation>;
}

const UNSAFE = [{ path: 'shortener.url', url: '' }];

function bodyOf({ body }: Operation): z.ZodType {
  if (body === undefined) throw new Error('The operation has no body');
  return body.schema;
}

type ExamplesWith = (message: string) => ReturnType<typeof smartlinkExamples>;

function readOperation(smartlink: z.ZodType, examplesWith: ExamplesWith): Operation {
  const one = examplesWith('Smartlink retrieved').Url;
  const listed = examplesWith('Smartlinks retrieved');
  return {
    operationId: 'readSmartlinks',
    summary: 'List smartlinks, or fetch one',
    description:
      'With `id` the answer is that smartlink, in any status, with its `ETag`; every other parameter is then without ' +
      'effect.\n\nWithout `id` it is a list, newest first: Active ones only, unless `status` says otherwise. Without ' +
      '`limit` and `cursor` it is whole; with them it comes in pages: follow `Link: rel="next"`, or send ' +
      '`X-Next-Cursor` as `cursor`, until neither is there.\n\nWhile analytics are away, `analytics` holds the last ' +
      'known totals.',
    tag: 'Smartlinks',
    needsKey: true,
    query: listQuerySchema,
    success: {
      status: 200,
      description: 'A list, or with `id` one smartlink.',
      headers: ['ETagOfOne', 'Link', 'X-Next-Cursor'],
      data: {
        schema: z.union([z.array(smartlink), smartlink]),
        examples: {
          list: {
            summary: 'Without id: a list',
            message: 'Smartlinks retrieved',
            data: [listed.Landing.data, listed.TxtBin.data],
          },
          emptyList: { summary: 'Without id: nothing there', message: 'Smartlinks retrieved', data: [] },
          fetch: { ...one, summary: 'With id: one smartlink' },
          pausedAsUnsafe: {
            ...one,
            summary: 'With id: one that the service has paused, since a URL of it was found unsafe',
            data: { ...(one.data as object), status: 'Paused', pauseReason: unsafeUrlReason(UNSAFE) },
          },
        },
      },
    },
    errors: {
      VALIDATION_FAILED: {
        parameters: {
          summary: 'Bad parameters',
          details: [
            { path: 'limit', message: 'Must be a whole number from 1 to 100' },
            { path: 'status', message: 'Must be one of Active, Paused, Deleted, all' },
          ],
        },
        emptyId: { summary: 'An empty id', details: [{ path: 'id', message: 'Must not be empty' }] },
      },
      NOT_FOUND: {},
    },
  };
}

function setStatusOperation(smartlink: z.ZodType, examplesWith: ExamplesWith): Operation {
  const paused = examplesWith('Smartlink paused').Landing;
  const active = examplesWith('Smartlink activated').Landing;
  return {
    operationId: 'setSmartlinkStatus',
    summary: 'Pause or activate a smartlink',
    description:
      'Visitors of a paused smartlink get a page that says so. It counts against the plan’s limit. Before it is active ' +
      'again its URLs are checked again. Asked for the status it has, nothing changes.\n\nThe service pauses a smartlink ' +
      'itself when one of its URLs is found unsafe later; `pauseReason` then says which.',
    tag: 'Smartlinks',
    needsKey: true,
    body: {
      schema: statusBodySchema,
      examples: {
        pause: { summary: 'Pause', value: { id: EXAMPLE_ID, status: 'Paused' } },
        activate: { summary: 'Activate', value: { id: EXAMPLE_ID, status: 'Active' } },
      },
    },
    success: {
      status: 200,
      description: 'The smartlink as it is now.',
      headers: ['ETag'],
      data: {
        schema: smartlink,
        examples: {
          pause: { ...paused, summary: 'Paused', data: { ...(paused.data as object), status: 'Paused' } },
          activate: { ...active, summary: 'Active again' },
        },
      },
    },
    errors: {
      VALIDATION_FAILED: {
        status: {
          summary: 'Another status',
          details: [{ path: 'status', message: 'Must be Active or Paused' }],
        },
      },
      NOT_FOUND: {},
      UNSAFE_URL: unsafeUrl('landingButtons.0.link'),
    },
  };
}

function removeOperation(): Operation {
  return {
    operationId: 'deleteSmartlink',
    summary: 'Delete a smartlink',
    description:
      'Marks it as deleted, for good: visitors get 410, changes 404, and it no longer counts against the plan’s limit. ' +
      'Its owner can still fetch it and its analytics, and may use its `smartlinkUrl` again; nobody else can.',
    tag: 'Smartlinks',
    needsKey: true,
    body: {
      schema: deleteBodySchema,
      examples: { delete: { summary: 'Delete', value: { smartlinkId: EXAMPLE_ID } } },
    },
    success: {
      status: 200,
      description: 'Deleted.',
      data: {
        schema: z.null(),
        examples: { deleted: { summary: 'Deleted', message: 'Smartlink deleted', data: null } },
      },
    },
    errors: {
      VALIDATION_FAILED: {
        missingId: { summary: 'No smartlinkId', details: [{ path: 'smartlinkId', message: 'Required' }] },
      },
      NOT_FOUND: {},
    },
  };
}
