import { z } from 'zod';
import { onFirstCall } from '../on-first-call.js';
import type { Operation } from '../operation.js';
import { createdOperation, removeOperation, rotateOperation, updateOperation } from './change-operations.js';
import { webhookBodySchemas, idBodySchema, logQuerySchema, redeliverBodySchema } from './request-schemas.js';
import {
  EXAMPLE_DELIVERY,
  EXAMPLE_DELIVERY_ID,
  EXAMPLE_TEST_DELIVERY,
  EXAMPLE_WEBHOOK,
  EXAMPLE_WEBHOOK_ID,
  deliverySchema,
  webhookSchemas,
} from './response-schemas.js';
import type { TargetRules } from './target-url.js';

/** Returns what the reference says of the webhooks' routes. */
export function webhookOperations(rules: TargetRules) {
  // One instance of each schema, so that the operations refer to the same components.
  const bodies = onFirstCall(() => webhookBodySchemas(rules));
  const webhooks = onFirstCall(webhookSchemas);
  const delivery = onFirstCall(deliverySchema);
  return {
    list: () => listOperation(webhooks().webhook),
    create: () => createdOperation(bodies().create, webhooks().created),
    update: () => updateOperation(bodies().update, webhooks().webhook),
    remove: removeOperation,
    rotate: () => rotateOperation(webhooks().rotated),
    test: () => testOperation(delivery()),
    log: () => logOperation(delivery()),
    redeliver: () => redeliverOperation(delivery()),
  } satisfies Record<string, () => Operation>;
}

function listOperation(webhook: z.ZodType): Operation {
  return {
    operationId: 'listWebhooks',
    summary: 'List webhooks',
    description: 'All of them, newest first, without their secrets.',
    tag: 'Webhooks',
    needsKey: true,
    success: {
      status: 200,
      description: 'The webhooks.',
      data: {
        schema: z.array(webhook),
        examples: {
          list: { summary: 'One webhook', message: 'Webhooks retrieved', data: [EXAMPLE_WEBHOOK] },
          empty: { summary: 'None', message: 'Webhooks retrieved', data: [] },
        },
      },
    },
    errors: {},
  };
}

function testOperation(delivery: z.ZodType): Operation {
  return {
    operationId: 'testWebhook',
    summary: 'Send a test message',
    description:
      'Queues a message of type `webhook.test`, which every webhook takes; the log tells what became of it.',
    tag: 'Webhooks',
    needsKey: true,
    body: {
      schema: idBodySchema,
      examples: { test: { summary: 'A test', value: { id: EXAMPLE_WEBHOOK_ID } } },
    },
    success: {
      status: 200,
      description: 'Queued, or under way.',
      data: {
        schema: delivery,
        examples: {
          queued: { summary: 'Queued', message: 'Test message queued', data: EXAMPLE_TEST_DELIVERY },
        },
      },
    },
    errors: {
      VALIDATION_FAILED: {
        disabled: {
          summary: 'A webhook that is disabled',
          details: [{ path: 'id', message: 'The webhook is disabled' }],
        },
      },
      NOT_FOUND: { notFound: { summary: 'No such webhook', message: 'Webhook not found' } },
    },
  };
}

function logOperation(delivery: z.ZodType): Operation {
  return {
    operationId: 'listWebhookDeliveries',
    summary: 'Read the log of a webhook',
    description:
      'What was sent and what waits, newest first, in pages: follow `Link: rel="next"`, or send `X-Next-Cursor` as ' +
      '`cursor`. It goes back 7 days, and of what has ended holds the newest 1,000, `visits.recorded` among them 100.',
    tag: 'Webhooks',
    needsKey: true,
    query: logQuerySchema,
    success: {
      status: 200,
      description: 'A page of the log.',
      headers: ['Link', 'X-Next-Cursor'],
      data: {
        schema: z.array(delivery),
        examples: {
          log: { summary: 'One that waits', message: 'Deliveries retrieved', data: [EXAMPLE_DELIVERY] },
        },
      },
    },
    errors: {
      VALIDATION_FAILED: {
        parameters: {
          summary: 'Bad parameters',
          details: [
            { path: 'id', message: 'Required' },
            { path: 'status', message: 'Must be one of Pending, Delivered, Failed' },
          ],
        },
      },
      NOT_FOUND: { notFound: { summary: 'No such webhook', message: 'Webhook not found' } },
    },
  };
}

function redeliverOperation(delivery: z.ZodType): Operation {
  return {
    operationId: 'redeliverWebhook',
    summary: 'Send a message again',
    description:
      'Queues a delivery of the log again, whatever became of it, with the same `webhook-id` and the same body, to the ' +
      'address that the webhook has now. Retries begin anew; one that waits for its next attempt gets it at once, and ' +
      'one that is under way is left to what becomes of it.',
    tag: 'Webhooks',
    needsKey: true,
    body: {
      schema: redeliverBodySchema,
      examples: { again: { summary: 'Once more', value: { deliveryId: EXAMPLE_DELIVERY_ID } } },
    },
    success: {
      status: 200,
      description: 'Queued, or under way.',
      data: {
        schema: delivery,
        examples: {
          queued: {
            summary: 'Queued again',
            message: 'Delivery queued',
            data: { ...EXAMPLE_DELIVERY, attempts: 0 },
          },
          underWay: {
            summary: 'An attempt is under way',
            message: 'Delivery under way',
            data: EXAMPLE_DELIVERY,
          },
        },
      },
    },
    errors: {
      VALIDATION_FAILED: {
        missingId: { summary: 'No deliveryId', details: [{ path: 'deliveryId', message: 'Required' }] },
      },
      NOT_FOUND: { notFound: { summary: 'No such delivery', message: 'Delivery not found' } },
    },
  };
}
