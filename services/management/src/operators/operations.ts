import { z } from 'zod';
import {
  type AddressPage,
  EMAIL_LENGTH_MAX,
  isEmailAddress,
  LIMIT_RANGES,
  ROLES,
} from '@smartlink/smartlink/accounts';
import { choice, flag, oneLineText, optional } from '@smartlink/smartlink/document';
import {
  ACCOUNT_NAME_LENGTH_MAX,
  email,
  EXAMPLE_PERSON_ID,
  personIdSchema,
  planMembers,
} from '../accounts/member-operations.js';
import { pageParameters } from '../collections/collection.js';
import { EXAMPLE_TIME, EXAMPLE_USER_ID, onFirstCall, type Operation, timestamp } from '../operation.js';
import { filledTextField, smartlinkIdSchema, unknownCursor } from '../requests.js';

// What operators may send, and the operations in the API reference.

const SEARCH_LENGTH_MAX = 128;

export const listQuerySchema = z.object({
  q: filledTextField(SEARCH_LENGTH_MAX).meta({
    description: 'Only those whose e-mail address or name contains this, in any case.',
  }),
  ...pageParameters,
});

/** Of a list by address. Throws VALIDATION_FAILED for a malformed cursor. */
export function pageOf({ q, cursor }: z.output<typeof listQuerySchema>, limit: number): AddressPage {
  const after = cursor === undefined ? null : Buffer.from(cursor, 'base64url').toString();
  if (after !== null && !isEmailAddress(after)) throw unknownCursor();
  return { after, search: q ?? null, limit };
}

export const addressCursor = ({ email }: { readonly email: string }): string =>
  Buffer.from(email).toString('base64url');

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

const PLAN_NAME_LENGTH_MAX = 64;
const planName = () => oneLineText(PLAN_NAME_LENGTH_MAX, 'required');
const accountName = () => oneLineText(ACCOUNT_NAME_LENGTH_MAX, 'required');

export const createAccountSchema = z.object(
  {
    email: email(),
    name: optional(accountName()).meta({ description: 'Display name; by default the e-mail address.' }),
    plan: optional(planName()).meta({
      description: 'Name of a plan, in any case; `Enterprise` by default.',
    }),
  },
  BODY,
);
export type CreateAccount = z.output<typeof createAccountSchema>;

export const updateAccountSchema = z.object(
  {
    id: smartlinkIdSchema.meta({ description: 'Identifier of the account.' }),
    plan: planName().optional().meta({ description: 'Name of a plan, in any case.' }),
    name: accountName().nullable().optional().meta({
      description: 'Display name; `null` restores the e-mail address.',
    }),
  },
  BODY,
);
export type UpdateAccount = z.output<typeof updateAccountSchema>;

function count([min, max]: readonly [number, number]) {
  const message = `Must be a whole number from ${min} to ${max}`;
  return z.int(message).min(min, message).max(max, message);
}

export const updatePlanSchema = z.object(
  {
    name: planName().meta({ description: 'Name of the plan, in any case.' }),
    smartlinks: count(LIMIT_RANGES.smartlinks).nullable().optional().meta({
      description: 'Smartlinks, deleted ones not counted; `null`: unlimited.',
    }),
    requestsPerMinute: count(LIMIT_RANGES.requestsPerMinute).optional().meta({
      description: 'Requests a minute, over all keys.',
    }),
    analyticsDays: count(LIMIT_RANGES.analyticsDays).nullable().optional().meta({
      description: 'Days that analytics reach back; `null`: unlimited.',
    }),
    advanced: flag().optional().meta({ description: 'Bulk calls, hourly figures, CSV and scopes of keys.' }),
  },
  BODY,
);
export type UpdatePlan = z.output<typeof updatePlanSchema>;

const linkSchema = onFirstCall(() =>
  z
    .strictObject({
      url: z.string().meta({ description: 'Works once.', format: 'uri' }),
      expiresAt: timestamp('When the link expires, in UTC.'),
    })
    .meta({ id: 'OneTimeLink', description: 'Only in the answer that made it.' }),
);

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

const accountSchema = onFirstCall(() =>
  z
    .strictObject({
      id: z.string().meta({ description: 'Identifier of the account.', example: EXAMPLE_USER_ID }),
      email: z.string().meta({ description: 'Its e-mail address.' }),
      name: z.string().meta({ description: 'Display name; the e-mail address unless it was changed.' }),
      plan: z.string().meta({ description: 'Name of the plan.' }),
      createdAt: timestamp('When it was made, in UTC.'),
      members: z.int().min(0).meta({ description: 'People who may use it.' }),
      keys: z.int().min(0).meta({ description: 'API keys that work.' }),
      usage: z.strictObject({
        smartlinks: z.int().min(0).meta({ description: 'Active and paused smartlinks.' }),
        mediaBytes: z.int().min(0).meta({ description: 'Size of the stored pictures.' }),
      }),
      link: linkSchema().optional(),
    })
    .meta({ id: 'OperatedAccount' }),
);

const planSchema = onFirstCall(() =>
  z
    .strictObject({
      ...planMembers(),
      accounts: z.int().min(0).meta({ description: 'Accounts on the plan.' }),
    })
    .meta({ id: 'Plan' }),
);

const EXAMPLE_LINK = { url: 'https://manage.example.com/welcome#…', expiresAt: EXAMPLE_TIME };
const EXAMPLE_PERSON = {
  personId: EXAMPLE_PERSON_ID,
  email: 'ann@example.com',
  isOperator: false,
  hasPassword: false,
  accounts: [{ id: EXAMPLE_USER_ID, email: 'cafe@example.com', role: 'Editor' }],
  createdAt: EXAMPLE_TIME,
};
const EXAMPLE_ACCOUNT = {
  id: EXAMPLE_USER_ID,
  email: 'cafe@example.com',
  name: 'Corner café',
  plan: 'Enterprise',
  createdAt: EXAMPLE_TIME,
  members: 1,
  keys: 0,
  usage: { smartlinks: 12, mediaBytes: 0 },
};
const EXAMPLE_PLAN = {
  name: 'Starter',
  smartlinks: 3,
  requestsPerMinute: 60,
  analyticsDays: 120,
  advanced: false,
  accounts: 7,
};

const COMMON = { tag: 'Operators' } as const;
export const FOR_OPERATORS = 'For signed-in operators.';
const PAGES = 'In pages: follow `Link: rel="next"`, or send `X-Next-Cursor` as `cursor`.';
const PERSON_TAKEN = {
  taken: { summary: 'A person already', details: [{ path: 'email', message: 'Is already taken' }] },
};
const CURSOR = {
  cursor: {
    summary: 'A malformed cursor',
    details: [{ path: 'cursor', message: 'Must be a cursor from an earlier answer' }],
  },
};
const oneDetail = (summary: string, path: string, message: string) => ({
  summary,
  details: [{ path, message }],
});

/** The operations on people of the installation. */
export function personOperations() {
  return {
    list: () => ({
      ...COMMON,
      operationId: 'listPeople',
      summary: 'List people',
      description: `Everyone who may sign in, by e-mail address. ${PAGES} ${FOR_OPERATORS}`,
      query: listQuerySchema,
      success: {
        status: 200,
        description: 'A page of people.',
        headers: ['Link', 'X-Next-Cursor'],
        data: {
          schema: z.array(personSchema()),
          examples: { list: { summary: 'A person', message: 'People retrieved', data: [EXAMPLE_PERSON] } },
        },
      },
      errors: { VALIDATION_FAILED: CURSOR },
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
      NAME_TAKEN: PERSON_TAKEN,
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

/** The operations on accounts and plans of the installation. */
export function accountOperations() {
  return {
    list: () => ({
      ...COMMON,
      operationId: 'listAccounts',
      summary: 'List accounts',
      description: `All accounts with their plan and use, by e-mail address. ${PAGES} ${FOR_OPERATORS}`,
      query: listQuerySchema,
      success: {
        status: 200,
        description: 'A page of accounts.',
        headers: ['Link', 'X-Next-Cursor'],
        data: {
          schema: z.array(accountSchema()),
          examples: {
            list: { summary: 'An account', message: 'Accounts retrieved', data: [EXAMPLE_ACCOUNT] },
          },
        },
      },
      errors: { VALIDATION_FAILED: CURSOR },
    }),
    create: createAccountOperation,
    update: updateAccountOperation,
    plans: () => ({
      ...COMMON,
      operationId: 'listPlans',
      summary: 'List plans',
      description: `All plans, the smallest first. ${FOR_OPERATORS}`,
      success: {
        status: 200,
        description: 'All plans.',
        data: {
          schema: z.array(planSchema()),
          examples: { list: { summary: 'A plan', message: 'Plans retrieved', data: [EXAMPLE_PLAN] } },
        },
      },
      errors: {},
    }),
    updatePlan: updatePlanOperation,
  } satisfies Record<string, () => Operation>;
}

function createAccountOperation(): Operation {
  return {
    ...COMMON,
    operationId: 'createAccount',
    summary: 'Create an account',
    description:
      'Makes an account and, with the same e-mail address, its Owner. `link` lets the Owner set a password within a day; only ' +
      `this answer contains it, and none does if the person has a password. ${FOR_OPERATORS}`,
    body: {
      schema: createAccountSchema,
      examples: {
        account: {
          summary: 'An account',
          value: { email: 'shop@example.com', name: 'Shop', plan: 'Professional' },
        },
      },
    },
    success: {
      status: 201,
      description: 'The account.',
      data: {
        schema: accountSchema(),
        examples: {
          created: {
            summary: 'Created',
            message: 'Account created',
            data: { ...EXAMPLE_ACCOUNT, link: EXAMPLE_LINK },
          },
        },
      },
    },
    errors: {
      VALIDATION_FAILED: { plan: oneDetail('An unknown plan', 'plan', 'No such plan') },
      NAME_TAKEN: {
        taken: {
          summary: 'An account already',
          details: [{ path: 'email', message: 'Is already taken' }],
        },
      },
      CONFIRMATION_REQUIRED: {},
    },
  };
}

function updateAccountOperation(): Operation {
  return {
    ...COMMON,
    operationId: 'updateOperatedAccount',
    summary: 'Change an account',
    description: `Changes its plan, which holds within a second, or its display name. ${FOR_OPERATORS}`,
    body: {
      schema: updateAccountSchema,
      examples: { plan: { summary: 'Another plan', value: { id: EXAMPLE_USER_ID, plan: 'Professional' } } },
    },
    success: {
      status: 200,
      description: 'The account.',
      data: {
        schema: accountSchema(),
        examples: {
          updated: { summary: 'Changed', message: 'Account updated', data: EXAMPLE_ACCOUNT },
        },
      },
    },
    errors: {
      VALIDATION_FAILED: { plan: oneDetail('An unknown plan', 'plan', 'No such plan') },
      NOT_FOUND: { notFound: { summary: 'No account', message: 'Account not found' } },
      CONFIRMATION_REQUIRED: {},
    },
  };
}

function updatePlanOperation(): Operation {
  const [, requestsMax] = LIMIT_RANGES.requestsPerMinute;
  return {
    ...COMMON,
    operationId: 'updatePlan',
    summary: 'Change a plan',
    description: `Changes limits for all accounts on the plan, within a second. ${FOR_OPERATORS}`,
    body: {
      schema: updatePlanSchema,
      examples: { limits: { summary: 'More smartlinks', value: { name: 'Starter', smartlinks: 5 } } },
    },
    success: {
      status: 200,
      description: 'The plan.',
      data: {
        schema: planSchema(),
        examples: {
          updated: {
            summary: 'Changed',
            message: 'Plan updated',
            data: { ...EXAMPLE_PLAN, smartlinks: 5 },
          },
        },
      },
    },
    errors: {
      VALIDATION_FAILED: {
        limit: oneDetail(
          'No requests at all',
          'requestsPerMinute',
          `Must be a whole number from 1 to ${requestsMax}`,
        ),
      },
      NOT_FOUND: { notFound: { summary: 'No plan', message: 'Plan not found' } },
    },
  };
}
