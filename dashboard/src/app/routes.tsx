import { createRootRoute, createRoute, redirect } from '@tanstack/react-router';
import { queryClient, sessionQuery } from './api.js';
import { NotFound } from './not-found.js';
import { Problem } from './problem.js';
import { Shell } from './shell.js';

export const rootRoute = createRootRoute({ notFoundComponent: NotFound, errorComponent: Problem });

/** The frame of all screens for signed-in people. A screen's route is its child. */
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
