import { z } from 'zod';
import { type DataExample, onFirstCall, type Operation, type Success } from '../operation.js';
import {
  EXAMPLE_DELIVERY,
  EXAMPLE_DELIVERY_ID,
  EXAMPLE_SECRET,
  EXAMPLE_TEST_DELIVERY,
  EXAMPLE_WEBHOOK,
  EXAMPLE_WEBHOOK_ID,
  deleteBodySchema,
  deliverySchema,
  idBodySchema,
  logQuerySchema,
  redeliverBodySchema,
  webhookBodySchemas,
  webhookSchemas,
} from './schemas.js';
import type { TargetRules } from './target-address.js';

/** The webhook operations of the API reference. */
export function webhookOperations(rules: TargetRules) {
  // One instance of each schema, so that the operations refer to the same components.
  const bodies = onFirstCall(() => webhookBodySchemas(rules));
  const webhooks = onFirstCall(webhookSchemas);
  const delivery = onFirstCall(deliverySchema);
  return {
    list: () => listOperation(webhooks().webhook),
    create: () => createOperation(bodies().create, webhooks().created),
    update: () => updateOperation(bodies().update, webhooks().webhook),
    remove: removeOperation,
    rotate: () => rotateOperation(webhooks().rotated),
    test: () => testOperation(delivery()),
    log: () => logOperation(delivery()),
    redeliver: () => redeliverOperation(delivery()),
  } satisfies Record<string, () => Operation>;
}

const ok = (description: string, schema: z.ZodType, examples: Record<string, DataExample>): Success => ({
  status: 200,
  description,
  data: { schema, examples },
});

const COMMON = { tag: 'Webhooks' } as const;
const WEBHOOK_NOT_FOUND = { notFound: { summary: 'Unknown webhook', message: 'Webhook not found' } };
const missing = (name: string) => ({
  missingId: { summary: `No ${name}`, details: [{ path: name, message: 'Required' }] },
});

function listOperation(webhook: z.ZodType): Operation {
  return {
    ...COMMON,
    operationId: 'listWebhooks',
    summary: 'List webhooks',
    description: 'All webhooks of the user, newest first, without their secrets.',
    success: ok('The webhooks.', z.array(webhook), {
      list: { summary: 'One webhook', message: 'Webhooks retrieved', data: [EXAMPLE_WEBHOOK] },
      empty: { summary: 'None', message: 'Webhooks retrieved', data: [] },
    }),
    errors: {},
  };
}

function createOperation(body: z.ZodType, created: z.ZodType): Operation {
  const { url, eventTypes, description } = EXAMPLE_WEBHOOK;
  return {
    ...COMMON,
    operationId: 'createWebhook',
    summary: 'Create a webhook',
    description:
      'From now on, the service sends each of these events to `url`, signed by the Standard Webhooks specification. ' +
      'Only this answer contains the secret. A user can have at most 20 webhooks.',
    body: {
      schema: body,
      examples: {
        changes: { summary: 'Some changes', value: { url, eventTypes, description } },
        visits: { summary: 'Visits', value: { url, eventTypes: ['visits.recorded'] } },
      },
    },
    success: {
      status: 201,
      description: 'Created and enabled.',
      data: {
        schema: created,
        examples: {
          created: {
            summary: 'With its secret',
            message: 'Webhook created',
            data: { ...EXAMPLE_WEBHOOK, secret: EXAMPLE_SECRET },
          },
        },
      },
    },
    errors: {
      VALIDATION_FAILED: {
        faults: {
          summary: 'A private address and no event types',
          details: [
            { path: 'url', message: 'Invalid URL format' },
            { path: 'eventTypes', message: 'Must not be empty' },
          ],
        },
        tooMany: {
          summary: 'A twenty-first webhook',
          details: [{ path: '', message: 'A user has at most 20 webhooks' }],
        },
      },
    },
  };
}

function updateOperation(body: z.ZodType, webhook: z.ZodType): Operation {
  return {
    ...COMMON,
    operationId: 'updateWebhook',
    summary: 'Change a webhook',
    description:
      'Send `id` and the members to change. `eventTypes` replaces the whole list; `null` clears `description`. Pending ' +
      'messages go to the new `url`. When a webhook is disabled, its pending messages fail; they can be sent again from ' +
      'the log.',
    body: {
      schema: body,
      examples: {
        move: {
          summary: 'Another URL',
          value: { id: EXAMPLE_WEBHOOK_ID, url: 'https://hooks.example.org/links' },
        },
        disable: { summary: 'Disable', value: { id: EXAMPLE_WEBHOOK_ID, isEnabled: false } },
      },
    },
    success: ok('The changed webhook.', webhook, {
      updated: { summary: 'Changed', message: 'Webhook updated', data: EXAMPLE_WEBHOOK },
    }),
    errors: {
      VALIDATION_FAILED: {
        url: { summary: 'A private address', details: [{ path: 'url', message: 'Invalid URL format' }] },
      },
      NOT_FOUND: WEBHOOK_NOT_FOUND,
    },
  };
}

function removeOperation(): Operation {
  return {
    ...COMMON,
    operationId: 'deleteWebhook',
    summary: 'Delete a webhook',
    description: 'Deletes the webhook and its log. Pending messages are not sent.',
    body: {
      schema: deleteBodySchema,
      examples: { delete: { summary: 'Delete', value: { webhookId: EXAMPLE_WEBHOOK_ID } } },
    },
    success: ok('Deleted.', z.null(), {
      deleted: { summary: 'Deleted', message: 'Webhook deleted', data: null },
    }),
    errors: { VALIDATION_FAILED: missing('webhookId'), NOT_FOUND: WEBHOOK_NOT_FOUND },
  };
}

function rotateOperation(rotated: z.ZodType): Operation {
  return {
    ...COMMON,
    operationId: 'rotateWebhookSecret',
    summary: 'Change the secret of a webhook',
    description:
      'Only this answer contains the new secret. For 24 hours, messages carry one signature by the new secret and one by ' +
      'the previous secret. Older secrets no longer sign. A signed-in person must have confirmed within the last ten minutes.',
    body: {
      schema: idBodySchema,
      examples: { rotate: { summary: 'A new secret', value: { id: EXAMPLE_WEBHOOK_ID } } },
    },
    success: ok('The webhook with its new secret.', rotated, {
      rotated: {
        summary: 'With its new secret',
        message: 'Webhook secret changed',
        data: {
          ...EXAMPLE_WEBHOOK,
          secret: EXAMPLE_SECRET,
          previousSecretUntil: '2026-03-11T12:00:00.000Z',
        },
      },
    }),
    errors: { VALIDATION_FAILED: missing('id'), CONFIRMATION_REQUIRED: {}, NOT_FOUND: WEBHOOK_NOT_FOUND },
  };
}

function testOperation(delivery: z.ZodType): Operation {
  return {
    ...COMMON,
    operationId: 'testWebhook',
    summary: 'Send a test message',
    description:
      'Queues a message of type `webhook.test`, which every webhook receives. The log shows its outcome.',
    body: {
      schema: idBodySchema,
      examples: { test: { summary: 'A test', value: { id: EXAMPLE_WEBHOOK_ID } } },
    },
    success: ok('The queued delivery.', delivery, {
      queued: { summary: 'Queued', message: 'Test message queued', data: EXAMPLE_TEST_DELIVERY },
    }),
    errors: {
      VALIDATION_FAILED: {
        disabled: {
          summary: 'A disabled webhook',
          details: [{ path: 'id', message: 'The webhook is disabled' }],
        },
      },
      NOT_FOUND: WEBHOOK_NOT_FOUND,
    },
  };
}

function logOperation(delivery: z.ZodType): Operation {
  return {
    ...COMMON,
    operationId: 'listWebhookDeliveries',
    summary: 'Read the log of a webhook',
    description:
      'Finished and pending deliveries, newest first, in pages: follow `Link: rel="next"`, or send `X-Next-Cursor` as ' +
      '`cursor`. The log covers 7 days and the newest 1,000 finished deliveries, at most 100 of them `visits.recorded`.',
    query: logQuerySchema,
    success: {
      status: 200,
      description: 'A page of the log.',
      headers: ['Link', 'X-Next-Cursor'],
      data: {
        schema: z.array(delivery),
        examples: {
          log: { summary: 'A pending delivery', message: 'Deliveries retrieved', data: [EXAMPLE_DELIVERY] },
        },
      },
    },
    errors: {
      VALIDATION_FAILED: {
        parameters: {
          summary: 'Invalid parameters',
          details: [
            { path: 'id', message: 'Required' },
            { path: 'status', message: 'Must be one of Pending, Delivered, Failed' },
          ],
        },
      },
      NOT_FOUND: WEBHOOK_NOT_FOUND,
    },
  };
}

function redeliverOperation(delivery: z.ZodType): Operation {
  return {
    ...COMMON,
    operationId: 'redeliverWebhook',
    summary: 'Send a message again',
    description:
      'Queues a delivery of the log again, whatever its status, with the same `webhook-id` and body, to the webhook’s ' +
      'current `url`. A finished delivery starts over with its retries; a pending one is sent at once. A delivery that is ' +
      'being sent at this moment is not changed.',
    body: {
      schema: redeliverBodySchema,
      examples: { again: { summary: 'Send again', value: { deliveryId: EXAMPLE_DELIVERY_ID } } },
    },
    success: ok('The delivery, queued or in progress.', delivery, {
      queued: {
        summary: 'Queued again',
        message: 'Delivery queued',
        data: EXAMPLE_DELIVERY,
      },
      underWay: {
        summary: 'An attempt is in progress',
        message: 'Delivery under way',
        data: EXAMPLE_DELIVERY,
      },
    }),
    errors: {
      VALIDATION_FAILED: missing('deliveryId'),
      NOT_FOUND: { notFound: { summary: 'Unknown delivery', message: 'Delivery not found' } },
    },
  };
}
