import { useQuery } from '@tanstack/react-query';
import type { Role, Session } from '@smartlink/client';
import { sessionQuery } from './api.js';

const ROLES: readonly Role[] = ['Viewer', 'Editor', 'Owner'];

/** The session; only inside the shell, where one exists. */
export function useSession(): Session {
  const { data } = useQuery(sessionQuery);
  if (data === undefined || data === null) throw new Error('Outside of the shell');
  return data;
}

/** Whether the role in the current account is at least `role`. */
export function hasRole({ account }: Session, role: Role): boolean {
  return account !== null && ROLES.indexOf(account.role) >= ROLES.indexOf(role);
}

export function useHasRole(role: Role): boolean {
  return hasRole(useSession(), role);
}
