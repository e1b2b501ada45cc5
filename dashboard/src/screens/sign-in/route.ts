import { createRoute, redirect } from '@tanstack/react-router';
import { queryClient, sessionQuery } from '../../app/api.js';
import { HOME } from '../../app/link-paths.js';
import { lazyScreen, rootRoute } from '../../app/routes.js';
import { nextParam } from '../../app/search-params.js';

export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/dashboard/sign-in',
  validateSearch: ({ next }: Record<string, unknown>): { readonly next?: string | undefined } => ({
    next: nextParam(next),
  }),
  beforeLoad: async ({ search }) => {
    const session = await queryClient.query({ ...sessionQuery, staleTime: 'static' });
    if (session !== null) redirect({ href: nextParam(search.next) ?? HOME, replace: true, throw: true });
  },
  component: lazyScreen(() => import('./sign-in.js'), 'SignIn', 'screens/sign-in'),
});
