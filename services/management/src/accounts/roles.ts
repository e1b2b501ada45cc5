import type { Scope } from '@smartlink/smartlink/credentials';

/** The roles of a person in an account; each includes the ones before it. */
export const ROLES = ['Viewer', 'Editor', 'Owner'] as const;
export type Role = (typeof ROLES)[number];

/** Who may call a route. */
export type Access =
  /** A key with the scope, or a person with the role. `any`: every key. */
  | { readonly scope: Exclude<Scope, '*'> | 'any'; readonly role: Role }
  /** A signed-in person with the role. */
  | { readonly person: Role }
  /** A signed-in person who may operate the installation. */
  | { readonly person: 'operator' };
