import { useRouter } from '@tanstack/react-router';
import type { Role, Session } from '@smartlink/client';
import type { IconName } from '../parts/icon.js';
import { hasRole, useSession } from './session.js';
import type { words } from './words/en.js';

/** Least role of a screen. Default: Viewer. */
export type Needs = Role | 'operator';

export type NavigationEntry = {
  readonly menu: 'main' | 'settings' | 'admin';
  readonly label: keyof (typeof words)['nav'];
  /** Position in the menu. */
  readonly place: number;
  /** For the main menu. */
  readonly icon?: IconName;
};

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    readonly navigation?: NavigationEntry;
    readonly needs?: Needs;
  }
}

export function isAllowed(session: Session, needs: Needs | undefined): boolean {
  if (needs === undefined) return true;
  return needs === 'operator' ? session.person.isOperator : hasRole(session, needs);
}

/** Menu entries that the person may open. */
export function useNavigation(menu: NavigationEntry['menu']) {
  const { routesById } = useRouter();
  const session = useSession();
  const routes = Object.values(routesById) as readonly {
    readonly to: string;
    readonly options: { readonly staticData?: { navigation?: NavigationEntry; needs?: Needs } };
  }[];
  return routes
    .flatMap(({ to, options: { staticData = {} } }) => {
      const { navigation, needs } = staticData;
      return navigation?.menu === menu && isAllowed(session, needs) ? [{ to, ...navigation }] : [];
    })
    .sort((a, b) => a.place - b.place);
}
