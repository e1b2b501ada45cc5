import { z } from 'zod';
import { LIMIT_RANGES } from '@smartlink/smartlink/accounts';
import { flag, oneLineText, optional } from '@smartlink/smartlink/document';
import { ACCOUNT_NAME_LENGTH_MAX, email, planMembers } from '../accounts/member-operations.js';
import { EXAMPLE_TIME, EXAMPLE_USER_ID, onFirstCall, type Operation, timestamp } from '../operation.js';
import { smartlinkIdSchema } from '../requests.js';
import { COMMON, EXAMPLE_LINK, FOR_OPERATORS, linkSchema, listOperation, oneDetail } from './operations.js';

const BODY = 'Must be an object';
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
    mediaBytes: count(LIMIT_RANGES.mediaBytes).nullable().optional().meta({
      description: 'Bytes of uploaded pictures; `null`: unlimited.',
    }),
  },
  BODY,
);
export type UpdatePlan = z.output<typeof updatePlanSchema>;

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

const EXAMPLE_ACCOUNT = {
  id: EXAMPLE_USER_ID,
  email: 'cafe@example.com',
  name: 'Corner café',
  plan: 'Enterprise',
  createdAt: EXAMPLE_TIME,
  members: 1,
  keys: 0,
  usage: { smartlinks: 12, mediaBytes: 4_194_304 },
};
const EXAMPLE_PLAN = {
  name: 'Starter',
  smartlinks: 3,
  requestsPerMinute: 60,
  analyticsDays: 120,
  advanced: false,
  mediaBytes: 50_000_000,
  accounts: 7,
};

/** The operations on accounts and plans of the installation. */
export function accountOperations() {
  return {
    list: () =>
      listOperation('accounts', {
        description: 'All accounts with their plan and use, by e-mail address.',
        object: accountSchema(),
        example: EXAMPLE_ACCOUNT,
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
      NAME_TAKEN: { taken: oneDetail('An account already', 'email', 'Is already taken') },
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
