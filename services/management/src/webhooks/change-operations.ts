import { z } from 'zod';
import type { Operation } from '../operation.js';
import { deleteBodySchema, idBodySchema } from './request-schemas.js';
import { EXAMPLE_SECRET, EXAMPLE_WEBHOOK, EXAMPLE_WEBHOOK_ID } from './response-schemas.js';

/** POST /webhooks, as the reference shows it. */
export function createdOperation(body: z.ZodType, created: z.ZodType): Operation {
  const { url, eventTypes, description } = EXAMPLE_WEBHOOK;
  return {
    operationId: 'createWebhook',
    summary: 'Create a webhook',
    description:
      'From now on each of these events is sent to `url`, signed as Standard Webhooks has it. The answer holds the ' +
      'secret, once. A user has at most 20 webhooks.',
    tag: 'Webhooks',
    needsKey: true,
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
          summary: 'An address inside, and nothing to tell',
          details: [
            { path: 'url', message: 'Invalid URL format' },
            { path: 'eventTypes', message: 'Must not be empty' },
          ],
        },
        tooMany: {
          summary: 'The twenty-first',
          details: [{ path: '', message: 'A user has at most 20 webhooks' }],
        },
      },
    },
  };
}

/** PATCH /webhooks, as the reference shows it. */
export function updateOperation(body: z.ZodType, webhook: z.ZodType): Operation {
  return {
    operationId: 'updateWebhook',
    summary: 'Change a webhook',
    description:
      'Send `id` and what is to change. `eventTypes` replaces the old ones whole, `null` clears `description`. What waits ' +
      'goes to the new `url`; when it is disabled, what waits is given up, and can be sent again from the log.',
    tag: 'Webhooks',
    needsKey: true,
    body: {
      schema: body,
      examples: {
        move: {
          summary: 'Another address',
          value: { id: EXAMPLE_WEBHOOK_ID, url: 'https://hooks.example.org/links' },
        },
        disable: { summary: 'Disable', value: { id: EXAMPLE_WEBHOOK_ID, isEnabled: false } },
      },
    },
    success: {
      status: 200,
      description: 'The webhook as it is now.',
      data: {
        schema: webhook,
        examples: {
          updated: { summary: 'Changed', message: 'Webhook updated', data: EXAMPLE_WEBHOOK },
        },
      },
    },
    errors: {
      VALIDATION_FAILED: {
        url: { summary: 'An address inside', details: [{ path: 'url', message: 'Invalid URL format' }] },
      },
      NOT_FOUND: { notFound: { summary: 'No such webhook', message: 'Webhook not found' } },
    },
  };
}

/** DELETE /webhooks, as the reference shows it. */
export function removeOperation(): Operation {
  return {
    operationId: 'deleteWebhook',
    summary: 'Delete a webhook',
    description: 'Removes it with its log; what waits is not sent.',
    tag: 'Webhooks',
    needsKey: true,
    body: {
      schema: deleteBodySchema,
      examples: { delete: { summary: 'Delete', value: { webhookId: EXAMPLE_WEBHOOK_ID } } },
    },
    success: {
      status: 200,
      description: 'Deleted.',
      data: {
        schema: z.null(),
        examples: { deleted: { summary: 'Deleted', message: 'Webhook deleted', data: null } },
      },
    },
    errors: {
      VALIDATION_FAILED: {
        missingId: { summary: 'No webhookId', details: [{ path: 'webhookId', message: 'Required' }] },
      },
      NOT_FOUND: { notFound: { summary: 'No such webhook', message: 'Webhook not found' } },
    },
  };
}

/** POST /webhooks/rotate-secret, as the reference shows it. */
export function rotateOperation(rotated: z.ZodType): Operation {
  return {
    operationId: 'rotateWebhookSecret',
    summary: 'Change the secret of a webhook',
    description:
      'The answer holds the new secret, once. For 24 hours messages carry a signature by each of the two. Of secrets ' +
      'that were changed before, none signs any longer.',
    tag: 'Webhooks',
    needsKey: true,
    body: {
      schema: idBodySchema,
      examples: { rotate: { summary: 'Another secret', value: { id: EXAMPLE_WEBHOOK_ID } } },
    },
    success: {
      status: 200,
      description: 'The webhook with its new secret.',
      data: {
        schema: rotated,
        examples: {
          rotated: {
            summary: 'With its new secret',
            message: 'Webhook secret changed',
            data: {
              ...EXAMPLE_WEBHOOK,
              secret: EXAMPLE_SECRET,
              previousSecretUntil: '2026-03-11T12:00:00.000Z',
            },
          },
        },
      },
    },
    errors: {
      VALIDATION_FAILED: { missingId: { summary: 'No id', details: [{ path: 'id', message: 'Required' }] } },
      NOT_FOUND: { notFound: { summary: 'No such webhook', message: 'Webhook not found' } },
    },
  };
}
