import { isObject } from '@smartlink/smartlink/is-object';
import { SMARTLINK_TYPES } from '@smartlink/smartlink/smartlink-type';
import { countCodePoints } from '@smartlink/smartlink/text';
import { z } from 'zod';
import { textField, wholeNumberField } from '../query-fields.js';
import { smartlinkIdSchema } from '../smartlink-id.js';

// z.record would walk and copy all of it: a hundred thousand unknown members are a third of such a PATCH's work.
const optionalObject = z.custom<Record<string, unknown>>(isObject, 'Must be an object').optional();

/**
 * The form of a PATCH body: what it changes is checked once it is merged into the stored document. `null` for an
 * object is a value like any other there: it clears what is optional.
 */
export const patchBodySchema = z.looseObject(
  {
    id: smartlinkIdSchema,
    configuration: optionalObject,
  },
  'Must be an object',
);

export const deleteBodySchema = z.object({ smartlinkId: smartlinkIdSchema }, 'Must be an object');

export const statusBodySchema = z.object(
  { id: smartlinkIdSchema, status: z.enum(['Active', 'Paused'], 'Must be Active or Paused') },
  'Must be an object',
);

export type StatusBody = z.output<typeof statusBodySchema>;

const LIST_LIMIT_MAX = 100;
// In code points, as every limit (decisions.md, Lengths).
const SEARCH_LENGTH_MAX = 128;

/** The query of a list. A parameter that is there must say something: repeated or empty ones are faults. */
export const listQuerySchema = z.object({
  id: smartlinkIdSchema.optional().meta({ description: 'Fetch this smartlink instead of a list.' }),
  limit: wholeNumberField(1, LIST_LIMIT_MAX).optional().meta({
    description: 'Smartlinks a page; 100 if there is a cursor, and without either the list is whole.',
  }),
  cursor: textField().optional().meta({ description: '`X-Next-Cursor` of the page before.' }),
  status: z
    .enum(['Active', 'Paused', 'Deleted', 'all'], 'Must be one of Active, Paused, Deleted, all')
    .optional()
    .meta({ description: 'Smartlinks in this status; Active if not given.' }),
  type: z
    .enum(SMARTLINK_TYPES, `Must be one of ${SMARTLINK_TYPES.join(', ')}`)
    .optional()
    .meta({ description: 'Smartlinks of this type.' }),
  q: textField()
    .refine((text) => text !== '', 'Must not be empty')
    // Postgres cannot hold a NUL in text, so no name contains one.
    .refine((text) => !text.includes('\0'), 'Must not contain NUL')
    .refine(
      (text) => countCodePoints(text) <= SEARCH_LENGTH_MAX,
      `Must be at most ${SEARCH_LENGTH_MAX} characters`,
    )
    .optional()
    .meta({
      description: 'Smartlinks whose name or address contains this, whatever the case.',
      minLength: 1,
      maxLength: SEARCH_LENGTH_MAX,
    }),
});

export type ListQuery = z.output<typeof listQuerySchema>;
