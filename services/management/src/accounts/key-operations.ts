import { z } from 'zod';
import { normalizeNetwork } from '@smartlink/process/client-address';
import { API_KEYS_MAX, type Scope, SCOPES } from '@smartlink/smartlink/credentials';
import { choice, instant, list, mustBe, oneLineText, optional } from '@smartlink/smartlink/document';
import {
  type DataExample,
  EXAMPLE_TIME,
  onFirstCall,
  type Operation,
  type Success,
  timestamp,
} from '../operation.js';
import { cursorField, idField, wholeNumberField } from '../requests.js';

export const LIST_LIMIT_MAX = 100;
const NAME_LENGTH_MAX = 64;
const NETWORKS_MAX = 20;
const GRACE_SECONDS_MAX = 604_800;

/** The key in all examples. */
export const EXAMPLE_KEY_ID = '0b1f7a52-8c1b-4f5e-9a35-0e6f7c8b9a10';
const EXAMPLE_API_KEY = 'slk_live_Ab12Cd34…';

const keyId = () => idField('Identifier of the key.');

const name = () =>
  oneLineText(NAME_LENGTH_MAX, 'required').meta({ description: 'Purpose of the key, in free text.' });

// The length is checked first: 1 MiB has room for half a million elements, each of them invalid.
const scopes = () =>
  list(choice(SCOPES), SCOPES.length)
    .refine((given) => given.length > 0, 'Must not be empty')
    .transform((given): readonly Scope[] => [...new Set(given)])
    .meta({
      description: 'What the key may do, in any order; `*` is everything, calls of future versions included.',
      minItems: 1,
    });

const network = () =>
  z.string(mustBe('a string')).transform((text, context) => {
    const range = normalizeNetwork(text);
    if (range !== null) return range;
    context.addIssue({ code: 'custom', message: 'Must be an address or a CIDR range' });
    return z.NEVER;
  });

const allowedNetworks = () =>
  list(network(), NETWORKS_MAX)
    .refine((given) => given.length > 0, 'Must not be empty')
    .meta({
      description:
        'Addresses and CIDR ranges, IPv4 and IPv6, that the key may be used from. From elsewhere it is answered like an ' +
        'unknown key.',
      minItems: 1,
      example: ['203.0.113.7', '2001:db8::/48'],
    });

const expiresAt = () =>
  instant()
    .refine((time) => time.getTime() > Date.now(), 'Must be in the future')
    .meta({
      description: 'When the key stops working.',
      format: 'date-time',
      example: '2027-01-01T00:00:00Z',
    });

export const createBodySchema = z.object(
  {
    name: name(),
    scopes: scopes()
      .nullish()
      .transform((given) => given ?? (['*'] as const))
      .meta({ default: ['*'] }),
    expiresAt: expiresAt()
      .nullish()
      .transform((time) => time ?? null),
    allowedNetworks: allowedNetworks()
      .nullish()
      .transform((networks) => networks ?? null),
  },
  'Must be an object',
);
export type CreateBody = z.output<typeof createBodySchema>;

export const updateBodySchema = z.object(
  {
    id: keyId(),
    name: name().optional(),
    scopes: scopes().optional(),
    expiresAt: expiresAt().nullable().optional(),
    allowedNetworks: allowedNetworks().nullable().optional(),
  },
  'Must be an object',
);
export type UpdateBody = z.output<typeof updateBodySchema>;

export const deleteBodySchema = z.object({ keyId: keyId() }, 'Must be an object');

const NOT_GRACE = `Must be a whole number from 0 to ${GRACE_SECONDS_MAX}`;

export const rotateBodySchema = z.object(
  {
    id: keyId(),
    graceSeconds: optional(z.int(NOT_GRACE).min(0, NOT_GRACE).max(GRACE_SECONDS_MAX, NOT_GRACE)).meta({
      description: 'How long the present key goes on working; 0 by default.',
    }),
  },
  'Must be an object',
);
export type RotateBody = z.output<typeof rotateBodySchema>;

export const listQuerySchema = z.object({
  limit: wholeNumberField(1, LIST_LIMIT_MAX)
    .optional()
    .meta({ description: `Keys per page; ${LIST_LIMIT_MAX} by default.` }),
  cursor: cursorField(),
});
export type ListQuery = z.output<typeof listQuerySchema>;

const members = () => ({
  id: z.string().meta({ description: 'Identifier of the key.', example: EXAMPLE_KEY_ID }),
  name: z.string().meta({ description: 'Purpose of the key.' }),
  displayPrefix: z
    .string()
    .meta({ description: 'The first characters of the key.', example: 'slk_live_Ab12Cd34' }),
  scopes: z.array(z.enum(SCOPES)).meta({ description: 'What the key may do.' }),
  createdBy: z.string().optional().meta({ description: 'Identifier of the person who created the key.' }),
  allowedNetworks: z
    .array(z.string())
    .min(1)
    .optional()
    .meta({ description: 'Addresses and CIDR ranges that the key may be used from; absent: any.' }),
  expiresAt: timestamp('When the key stops working, in UTC; absent: never.').optional(),
  createdAt: timestamp('When the key was created, in UTC.'),
  lastUsedAt: timestamp('Last use, to the minute, in UTC.').optional(),
});

const keySchemas = () => ({
  key: z.strictObject(members()).meta({ id: 'ApiKey' }),
  created: z
    .strictObject({
      ...members(),
      apiKey: z.string().meta({ description: 'The key. Shown only in this answer.' }),
    })
    .meta({ id: 'CreatedApiKey' }),
});

const EXAMPLE_KEY = {
  id: EXAMPLE_KEY_ID,
  name: 'Website',
  displayPrefix: 'slk_live_Ab12Cd34',
  scopes: ['links:create'],
  createdBy: '4d2f6a52-8c1b-4f5e-9a35-0e6f7c8b9a11',
  allowedNetworks: ['203.0.113.7', '2001:db8::/48'],
  expiresAt: '2199-01-01T00:00:00.000Z',
  createdAt: EXAMPLE_TIME,
};

/** The operations on keys of the API reference. */
export function keyOperations() {
  // One instance of each schema, so that the operations refer to the same components.
  const schemas = onFirstCall(keySchemas);
  return {
    list: () => listOperation(schemas().key),
    create: () => createOperation(schemas().created),
    update: () => updateOperation(schemas().key),
    remove: removeOperation,
    rotate: () => rotateOperation(schemas().created),
    current: () => currentOperation(schemas().key),
  } satisfies Record<string, () => Operation>;
}

const ok = (description: string, schema: z.ZodType, examples: Record<string, DataExample>): Success => ({
  status: 200,
  description,
  data: { schema, examples },
});

const COMMON = { tag: 'Account' } as const;
const FOR_OWNERS = 'For signed-in Owners: a key never creates, changes or rotates keys.';
const NOT_CONFIRMED = { CONFIRMATION_REQUIRED: {} } as const;
const KEY_NOT_FOUND = { notFound: { summary: 'Unknown key', message: 'API key not found' } };
const missing = (member: string) => ({
  missingId: { summary: `No ${member}`, details: [{ path: member, message: 'Required' }] },
});

function listOperation(key: z.ZodType): Operation {
  return {
    ...COMMON,
    operationId: 'listKeys',
    summary: 'List API keys',
    description: `The keys of the account that are not revoked, newest first; expired ones too. ${FOR_OWNERS}`,
    query: listQuerySchema,
    success: {
      ...ok('The keys.', z.array(key), {
        list: { summary: 'One key', message: 'API keys retrieved', data: [EXAMPLE_KEY] },
      }),
      headers: ['Link', 'X-Next-Cursor'],
    },
    errors: {
      VALIDATION_FAILED: {
        cursor: {
          summary: 'A malformed cursor',
          details: [{ path: 'cursor', message: 'Must be a cursor from an earlier answer' }],
        },
      },
    },
  };
}

function createOperation(created: z.ZodType): Operation {
  const { name, scopes, allowedNetworks, expiresAt } = EXAMPLE_KEY;
  return {
    ...COMMON,
    operationId: 'createKey',
    summary: 'Create an API key',
    description:
      'Only this answer contains the key. Without `scopes` it may do everything; other scopes need a plan with bulk ' +
      `calls. An account can have at most ${API_KEYS_MAX} keys. ${FOR_OWNERS}`,
    body: {
      schema: createBodySchema,
      examples: {
        website: { summary: 'A key that creates', value: { name, scopes, allowedNetworks, expiresAt } },
        everything: { summary: 'A key for everything', value: { name: 'Laptop' } },
      },
    },
    success: {
      status: 201,
      description: 'The new key.',
      data: {
        schema: created,
        examples: {
          created: {
            summary: 'With the key itself',
            message: 'API key created',
            data: { ...EXAMPLE_KEY, apiKey: EXAMPLE_API_KEY },
          },
        },
      },
    },
    errors: {
      VALIDATION_FAILED: {
        faults: {
          summary: 'No scopes, a time that has passed, and a malformed range',
          details: [
            { path: 'scopes', message: 'Must not be empty' },
            { path: 'expiresAt', message: 'Must be in the future' },
            { path: 'allowedNetworks.0', message: 'Must be an address or a CIDR range' },
          ],
        },
        scope: {
          summary: 'An unknown scope',
          details: [{ path: 'scopes.0', message: `Must be one of ${SCOPES.join(', ')}` }],
        },
        tooMany: {
          summary: `More than ${API_KEYS_MAX} keys`,
          details: [{ path: '', message: `A user has at most ${API_KEYS_MAX} API keys` }],
        },
      },
      PLAN_RESTRICTED: {},
      ...NOT_CONFIRMED,
    },
  };
}

function updateOperation(key: z.ZodType): Operation {
  return {
    ...COMMON,
    operationId: 'updateKey',
    summary: 'Change an API key',
    description:
      'Send `id` and the members to change. `scopes` and `allowedNetworks` replace the whole list; `null` clears ' +
      `\`allowedNetworks\` and \`expiresAt\`. A change takes effect within a second. ${FOR_OWNERS}`,
    body: {
      schema: updateBodySchema,
      examples: {
        narrow: { summary: 'Fewer scopes', value: { id: EXAMPLE_KEY_ID, scopes: ['links:read'] } },
        clear: { summary: 'From anywhere', value: { id: EXAMPLE_KEY_ID, allowedNetworks: null } },
      },
    },
    success: ok('The changed key.', key, {
      updated: { summary: 'Changed', message: 'API key updated', data: EXAMPLE_KEY },
    }),
    errors: {
      VALIDATION_FAILED: missing('id'),
      PLAN_RESTRICTED: {},
      NOT_FOUND: KEY_NOT_FOUND,
      ...NOT_CONFIRMED,
    },
  };
}

function removeOperation(): Operation {
  return {
    ...COMMON,
    operationId: 'revokeKey',
    summary: 'Revoke an API key',
    description: `The key stops working within a second, for good. ${FOR_OWNERS}`,
    body: {
      schema: deleteBodySchema,
      examples: { revoke: { summary: 'Revoke', value: { keyId: EXAMPLE_KEY_ID } } },
    },
    success: ok('Revoked.', z.null(), {
      revoked: { summary: 'Revoked', message: 'API key revoked', data: null },
    }),
    errors: { VALIDATION_FAILED: missing('keyId'), NOT_FOUND: KEY_NOT_FOUND, ...NOT_CONFIRMED },
  };
}

function rotateOperation(created: z.ZodType): Operation {
  return {
    ...COMMON,
    operationId: 'rotateKey',
    summary: 'Replace an API key',
    description:
      'Gives the key a new text, which only this answer contains; name, scopes, networks and expiry stay. The present text ' +
      `goes on working for \`graceSeconds\`, one from before it no longer. ${FOR_OWNERS}`,
    body: {
      schema: rotateBodySchema,
      examples: {
        day: { summary: 'With a day to change over', value: { id: EXAMPLE_KEY_ID, graceSeconds: 86_400 } },
      },
    },
    success: ok('The key with its new text.', created, {
      rotated: {
        summary: 'With the key itself',
        message: 'API key rotated',
        data: { ...EXAMPLE_KEY, apiKey: EXAMPLE_API_KEY },
      },
    }),
    errors: {
      VALIDATION_FAILED: {
        expired: { summary: 'An expired key', details: [{ path: 'id', message: 'The key has expired' }] },
        grace: { summary: 'More than a week', details: [{ path: 'graceSeconds', message: NOT_GRACE }] },
      },
      NOT_FOUND: KEY_NOT_FOUND,
      ...NOT_CONFIRMED,
    },
  };
}

function currentOperation(key: z.ZodType): Operation {
  return {
    ...COMMON,
    operationId: 'readCurrentKey',
    summary: 'Read the API key of the request',
    description: 'The key that the request carries, whatever its scopes.',
    success: ok('The key.', key, {
      current: { summary: 'The key', message: 'API key retrieved', data: EXAMPLE_KEY },
    }),
    errors: {
      FORBIDDEN: {
        session: {
          summary: 'A signed-in person',
          message: 'You may not do this',
          details: [{ path: '', message: 'Needs an API key' }],
        },
      },
    },
  };
}
