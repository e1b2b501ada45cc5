import type { Section } from './statement.js';
import * as t from './test-files.js';

const STARTER = t.analytics(
  'Starter may not look farther back than 120 days, by the hour, or as CSV; its totals stay whole',
);

/** decisions.md: keys, users and plans. */
export const ACCOUNTS: readonly Section[] = [
  {
    title: 'Keys and users',
    statements: {
      'key-form': [
        'A key is slk_live_, 32 random characters and 6 of a checksum over them, all base62',
        t.apiKey('recognises the keys it generates, by form alone'),
        t.apiKey('refuses a key with one character changed, anywhere'),
      ],
      'key-no-io': [
        'A malformed key is told from an unknown one by prefix, length and checksum, without I/O',
        t.authentication(
          'a key that is missing or malformed a wrong checksum is 401 without a database query',
        ),
        t.authentication('a key that is missing or malformed another prefix is 401 without a database query'),
        t.authentication(
          'a key that is missing or malformed a character less is 401 without a database query',
        ),
      ],
      'key-stored': [
        'Of a key only its SHA-256 and the beginning that is shown are stored',
        t.admin('users create prints exactly userId, email, plan and apiKey, and stores the digest alone'),
        t.apiKey('shows 8 of the 32 random characters and no more'),
        t.secrets('no row, key, event, log line or answer holds a key or a password'),
      ],
      'key-record': [
        'Beside them its name and when it was made, ends, was last used and was revoked',
        t.adminKeys('keys list tells when each key was made, ends, was used and was revoked'),
        t.authentication('a key that is good is noted as used'),
      ],
      'users-create': [
        'users create --json prints userId, email, plan and apiKey',
        t.admin('users create prints exactly userId, email, plan and apiKey, and stores the digest alone'),
      ],
      'users-list': [
        'users list and set-plan show and change the plan, to programs with --json and to people without',
        t.admin('set-plan changes the plan and users list shows it, to people too'),
      ],
      'users-delete': [
        'With a user all of their data goes, visits included',
        t.admin(
          'users delete takes everything along but the slugs, publishes tombstones and removes the events',
        ),
      ],
      'keys-commands': [
        'keys are made (with an end if asked), listed, revoked and rotated',
        t.admin('keys are made, listed, rotated and revoked; a key is shown once'),
        t.adminKeys('a key made with --expires …'),
      ],
      'admin-finds-stack': [
        'Without DATABASE_URL the command finds the running embedded stack',
        t.admin('without DATABASE_URL the running stack is found; without a stack it is one clear line'),
      ],
      'audit-log': [
        'Each change is noted: by whom, when and of what',
        t.admin('every change is in the audit log, without any key'),
        t.patch(
          'what moves a change moves version and updatedAt, and says in the audit log which members, not what',
        ),
        t.audit('every change by the command is listed, newest first, with who, when, what and whose'),
      ],
    },
  },
  {
    title: 'Plans',
    statements: {
      'plans-data': [
        'Plans and their numbers are data',
        t.plans(
          'a plan is made, changed by what is said alone, given to users, and deleted once nobody is on it',
        ),
        t.plans('changed limits hold for the requests of everybody on the plan, without a restart'),
        t.plans('analytics are held to the days and to the advanced calls of the plan as it is now'),
      ],
      'plans-new': [
        'A new instance has Starter, Professional and Enterprise with the numbers decided',
        t.plans('the plans of a new instance are those that were decided, smallest first'),
      ],
      'starter-count': [
        'Starter has 3 smartlinks',
        t.races(
          'the limit of Starter, 3 lets one of 50 creates through at one below it, all types, without a key',
        ),
      ],
      'starter-rate': [
        'Starter has 60 requests a minute',
        t.rateLimit('the requests of a minute of Starter are 60'),
      ],
      'starter-from': [
        'Starter asking for more than 120 days back is 403 PLAN_RESTRICTED',
        STARTER,
        t.analyticsQuery('120 days before today may be asked for, 121 may not'),
      ],
      'starter-hour': [
        'Starter asking for interval=hour is 403 PLAN_RESTRICTED',
        STARTER,
        t.analyticsQuery('{"interval":"hour"} needs a plan with advanced analytics'),
      ],
      'starter-csv': [
        'Starter asking for format=csv is 403 PLAN_RESTRICTED',
        STARTER,
        t.analyticsQuery('{"format":"csv"} needs a plan with advanced analytics'),
      ],
      'starter-bulk': [
        'Starter making bulk calls is 403 PLAN_RESTRICTED',
        t.bulk('Starter making bulk calls is 403 PLAN_RESTRICTED, unless the call is wrong anyway'),
      ],
      'starter-default': [
        'Without from Starter sees the last 120 days',
        STARTER,
        t.analyticsQuery(
          'a plan of 120 days shows the last 120 days, today among them, unless asked otherwise',
        ),
      ],
      'starter-totals': ['The totals of Starter stay whole', STARTER],
      professional: [
        'Professional has 10 smartlinks and 600 requests a minute',
        t.races(
          'the limit of Professional, 10 lets one of 50 creates through at one below it, all types, without a key',
        ),
        t.rateLimit('the requests of a minute of Professional are 600'),
      ],
      enterprise: [
        'Enterprise has smartlinks without limit and 3,000 requests a minute',
        t.totals('a page of more than a hundred links still carries every total'),
        t.plans('the plans of a new instance are those that were decided, smallest first'),
        t.rateLimit('the requests of a minute of Enterprise are 3000'),
      ],
      'plan-default': [
        'A user made without a plan is Enterprise',
        t.admin('a user without --plan is Enterprise'),
      ],
      'plan-counts': [
        'What counts are the smartlinks that are not Deleted',
        t.conflicts("the plan's limit counts what is Paused and not what is Deleted"),
      ],
      'plan-race': [
        'With room for one more, one of 50 simultaneous creates succeeds',
        t.races('the limit of …'),
      ],
    },
  },
];
