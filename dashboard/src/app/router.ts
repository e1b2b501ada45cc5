import { createRoute, createRouter, redirect } from '@tanstack/react-router';
import { screens, screensWithoutSession } from '../screens/screens.js';
import { NotFound } from './frame/problem.js';
import { HOME } from './link-paths.js';
import { rootRoute, shellRoute } from './routes.js';
import { parseSearch, stringifySearch } from './search-params.js';

// Unknown addresses, inside the frame so that sign-in returns to them. `/dashboard/` redirects to the first screen.
const otherRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/dashboard/$',
  component: NotFound,
  beforeLoad: ({ params }) => {
    if (params._splat === '') redirect({ href: HOME, replace: true, throw: true });
  },
});

const routeTree = rootRoute.addChildren([
  shellRoute.addChildren([...screens, otherRoute]),
  ...screensWithoutSession,
]);

export const router = createRouter({
  routeTree,
  parseSearch,
  stringifySearch,
  scrollRestoration: true,
  defaultPreload: 'intent',
  defaultNotFoundComponent: NotFound,
  defaultStructuralSharing: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
