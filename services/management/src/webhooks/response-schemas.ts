import { z } from 'zod';
import { EXAMPLE_TIME, timestamp } from '../envelope-schemas.js';
import { EVENT_TYPES, TEST_EVENT } from './event-types.js';
import { DELIVERY_STATUSES } from './log-queries.js';

/** The webhook in all examples. */
export const EXAMPLE_WEBHOOK_ID = '019aa5c4-c000-7000-8000-0000000000a1';
/** The delivery in all examples. */
export const EXAMPLE_DELIVERY_ID = '7c1d2f6e-5b0a-4c3d-9e8f-1a2b3c4d5e6f';

const members = () => ({
  id: z.string().meta({ description: 'Identifier of the webhook.', example: EXAMPLE_WEBHOOK_ID }),
  url: z.string().meta({ format: 'uri', description: 'Where messages are sent to.' }),
  description: z.string().optional().meta({ description: 'What it is for.' }),
  eventTypes: z.array(z.enum(EVENT_TYPES)).min(1).meta({ description: 'What it is told of.' }),
  isEnabled: z.boolean().meta({ description: 'Whether messages are queued and sent.' }),
  disabledReason: z
    .string()
    .optional()
    .meta({ description: 'Why the service has disabled it. Absent when its owner did.' }),
  failingSince: timestamp(
    'Since when nothing could be delivered, in UTC. Absent while messages are taken.',
  ).optional(),
  createdAt: timestamp('When it was created, in UTC.'),
  updatedAt: timestamp('When it last changed, in UTC.'),
});

const secret = () =>
  z
    .string()
    .regex(/^whsec_[A-Za-z0-9+/]{43}=$/)
    .meta({ description: 'What its messages are signed with. Shown here and never again.' });

/** Returns the schemas of webhooks in answers: as they are listed, as they are created, with another secret. */
export function webhookSchemas() {
  return {
    webhook: z.strictObject(members()).meta({ id: 'Webhook' }),
    created: z.strictObject({ ...members(), secret: secret() }).meta({ id: 'CreatedWebhook' }),
    rotated: z
      .strictObject({
        ...members(),
        secret: secret(),
        previousSecretUntil: timestamp(
          'Until when messages are signed with the secret before as well, in UTC.',
        ),
      })
      .meta({ id: 'RotatedWebhook' }),
  };
}

/** Returns the schema of an entry of the log. */
export function deliverySchema() {
  return z
    .strictObject({
      id: z.string().meta({
        description: 'Identifier of the delivery: the `webhook-id` that the receiver gets.',
        example: EXAMPLE_DELIVERY_ID,
      }),
      webhookId: z.string().meta({ description: 'The webhook.', example: EXAMPLE_WEBHOOK_ID }),
      eventType: z.enum([...EVENT_TYPES, TEST_EVENT]),
      occurredAt: timestamp('When it happened, in UTC.'),
      status: z.enum(DELIVERY_STATUSES).meta({
        description: '`Pending` until it is delivered or, 24 hours after the first attempt, given up.',
      }),
      attempts: z.int().min(0).meta({ description: 'Attempts that were begun.' }),
      lastAttemptAt: timestamp('When the last of them began, in UTC.').optional(),
      nextAttemptAt: timestamp(
        'When the next is due, in UTC. Only while it is Pending; while an attempt is under way, when that is taken for lost.',
      ).optional(),
      responseStatus: z
        .int()
        .optional()
        .meta({ description: 'The status of the last answer, if there was one.' }),
      error: z.string().optional().meta({ description: 'Why the last attempt failed, for people.' }),
      durationMs: z.int().min(0).optional().meta({ description: 'How long the last attempt took.' }),
    })
    .meta({ id: 'WebhookDelivery' });
}

export const EXAMPLE_WEBHOOK = {
  id: EXAMPLE_WEBHOOK_ID,
  url: 'https://hooks.example.org/smartlink',
  description: 'Tells the shop',
  eventTypes: ['smartlink.created', 'smartlink.unsafe'],
  isEnabled: true,
  createdAt: EXAMPLE_TIME,
  updatedAt: EXAMPLE_TIME,
};

export const EXAMPLE_SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw1tV0cGmO7Hk=';

export const EXAMPLE_DELIVERY = {
  id: EXAMPLE_DELIVERY_ID,
  webhookId: EXAMPLE_WEBHOOK_ID,
  eventType: 'smartlink.created',
  occurredAt: EXAMPLE_TIME,
  status: 'Pending',
  attempts: 1,
  lastAttemptAt: EXAMPLE_TIME,
  nextAttemptAt: '2026-03-10T12:00:05.000Z',
  responseStatus: 500,
  error: 'Answered 500',
  durationMs: 41,
};

export const EXAMPLE_TEST_DELIVERY = {
  id: EXAMPLE_DELIVERY_ID,
  webhookId: EXAMPLE_WEBHOOK_ID,
  eventType: TEST_EVENT,
  occurredAt: EXAMPLE_TIME,
  status: 'Pending',
  attempts: 0,
  nextAttemptAt: EXAMPLE_TIME,
};
