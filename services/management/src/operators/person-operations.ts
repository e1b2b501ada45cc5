import { z } from 'zod';
import { EMAIL_LENGTH_MAX, ROLES } from '@smartlink/smartlink/accounts';
import { choice, flag, optional } from '@smartlink/smartlink/document';
import { email, EXAMPLE_PERSON_ID, personIdSchema } from '../accounts/member-operations.js';
import { EXAMPLE_TIME, EXAMPLE_USER_ID, onFirstCall, type Operation, timestamp } from '../operation.js';
import { smartlinkIdSchema } from '../requests.js';
import { COMMON, EXAMPLE_LINK, FOR_OPERATORS, linkSchema, listOperation, oneDetail } from './operations.js';

const BODY = 'Must be an object';

export const createPersonSchema = z.object(
  {
    email: email(),
    accountId: optional(smartlinkIdSchema.meta({ description: 'Account to make the person a member of.' })),
    role: optional(choice(ROLES)).meta({ description: 'Role in that account; required with `accountId`.' }),
    isOperator: optional(flag()).meta({ description: 'Whether the person may operate the installation.' }),
  },
  BODY,
);
export type CreatePerson = z.output<typeof createPersonSchema>;

export const updatePersonSchema = z.object(
  {
    personId: personIdSchema(),
    isOperator: flag().optional().meta({ description: 'Whether the person may operate the installation.' }),
    isDisabled: flag().optional().meta({
      description: 'Whether the person is kept from signing in; `true` ends all sessions at once.',
    }),
    link: choice(['sign-in', 'reset']).optional().meta({
      description:
        'Makes a link that signs the person in within 15 minutes, or lets the person set a new password within 30; within a day where there is none yet.',
    }),
  },
  BODY,
);
export type UpdatePerson = z.output<typeof updatePersonSchema>;

const personSchema = onFirstCall(() =>
  z
    .strictObject({
      personId: z.string().meta({ description: 'Identifier of the person.', example: EXAMPLE_PERSON_ID }),
      email: z.string().meta({ description: 'E-mail address.', maxLength: EMAIL_LENGTH_MAX }),
      isOperator: z.boolean().meta({ description: 'Whether the person may operate the installation.' }),
      hasPassword: z.boolean().meta({ description: 'Whether the person has set a password.' }),
      accounts: z
        .array(
          z.strictObject({
            id: z.string().meta({ description: 'Identifier of the account.' }),
            email: z.string().meta({ description: 'E-mail address of the account.' }),
            role: z.enum(ROLES),
          }),
        )
        .max(100)
        .meta({ description: 'Accounts that the person is a member of, the first 100 by address.' }),
      createdAt: timestamp('When the person was made, in UTC.'),
      lastSeenAt: timestamp('Last request of a session that goes on, to the minute, in UTC.').optional(),
      disabledAt: timestamp('Since when the person may not sign in, in UTC.').optional(),
      link: linkSchema().optional(),
    })
    .meta({ id: 'Person' }),
);

const EXAMPLE_PERSON = {
  personId: EXAMPLE_PERSON_ID,
  email: 'ann@example.com',
  isOperator: false,
  hasPassword: false,
  accounts: [{ id: EXAMPLE_USER_ID, email: 'cafe@example.com', role: 'Editor' }],
  createdAt: EXAMPLE_TIME,
};

/** The operations on people of the installation. */
export function personOperations() {
  return {
    list: () =>
      listOperation('people', {
        description: 'Everyone who may sign in, by e-mail address.',
        object: personSchema(),
        example: EXAMPLE_PERSON,
      }),
    create: createPersonOperation,
    update: updatePersonOperation,
  } satisfies Record<string, () => Operation>;
}

function createPersonOperation(): Operation {
  return {
    ...COMMON,
    operationId: 'createPerson',
    summary: 'Create a person',
    description:
      'Makes a person, optionally a member of an account. `link` lets the person set a password within a day; only this answer ' +
      'contains it. An e-mail address that belongs to a person already gets the membership, and no link if the person has a ' +
      `password. ${FOR_OPERATORS}`,
    body: {
      schema: createPersonSchema,
      examples: {
        operator: { summary: 'An operator', value: { email: 'bo@example.com', isOperator: true } },
      },
    },
    success: {
      status: 201,
      description: 'The person.',
      data: {
        schema: personSchema(),
        examples: {
          created: {
            summary: 'Created',
            message: 'Person created',
            data: { ...EXAMPLE_PERSON, link: EXAMPLE_LINK },
          },
        },
      },
    },
    errors: {
      VALIDATION_FAILED: {
        account: oneDetail('An unknown account', 'accountId', 'No such account'),
        role: oneDetail('An account without a role', 'role', 'Required'),
      },
      NAME_TAKEN: { taken: oneDetail('A person already', 'email', 'Is already taken') },
      CONFIRMATION_REQUIRED: {},
    },
  };
}

function updatePersonOperation(): Operation {
  return {
    ...COMMON,
    operationId: 'updatePerson',
    summary: 'Change a person',
    description:
      'Disables or enables a person, gives or takes the right to operate, and makes a new `link`, which only this answer ' +
      `contains. All of it holds from the next request of the person on. ${FOR_OPERATORS}`,
    body: {
      schema: updatePersonSchema,
      examples: {
        disable: { summary: 'Disable', value: { personId: EXAMPLE_PERSON_ID, isDisabled: true } },
        link: { summary: 'A new link', value: { personId: EXAMPLE_PERSON_ID, link: 'sign-in' } },
      },
    },
    success: {
      status: 200,
      description: 'The person.',
      data: {
        schema: personSchema(),
        examples: {
          updated: { summary: 'Changed', message: 'Person updated', data: EXAMPLE_PERSON },
        },
      },
    },
    errors: {
      VALIDATION_FAILED: {
        disabled: oneDetail('A link for a disabled person', 'link', 'The person is disabled'),
      },
      NOT_FOUND: { notFound: { summary: 'No person', message: 'Person not found' } },
      CONFIRMATION_REQUIRED: {},
    },
  };
}
