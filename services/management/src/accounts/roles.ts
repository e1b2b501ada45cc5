import { type Role, ROLES } from '@smartlink/smartlink/accounts';
import type { Scope } from '@smartlink/smartlink/credentials';

export { type Role, ROLES };

/** Who may call a route. `isConfirmed`: a person only within ten minutes of signing in, or of entering the password. */
export type Access = { readonly isConfirmed?: true } & Credentials;

type Credentials =
  /** A key with the scope, or a person with the role. `any`: every key. */
  | { readonly scope: Exclude<Scope, '*'> | 'any'; readonly role: Role }
  /** A signed-in person with the role. */
  | { readonly person: Role }
  /** A signed-in person who may operate the installation. */
  | { readonly person: 'operator' };
