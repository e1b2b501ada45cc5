import type { documentSchemas } from '@smartlink/smartlink/document';
import { SMARTLINK_TYPES } from '@smartlink/smartlink/smartlink-type';
import { z } from 'zod';
import type { Operation, Success } from '../operation.js';
import { patchShape } from './document-shapes.js';
import { CREATE_EXAMPLES, PATCH_EXAMPLES } from './examples.js';
import { idempotencyKeySchema } from './idempotency.js';
import { patchBodySchema } from './request-schemas.js';

type Schemas = ReturnType<typeof documentSchemas>;

/** POST /smartlink, as the reference shows it. */
export function createOperation(schemas: Schemas, success: Success): Operation {
  const bodies = SMARTLINK_TYPES.map((type) => schemas[type].meta({ id: `${type}Create` }));
  const [first, ...rest] = bodies;
  if (first === undefined) throw new Error('There are types');
  return {
    operationId: 'createSmartlink',
    summary: 'Create a smartlink',
    description:
      '`configuration.smartlinkType` decides which objects the body needs. What belongs to another type is ignored. ' +
      'Without `smartlinkUrl` the service assigns one.\n\nWith an `Idempotency-Key` the first answer is kept for 24 ' +
      'hours and given again to the same request, so a request whose answer got lost can be sent again.',
    tag: 'Smartlinks',
    needsKey: true,
    headers: z.object({ 'Idempotency-Key': idempotencyKeySchema }),
    body: {
      schema: z.union([first, ...rest]).meta({
        id: 'SmartlinkCreate',
        description:
          'What a smartlink is made of. `configuration.smartlinkType` tells which of the seven it is; OpenAPI’s ' +
          '`discriminator` cannot say so, as it looks at the top level only.',
      }),
      examples: CREATE_EXAMPLES,
    },
    success,
    errors: {
      VALIDATION_FAILED: {
        faults: {
          summary: 'Several faults at once',
          details: [
            {
              path: 'configuration.smartlinkUrl',
              message: 'Smartlink URL can only contain latin characters and numbers',
            },
            { path: 'openGraph.imageUrl', message: 'Invalid URL format' },
          ],
        },
        notJson: {
          summary: 'A body that is no JSON',
          details: [{ path: '', message: 'Must be valid JSON' }],
        },
        reserved: {
          summary: 'A reserved smartlinkUrl',
          details: [{ path: 'configuration.smartlinkUrl', message: 'This smartlink URL is reserved' }],
        },
      },
      SUBSCRIPTION_LIMIT_REACHED: {},
      SMARTLINK_URL_TAKEN: {
        smartlinkUrlTaken: {
          summary: 'The address is somebody’s',
          details: [{ path: 'configuration.smartlinkUrl', message: 'This smartlink URL is already taken' }],
        },
      },
      IDEMPOTENCY_KEY_REUSED: {},
      UNSAFE_URL: unsafeUrl('shortener.url'),
    },
  };
}

/** PATCH /smartlink, as the reference shows it. */
export function updateOperation(schemas: Schemas, success: Success): Operation {
  return {
    operationId: 'updateSmartlink',
    summary: 'Change parts of a smartlink',
    description:
      'Send `id` and what is to change. Objects merge field by field; arrays replace the old ones whole, `[]` clears ' +
      'them; `null` clears an optional field. The result is checked as a whole by the rules of a create, and on any ' +
      'fault nothing is written.\n\nA new `smartlinkUrl` keeps the old one as an alias, at most 20. With another ' +
      '`smartlinkType` the content of the old type is kept aside and comes back with it. `status` is not changed ' +
      'here.\n\nWith `If-Match` the change is made only to the version that was read.',
    tag: 'Smartlinks',
    needsKey: true,
    headers: z.object({
      'If-Match': z
        .string()
        .optional()
        .meta({ description: 'The `ETag` of the version to change, or several, or `*`.' }),
    }),
    body: { schema: patchSchema(schemas), examples: PATCH_EXAMPLES },
    success,
    errors: {
      VALIDATION_FAILED: {
        faults: {
          summary: 'A required field cannot be cleared',
          details: [{ path: 'configuration.smartlinkName', message: 'Must be a string' }],
        },
        missingId: { summary: 'No id', details: [{ path: 'id', message: 'Required' }] },
      },
      NOT_FOUND: {},
      SMARTLINK_URL_TAKEN: {
        smartlinkUrlTaken: {
          summary: 'The address is somebody’s',
          details: [{ path: 'configuration.smartlinkUrl', message: 'This smartlink URL is already taken' }],
        },
      },
      PRECONDITION_FAILED: {},
      UNSAFE_URL: unsafeUrl('landingButtons.0.link'),
    },
  };
}

/** The members of all seven types: which of them the smartlink has, its type says. */
function patchSchema(schemas: Schemas): z.ZodType {
  const members: Record<string, z.ZodType> = {};
  for (const type of SMARTLINK_TYPES) {
    Object.assign(members, (patchShape(schemas[type]) as z.ZodObject).shape);
  }
  // An App has all that the others have, and its stores.
  const { configuration } = schemas.App.shape;
  const { smartlinkUrl } = configuration.shape;
  return z
    .looseObject({
      id: patchBodySchema.shape.id,
      ...members,
      configuration: (patchShape(configuration) as z.ZodObject)
        .extend({
          smartlinkType: z.enum(SMARTLINK_TYPES).optional(),
          // No smartlink is without an address, so this one cannot be cleared.
          smartlinkUrl: patchShape(smartlinkUrl).optional(),
        })
        .optional(),
    })
    .meta({ id: 'SmartlinkUpdate' });
}

/** UNSAFE_URL with the URL at `path`. */
export const unsafeUrl = (path: string) => ({
  unsafeUrl: {
    summary: 'A URL that is judged malicious',
    details: [{ path, message: 'URL was judged unsafe' }],
  },
});
