import type { ErrorCode } from '@smartlink/client';

type Text = { readonly heading: string; readonly text: string };

export const words = {
  copied: 'Copied',
  notCopied: 'Could not copy',
  tryAgain: 'Try again',
  requestId: 'Request id:',
  showMore: 'Show more',
  loading: 'Loading',
  showPassword: 'Show password',
  oldData: (when: string) => `These figures are from ${when}: the service cannot be reached.`,
  needsRole: (role: string) => `This page is for the role ${role}. Ask an Owner of this account.`,
  planWithout: 'Your plan does not include this.',
  problems: (count: number) => (count === 1 ? '1 problem' : `${count} problems`),
  confirm: {
    heading: 'Confirm it is you',
    text: 'This change needs your password. You will not be asked again for ten minutes.',
    password: 'Password',
    confirm: 'Confirm',
    cancel: 'Cancel',
    wrong: 'Wrong password.',
    noPassword:
      'You have no password yet. Ask for a new sign-in link, and make the change right after signing in.',
  },
  faults: {
    Required: 'Required',
    'Must not be empty': 'Must not be empty',
    'Must be in the future': 'Must be in the future',
    'Must be one line': 'Must be one line',
    'Invalid URL format': 'Invalid URL format',
    'Is already taken': 'Is already taken',
    'Must not be a common password': 'This password is too common',
    'Must not be the e-mail address': 'Must not be your e-mail address',
    'Must be an address or a CIDR range': 'Must be an address or a CIDR range',
    'Must be an ISO 8601 time with a time zone': 'Choose a day',
  } as Readonly<Record<string, string>>,
  atLeast: (count: string) => `Must have at least ${count} characters`,
  atMost: (count: string) => `Must have at most ${count} characters`,
  between: (least: string, most: string) => `Must have ${least} to ${most} characters`,
  errors: {
    unknown: { heading: 'Something went wrong', text: 'The service answered in an unexpected way.' } as Text,
    unreachable: {
      heading: 'No connection',
      text: 'The service cannot be reached. Check your network.',
    } as Text,
    invalid: { heading: 'That does not fit', text: 'The service refused these values.' } as Text,
    codes: {
      UNAUTHORIZED: { heading: 'Signed out', text: 'Your session has ended. Sign in again.' },
      PLAN_RESTRICTED: { heading: 'Not in your plan', text: 'Your plan does not include this.' },
      SUBSCRIPTION_LIMIT_REACHED: {
        heading: 'Limit reached',
        text: 'Your plan allows no more of these.',
      },
      FORBIDDEN: { heading: 'Not allowed', text: 'Your role does not allow this.' },
      CONFIRMATION_REQUIRED: { heading: 'Not confirmed', text: 'Nothing was changed.' },
      NOT_FOUND: { heading: 'Not found', text: 'It does not exist, or no longer.' },
      NAME_TAKEN: { heading: 'Name is taken', text: 'Another one has this name already.' },
      SMARTLINK_URL_TAKEN: { heading: 'Address is taken', text: 'Another link has this address already.' },
      GONE: { heading: 'No longer valid', text: 'This link has been used or has expired.' },
      PRECONDITION_FAILED: { heading: 'Changed somewhere else', text: 'It was changed since you opened it.' },
      PAYLOAD_TOO_LARGE: { heading: 'Too large', text: 'The service takes no more at once.' },
      UNSAFE_URL: { heading: 'Not safe', text: 'A destination was found to be unsafe.' },
      RATE_LIMITED: { heading: 'Too many requests', text: 'Wait a minute, then try again.' },
      SERVICE_UNAVAILABLE: {
        heading: 'Not available right now',
        text: 'A part of the service is down. What was shown before stays; try again soon.',
      },
    } as Readonly<Partial<Record<ErrorCode, Text>>>,
  },
};
