import { createRootRoute, createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { queryClient, sessionQuery } from './api.js';
import { NotFound, Problem } from './frame/problem.js';
import { Shell } from './frame/shell.js';
import { withWords } from './preferences.js';

export const rootRoute = createRootRoute({ notFoundComponent: NotFound, errorComponent: Problem });

/** Parent of the routes of all screens for signed-in people. */
export const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  component: Shell,
  errorComponent: Problem,
  beforeLoad: async ({ location }) => {
    const session = await queryClient.query({ ...sessionQuery, staleTime: 'static' });
    if (session !== null) return;
    redirect({ to: '/dashboard/sign-in', search: { next: location.href }, throw: true });
  },
});

/** Component of a screen, loaded on demand together with the words of its rooms. */
export function lazyScreen<Module extends object>(
  load: () => Promise<Module>,
  name: keyof Module & string,
  ...rooms: readonly string[]
) {
  type Screens = Record<string, () => ReactNode>;
  return lazyRouteComponent(withWords(load, ...rooms) as () => Promise<Screens>, name);
}
