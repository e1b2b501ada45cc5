import { z } from 'zod';
import { EMAIL_LENGTH_MAX, isEmailAddress } from '@smartlink/smartlink/accounts';
import { choice, mustBe, oneLineText } from '@smartlink/smartlink/document';
import { EXAMPLE_TIME, EXAMPLE_USER_ID, onFirstCall, type Operation, timestamp } from '../operation.js';
import { idField } from '../requests.js';
import { ROLES } from './roles.js';

export const MEMBERS_MAX = 200;
export const ACCOUNT_NAME_LENGTH_MAX = 64;

/** The person in all examples. */
export const EXAMPLE_PERSON_ID = '4d2f6a52-8c1b-4f5e-9a35-0e6f7c8b9a11';

/** An e-mail address, kept as typed. */
export const email = () =>
  z
    .string(mustBe('a string'))
    .refine(isEmailAddress, 'Must be an e-mail address')
    .meta({ description: 'E-mail address.', format: 'email', maxLength: EMAIL_LENGTH_MAX });

export const personIdSchema = () => idField('Identifier of the person.');

const role = () => choice(ROLES).meta({ description: 'What the person may do in the account.' });

export const accountBodySchema = z.object(
  {
    name: oneLineText(ACCOUNT_NAME_LENGTH_MAX, 'required')
      .nullable()
      .meta({ description: 'Display name of the account; `null` restores its e-mail address.' }),
  },
  'Must be an object',
);

export const inviteBodySchema = z.object({ email: email(), role: role() }, 'Must be an object');
export type InviteBody = z.output<typeof inviteBodySchema>;

export const roleBodySchema = z.object({ personId: personIdSchema(), role: role() }, 'Must be an object');

export const removeBodySchema = z.object({ personId: personIdSchema() }, 'Must be an object');

const limit = (description: string) =>
  z
    .int()
    .min(0)
    .nullable()
    .meta({ description: `${description}; null: unlimited.` });

/** A plan and its limits, in answers. */
export const planMembers = () => ({
  name: z.string().meta({ description: 'Name of the plan.' }),
  smartlinks: limit('Smartlinks, deleted ones not counted'),
  requestsPerMinute: z.int().min(1).meta({ description: 'Requests a minute, over all keys.' }),
  analyticsDays: limit('Days that analytics reach back'),
  advanced: z.boolean().meta({ description: 'Bulk calls, hourly figures, CSV and scopes of keys.' }),
  mediaBytes: limit('Bytes of uploaded pictures'),
});

const accountSchema = () =>
  z
    .strictObject({
      id: z.string().meta({ description: 'Identifier of the account.', example: EXAMPLE_USER_ID }),
      name: z.string().meta({ description: 'Display name; the e-mail address unless it was changed.' }),
      plan: z.strictObject(planMembers()).meta({ id: 'AccountPlan' }),
      usage: z.strictObject({
        smartlinks: z.int().min(0).meta({ description: 'Active and paused smartlinks.' }),
        mediaBytes: z.int().min(0).meta({ description: 'Size of the stored pictures.' }),
      }),
      role: z.enum(ROLES).meta({ description: 'Role of the signed-in person.' }),
    })
    .meta({ id: 'Account' });

const memberSchema = () =>
  z
    .strictObject({
      personId: z.string().meta({ description: 'Identifier of the person.', example: EXAMPLE_PERSON_ID }),
      email: z.string().meta({ description: 'E-mail address.' }),
      role: z.enum(ROLES),
      createdAt: timestamp('When the person became a member, in UTC.'),
      lastSeenAt: timestamp('Last request in this account, to the minute, in UTC.').optional(),
    })
    .meta({ id: 'Member' });

const EXAMPLE_ACCOUNT = {
  id: EXAMPLE_USER_ID,
  name: 'Corner café',
  plan: {
    name: 'Enterprise',
    smartlinks: null,
    requestsPerMinute: 3_000,
    analyticsDays: null,
    advanced: true,
    mediaBytes: null,
  },
  usage: { smartlinks: 12, mediaBytes: 4_194_304 },
  role: 'Owner',
};
const EXAMPLE_MEMBER = {
  personId: EXAMPLE_PERSON_ID,
  email: 'ann@example.com',
  role: 'Editor',
  createdAt: EXAMPLE_TIME,
};

const COMMON = { tag: 'Account' } as const;
const MEMBER_NOT_FOUND = { notFound: { summary: 'No member', message: 'Member not found' } };
const lastOwner = (path: string) => ({
  lastOwner: {
    summary: 'The last Owner',
    details: [{ path, message: 'An account has at least one Owner' }],
  },
});

/** The operations on an account and its members of the API reference. */
export function memberOperations() {
  // One instance of each schema, so that the operations refer to the same components.
  const account = onFirstCall(accountSchema);
  const member = onFirstCall(memberSchema);
  return {
    account: () => accountOperation(account()),
    rename: () => renameOperation(account()),
    list: () => listOperation(member()),
    invite: inviteOperation,
    change: () => changeOperation(member()),
    remove: removeOperation,
  } satisfies Record<string, () => Operation>;
}

function accountOperation(account: z.ZodType): Operation {
  return {
    ...COMMON,
    operationId: 'readAccount',
    summary: 'Read the account',
    description: 'The account in use, its plan, what of it is used, and the role of the signed-in person.',
    success: {
      status: 200,
      description: 'The account.',
      data: {
        schema: account,
        examples: {
          account: { summary: 'An account', message: 'Account retrieved', data: EXAMPLE_ACCOUNT },
        },
      },
    },
    errors: {},
  };
}

function renameOperation(account: z.ZodType): Operation {
  return {
    ...COMMON,
    operationId: 'updateAccount',
    summary: 'Rename the account',
    description:
      'Changes the display name. The e-mail address that the admin command knows the account by stays.',
    body: {
      schema: accountBodySchema,
      examples: { rename: { summary: 'A name', value: { name: EXAMPLE_ACCOUNT.name } } },
    },
    success: {
      status: 200,
      description: 'The account.',
      data: {
        schema: account,
        examples: { renamed: { summary: 'Renamed', message: 'Account updated', data: EXAMPLE_ACCOUNT } },
      },
    },
    errors: {
      VALIDATION_FAILED: {
        noName: { summary: 'No name', details: [{ path: 'name', message: 'Required' }] },
      },
    },
  };
}

function listOperation(member: z.ZodType): Operation {
  return {
    ...COMMON,
    operationId: 'listMembers',
    summary: 'List the members',
    description: 'The persons who may use the account, the first first. For signed-in Owners.',
    success: {
      status: 200,
      description: 'All members.',
      data: {
        schema: z.array(member),
        examples: { list: { summary: 'A member', message: 'Members retrieved', data: [EXAMPLE_MEMBER] } },
      },
    },
    errors: {},
  };
}

function inviteOperation(): Operation {
  return {
    ...COMMON,
    operationId: 'createInvitation',
    summary: 'Invite a person',
    description:
      'Only this answer contains the link, which works once and for seven days. Inviting the same address again replaces ' +
      `its open invitation. An account can have at most ${MEMBERS_MAX} members, open invitations included.`,
    body: {
      schema: inviteBodySchema,
      examples: {
        editor: { summary: 'An Editor', value: { email: EXAMPLE_MEMBER.email, role: EXAMPLE_MEMBER.role } },
      },
    },
    success: {
      status: 201,
      description: 'The invitation.',
      data: {
        schema: z
          .strictObject({
            inviteUrl: z.string().meta({ description: 'Link for the invited person.', format: 'uri' }),
            expiresAt: timestamp('When the link expires, in UTC.'),
          })
          .meta({ id: 'Invitation' }),
        examples: {
          invited: {
            summary: 'An invitation',
            message: 'Invitation created',
            data: { inviteUrl: 'https://manage.example.com/welcome#…', expiresAt: EXAMPLE_TIME },
          },
        },
      },
    },
    errors: {
      VALIDATION_FAILED: {
        faults: {
          summary: 'No address and an unknown role',
          details: [
            { path: 'email', message: 'Must be an e-mail address' },
            { path: 'role', message: 'Must be one of Viewer, Editor, Owner' },
          ],
        },
        tooMany: {
          summary: `More than ${MEMBERS_MAX} members`,
          details: [{ path: '', message: `An account has at most ${MEMBERS_MAX} members` }],
        },
      },
      NAME_TAKEN: {
        member: { summary: 'A member already', details: [{ path: 'email', message: 'Is already taken' }] },
      },
      CONFIRMATION_REQUIRED: {},
    },
  };
}

function changeOperation(member: z.ZodType): Operation {
  return {
    ...COMMON,
    operationId: 'updateMember',
    summary: 'Change the role of a member',
    description: 'The role takes effect with the next request of the person.',
    body: {
      schema: roleBodySchema,
      examples: { viewer: { summary: 'A Viewer', value: { personId: EXAMPLE_PERSON_ID, role: 'Viewer' } } },
    },
    success: {
      status: 200,
      description: 'The member.',
      data: {
        schema: member,
        examples: { changed: { summary: 'Changed', message: 'Member updated', data: EXAMPLE_MEMBER } },
      },
    },
    errors: {
      VALIDATION_FAILED: lastOwner('role'),
      NOT_FOUND: MEMBER_NOT_FOUND,
      CONFIRMATION_REQUIRED: {},
    },
  };
}

function removeOperation(): Operation {
  return {
    ...COMMON,
    operationId: 'removeMember',
    summary: 'Remove a member',
    description: 'The person may not use the account from the next request on. What the person made stays.',
    body: {
      schema: removeBodySchema,
      examples: { remove: { summary: 'Remove', value: { personId: EXAMPLE_PERSON_ID } } },
    },
    success: {
      status: 200,
      description: 'Removed.',
      data: {
        schema: z.null(),
        examples: { removed: { summary: 'Removed', message: 'Member removed', data: null } },
      },
    },
    errors: {
      VALIDATION_FAILED: lastOwner('personId'),
      NOT_FOUND: MEMBER_NOT_FOUND,
      CONFIRMATION_REQUIRED: {},
    },
  };
}
