import { useQuery } from '@tanstack/react-query';
import type { Role, Session } from '@smartlink/client';
import { sessionQuery } from './api.js';

const ROLES: readonly Role[] = ['Viewer', 'Editor', 'Owner'];

/** The session in the shell, where a person is signed in. */
export function useSession(): Session {
  const { data } = useQuery(sessionQuery);
  if (data === undefined || data === null) throw new Error('Outside of the shell');
  return data;
}

/** Whether the person has `role`, or one that includes it, in the account in use. */
export function hasRole({ account }: Session, role: Role): boolean {
  return account !== null && ROLES.indexOf(account.role) >= ROLES.indexOf(role);
}

export function useHasRole(role: Role): boolean {
  return hasRole(useSession(), role);
}
