import type { documentSchemas } from '@smartlink/smartlink/document';
import { SMARTLINK_STATUSES, SMARTLINK_TYPES } from '@smartlink/smartlink/smartlink-type';
import type { SmartlinkType } from '@smartlink/smartlink/smartlink-type';
import { z } from 'zod';
import { FALLBACKS } from '../analytics/analytics.js';
import { EXAMPLE_ID, timestamp } from '../envelope-schemas.js';
import { answerShape } from './document-shapes.js';

/** Returns the schema of the Smartlink object as answers hold it: one of the seven types, told apart by `type`. */
export function smartlinkSchema(schemas: ReturnType<typeof documentSchemas>) {
  const totals = z
    .strictObject({
      totalClicks: z.int().min(0),
      totalQrCodeScans: z.int().min(0),
      totalFallBack: z.int().min(0).meta({ description: FALLBACKS }),
    })
    .meta({ id: 'Totals', description: 'Visits over all time. All 0 on a new smartlink.' });
  const [first, ...rest] = SMARTLINK_TYPES.map((type) => ofType(type, schemas[type], totals));
  if (first === undefined) throw new Error('There are types');
  return z.discriminatedUnion('type', [first, ...rest]).meta({ id: 'Smartlink' });
}

function ofType(type: SmartlinkType, document: z.ZodObject, totals: z.ZodType) {
  const { configuration, ...objects } = (answerShape(document) as z.ZodObject).shape;
  return z
    .strictObject({
      id: z.string().meta({ description: 'Identifier of the smartlink.', example: EXAMPLE_ID }),
      status: z.enum(SMARTLINK_STATUSES),
      type: z.literal(type),
      userId: z.string().meta({ description: 'The owner.' }),
      relink: z.string().meta({ format: 'uri', description: 'The public address.' }),
      createdAt: timestamp('When it was created, in UTC.'),
      updatedAt: timestamp('When it last changed, in UTC.'),
      configuration: (configuration as z.ZodObject).required({ smartlinkUrl: true }),
      analytics: totals,
      pauseReason: pauseReasonSchema.optional(),
      ...objects,
    })
    .meta({ id: `${type}Smartlink` });
}

const pauseReasonSchema = z
  .strictObject({
    code: z.literal('UNSAFE_URL'),
    details: z
      .array(
        z.strictObject({
          path: z.string().meta({ description: 'Where the URL stands.', example: 'shortener.url' }),
          message: z.string().meta({ example: 'URL was judged unsafe' }),
        }),
      )
      .min(1)
      .meta({ description: 'The URLs that were judged unsafe, 100 at most.' }),
  })
  .meta({
    id: 'PauseReason',
    description:
      'Why the service has paused it: a URL was judged unsafe after it was stored. Absent while it is Active, and when ' +
      'its owner has paused it.',
  });
