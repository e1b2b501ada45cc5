export const words = {
  opening: 'One moment',
  email: 'E-mail',
  newPassword: 'New password',
  rule: 'At least 10 characters.',
  setup: { heading: 'Welcome', text: 'Choose a password for your account.', submit: 'Create account' },
  invite: {
    heading: 'You are invited',
    to: ({
      account,
      role,
      invitedBy,
    }: {
      readonly account: string;
      readonly role: string;
      readonly invitedBy: string | null;
    }) => `${invitedBy ?? 'The operator'} invites you to “${account}”. Your role: ${role}.`,
    text: 'Have you signed in here before? Enter your password. Otherwise choose one of at least 10 characters.',
    signedIn: 'You are signed in as the invited person.',
    password: 'Password',
    submit: 'Accept invitation',
  },
  reset: {
    heading: 'New password',
    text: 'You are signed out of all other browsers.',
    submit: 'Set password',
  },
  wrong: 'Wrong password.',
  gone: {
    heading: 'This link has been used',
    text: 'It was used or has expired. Ask for a new one.',
    signIn: 'Sign in',
  },
};
