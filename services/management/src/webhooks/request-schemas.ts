import { URL_LENGTH_MAX } from '@smartlink/smartlink/destination-url';
import { choice, flag, optional } from '@smartlink/smartlink/fields';
import { mustBe } from '@smartlink/smartlink/must-be';
import { oneLineText } from '@smartlink/smartlink/text';
import { z } from 'zod';
import { textField, wholeNumberField } from '../query-fields.js';
import { EVENT_TYPES } from './event-types.js';
import { DELIVERY_STATUSES } from './log-queries.js';
import { parseTarget } from './target-url.js';
import type { TargetRules } from './target-url.js';

const DESCRIPTION_LENGTH_MAX = 128;
const LOG_LIMIT_MAX = 100;

/** The id of a webhook or a delivery in a request: any string but the empty one may be an id. */
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
        'Where messages are sent to by POST: an http or https address with a public host, by the rules of ' +
        'destinations. Over http anybody on the way can read them.',
    })
    .transform((text, context) => {
      const href = parseTarget(text, rules);
      if (href !== null) return href;
      context.addIssue({ code: 'custom', message: 'Invalid URL format' });
      return z.NEVER;
    });

// The length comes first: a mebibyte has room for half a million elements, each of them wrong.
const eventTypes = () =>
  z
    .array(z.unknown(), mustBe('an array'))
    .min(1, 'Must not be empty')
    .max(EVENT_TYPES.length, `Must have at most ${EVENT_TYPES.length} elements`)
    .meta({
      description: 'What it is told of, in any order.',
      items: { type: 'string', enum: [...EVENT_TYPES] },
    })
    .pipe(z.array(choice(EVENT_TYPES)))
    .transform((types) => [...new Set(types)]);

const description = () =>
  oneLineText(DESCRIPTION_LENGTH_MAX).meta({ description: 'What it is for, for people.' });

/** Returns the schemas of the bodies of POST and PATCH /webhooks. */
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
  { deliveryId: idSchema('Identifier of the delivery: the `webhook-id` that the receiver got.') },
  'Must be an object',
);

/** The query of the log. */
export const logQuerySchema = z.object({
  id: webhookId(),
  status: z
    .enum(DELIVERY_STATUSES, `Must be one of ${DELIVERY_STATUSES.join(', ')}`)
    .optional()
    .meta({ description: 'Deliveries in this status; all of them if not given.' }),
  limit: wholeNumberField(1, LOG_LIMIT_MAX)
    .optional()
    .meta({ description: `Deliveries a page; ${LOG_LIMIT_MAX} if not given.` }),
  cursor: textField().optional().meta({ description: '`X-Next-Cursor` of the page before.' }),
});

export type LogQuery = z.output<typeof logQuerySchema>;

/** The page size of the log. */
export const logLimitOf = ({ limit }: LogQuery): number => limit ?? LOG_LIMIT_MAX;
