import { z } from 'zod';
import { choice, flag, mustBe, oneLineText, optional, URL_LENGTH_MAX } from '@smartlink/smartlink/document';
import { EXAMPLE_ID, EXAMPLE_TIME, timestamp } from '../operation.js';
import { cursorField, wholeNumberField } from '../requests.js';
import { parseTarget, type TargetRules } from './target-address.js';

/** Event types. Deliveries of smartlink events are written in the transaction of the change. */
const EVENT_TYPES = [
  'smartlink.created',
  'smartlink.updated',
  'smartlink.deleted',
  'smartlink.paused',
  'smartlink.activated',
  'smartlink.unsafe',
  'domain.failing',
  'domain.unsafe',
  'visits.recorded',
] as const;

export type EventType = (typeof EVENT_TYPES)[number];

export const VISITS_EVENT = 'visits.recorded' satisfies EventType;

/** The type of test messages, which every webhook receives. */
export const TEST_EVENT = 'webhook.test';

const DELIVERY_STATUSES = ['Pending', 'Delivered', 'Failed'] as const;

const DESCRIPTION_LENGTH_MAX = 128;
const LOG_LIMIT_MAX = 100;

/** The id of a webhook or a delivery in a request: any non-empty string may be one. */
const idSchema = (description: string) =>
  z
    .string({ error: ({ input }) => (input === undefined ? 'Required' : 'Must be given once, as a string') })
    .refine((id) => id !== '', 'Must not be empty')
    .meta({ description, minLength: 1 });

const webhookId = () => idSchema('Identifier of the webhook.');

const target = (rules: TargetRules) =>
  z
    .string(mustBe('a string'))
    .meta({
      format: 'uri',
      maxLength: URL_LENGTH_MAX,
      description:
        'Where messages are sent, by POST: an http or https URL with a public host, by the same rules as a ' +
        'smartlink’s destination. Over http, messages are not encrypted.',
    })
    .transform((text, context) => {
      const href = parseTarget(text, rules);
      if (href !== null) return href;
      context.addIssue({ code: 'custom', message: 'Invalid URL format' });
      return z.NEVER;
    });

// The length is checked first: 1 MiB has room for half a million elements, each of them invalid.
const eventTypes = () =>
  z
    .array(z.unknown(), mustBe('an array'))
    .min(1, 'Must not be empty')
    .max(EVENT_TYPES.length, `Must have at most ${EVENT_TYPES.length} elements`)
    .meta({
      description: 'Event types to subscribe to, in any order.',
      items: { type: 'string', enum: [...EVENT_TYPES] },
    })
    .pipe(z.array(choice(EVENT_TYPES)))
    .transform((types) => [...new Set(types)]);

const description = () =>
  oneLineText(DESCRIPTION_LENGTH_MAX).meta({ description: 'Purpose of the webhook, in free text.' });

/** The bodies of POST and PATCH /webhooks. */
export function webhookBodySchemas(rules: TargetRules) {
  return {
    create: z.object(
      { url: target(rules), eventTypes: eventTypes(), description: optional(description()) },
      'Must be an object',
    ),
    update: z.object(
      {
        id: webhookId(),
        url: target(rules).optional(),
        eventTypes: eventTypes().optional(),
        description: description().nullable().optional(),
        isEnabled: flag().optional().meta({ description: 'Whether messages are queued and sent.' }),
      },
      'Must be an object',
    ),
  };
}

type BodySchemas = ReturnType<typeof webhookBodySchemas>;
export type CreateBody = z.output<BodySchemas['create']>;
export type UpdateBody = z.output<BodySchemas['update']>;

export const deleteBodySchema = z.object({ webhookId: webhookId() }, 'Must be an object');

export const idBodySchema = z.object({ id: webhookId() }, 'Must be an object');

export const redeliverBodySchema = z.object(
  { deliveryId: idSchema('Identifier of the delivery, which the receiver got as `webhook-id`.') },
  'Must be an object',
);

export const logQuerySchema = z.object({
  id: webhookId(),
  status: z
    .enum(DELIVERY_STATUSES, `Must be one of ${DELIVERY_STATUSES.join(', ')}`)
    .optional()
    .meta({ description: 'Only deliveries with this status; all by default.' }),
  limit: wholeNumberField(1, LOG_LIMIT_MAX)
    .optional()
    .meta({ description: `Deliveries per page; ${LOG_LIMIT_MAX} by default.` }),
  cursor: cursorField(),
});

export type LogQuery = z.output<typeof logQuerySchema>;

export const logLimitOf = ({ limit }: LogQuery): number => limit ?? LOG_LIMIT_MAX;

/** The webhook in all examples. */
export const EXAMPLE_WEBHOOK_ID = '019aa5c4-c000-7000-8000-0000000000a1';
/** The delivery in all examples. */
export const EXAMPLE_DELIVERY_ID = '7c1d2f6e-5b0a-4c3d-9e8f-1a2b3c4d5e6f';

const members = () => ({
  id: z.string().meta({ description: 'Identifier of the webhook.', example: EXAMPLE_WEBHOOK_ID }),
  url: z.string().meta({ format: 'uri', description: 'Where messages are sent.' }),
  description: z.string().optional().meta({ description: 'Purpose of the webhook.' }),
  eventTypes: z
    .array(z.enum(EVENT_TYPES))
    .min(1)
    .meta({ description: 'Event types this webhook is subscribed to.' }),
  isEnabled: z.boolean().meta({ description: 'Whether messages are queued and sent.' }),
  disabledReason: z
    .string()
    .optional()
    .meta({ description: 'Why the service disabled the webhook. Absent when its owner did.' }),
  failingSince: timestamp(
    'Start of the current series of failed deliveries, in UTC. Absent while deliveries succeed.',
  ).optional(),
  createdAt: timestamp('When the webhook was created, in UTC.'),
  updatedAt: timestamp('When the webhook was last changed, in UTC.'),
});

const secret = () =>
  z
    .string()
    .regex(/^whsec_[A-Za-z0-9+/]{43}=$/)
    .meta({ description: 'Secret that signs its messages. Shown only in this answer.' });

/** Webhooks in answers: as listed, as created, and with a new secret. */
export function webhookSchemas() {
  return {
    webhook: z.strictObject(members()).meta({ id: 'Webhook' }),
    created: z.strictObject({ ...members(), secret: secret() }).meta({ id: 'CreatedWebhook' }),
    rotated: z
      .strictObject({
        ...members(),
        secret: secret(),
        previousSecretUntil: timestamp(
          'Messages are also signed with the previous secret until then, in UTC.',
        ),
      })
      .meta({ id: 'RotatedWebhook' }),
  };
}

/** A delivery in answers. */
export function deliverySchema() {
  return z
    .strictObject({
      id: z.string().meta({
        description: 'Identifier of the delivery, sent to the receiver as `webhook-id`.',
        example: EXAMPLE_DELIVERY_ID,
      }),
      webhookId: z.string().meta({ description: 'Identifier of the webhook.', example: EXAMPLE_WEBHOOK_ID }),
      eventType: z.enum([...EVENT_TYPES, TEST_EVENT]),
      occurredAt: timestamp('When the event occurred, in UTC.'),
      status: z.enum(DELIVERY_STATUSES).meta({
        description:
          '`Pending` until the message is delivered or, 24 hours after the first attempt, `Failed`.',
      }),
      attempts: z
        .int()
        .min(0)
        .meta({ description: 'Number of attempts started, those before it was sent again included.' }),
      lastAttemptAt: timestamp('When the last attempt started, in UTC.').optional(),
      nextAttemptAt: timestamp(
        'When the next attempt is due, in UTC; during an attempt, when it is considered lost. Present only while `Pending`.',
      ).optional(),
      responseStatus: z
        .int()
        .optional()
        .meta({ description: 'HTTP status of the last attempt’s response, if there was one.' }),
      error: z.string().optional().meta({ description: 'Why the last attempt failed, as text for people.' }),
      durationMs: z
        .int()
        .min(0)
        .optional()
        .meta({ description: 'Duration of the last attempt in milliseconds.' }),
      data: z.record(z.string(), z.unknown()).meta({
        description: 'The `data` of the message, as the receiver gets it.',
        example: { smartlinkId: EXAMPLE_ID },
      }),
    })
    .meta({ id: 'WebhookDelivery' });
}

export const EXAMPLE_WEBHOOK = {
  id: EXAMPLE_WEBHOOK_ID,
  url: 'https://hooks.example.org/smartlink',
  description: 'Updates the shop',
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
  data: {
    smartlinkId: EXAMPLE_ID,
    smartlinkName: 'Spring campaign',
    smartlinkUrl: 'spring',
    smartlinkType: 'Landing',
    status: 'Active',
    relink: 'https://sl.example.com/spring',
  },
};

export const EXAMPLE_TEST_DELIVERY = {
  id: EXAMPLE_DELIVERY_ID,
  webhookId: EXAMPLE_WEBHOOK_ID,
  eventType: TEST_EVENT,
  occurredAt: EXAMPLE_TIME,
  status: 'Pending',
  attempts: 0,
  nextAttemptAt: EXAMPLE_TIME,
  data: { webhookId: EXAMPLE_WEBHOOK_ID },
};
