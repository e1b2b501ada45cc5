type Account = {
  readonly id: string;
  readonly name: string;
  readonly role: 'Viewer' | 'Editor' | 'Owner';
};

/** The signed-in person, and the account in use; null: a member of none. */
export type Session = {
  readonly person: {
    readonly id: string;
    readonly email: string;
    readonly language: string;
    readonly isOperator: boolean;
    readonly hasPassword: boolean;
  };
  readonly account: Account | null;
  readonly accounts: readonly Account[];
};

/** A browser in which the person is signed in. Times are in UTC. */
export type SessionDevice = {
  readonly id: string;
  /** As in `Firefox on Linux`. */
  readonly device: string;
  /** ISO 3166-1 alpha-2. */
  readonly country?: string;
  readonly createdAt: string;
  readonly lastSeenAt: string;
  readonly isCurrent: boolean;
};

export type OneTimeLink = {
  readonly purpose: 'setup' | 'sign-in' | 'invite' | 'reset';
  readonly email: string;
  readonly needsPassword: boolean;
  /** Null for other purposes. */
  readonly invitation: {
    /** The account's name. */
    readonly account: string;
    readonly role: 'Viewer' | 'Editor' | 'Owner';
    /** E-mail address of its author; null for one made by an admin command. */
    readonly invitedBy: string | null;
  } | null;
};

/** Bodies and data of the calls under /auth, which are for browsers and not in the OpenAPI document. */
export type SessionOperations = {
  readSession: { body: never; data: Session | null };
  signIn: { body: { readonly email: string; readonly password: string }; data: Session };
  updateSession: { body: { readonly accountId?: string; readonly language?: string }; data: Session };
  signOut: { body: never; data: null };
  listSessions: { body: never; data: readonly SessionDevice[] };
  endSessions: { body: { readonly sessionId: string } | { readonly others: true }; data: null };
  checkLink: { body: { readonly token: string }; data: OneTimeLink };
  redeemLink: { body: { readonly token: string; readonly password?: string }; data: Session };
  confirm: { body: { readonly password: string }; data: { readonly until: string } };
  changePassword: { body: { readonly current?: string; readonly next: string }; data: Session };
  readSetup: { body: never; data: { readonly needed: boolean } };
};

const at = (method: string, path: string) => ({
  method,
  path: `/auth/${path}`,
  takesIdempotencyKey: false,
});

export const SESSION_OPERATIONS: Readonly<Record<keyof SessionOperations, ReturnType<typeof at>>> = {
  readSession: at('GET', 'session'),
  signIn: at('POST', 'session'),
  updateSession: at('PATCH', 'session'),
  signOut: at('DELETE', 'session'),
  listSessions: at('GET', 'sessions'),
  endSessions: at('DELETE', 'sessions'),
  checkLink: at('POST', 'link/check'),
  redeemLink: at('POST', 'link'),
  confirm: at('POST', 'confirm'),
  changePassword: at('POST', 'password'),
  readSetup: at('GET', 'setup'),
};

/** Error codes of these calls alone. */
export const SESSION_ERRORS = { GONE: { hasDetails: false } } as const;

/** Calls with a password: UNAUTHORIZED then says that it is wrong, not that the session has ended. */
export const PASSWORD_OPERATIONS: ReadonlySet<string> = new Set([
  'signIn',
  'redeemLink',
  'confirm',
  'changePassword',
] satisfies (keyof SessionOperations)[]);
