import { createRoute, createRouter, redirect } from '@tanstack/react-router';
import { screens, screensWithoutSession } from '../screens/screens.js';
import { HOME } from './home.js';
import { NotFound } from './not-found.js';
import { rootRoute, shellRoute } from './routes.js';
import { parseSearch, stringifySearch } from './search-params.js';

const startRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/dashboard',
  beforeLoad: () => {
    redirect({ href: HOME, replace: true, throw: true });
  },
});

// Any other address, inside of the frame: sign-in leads on to it.
const unknownRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/dashboard/$',
  component: NotFound,
});

const routeTree = rootRoute.addChildren([
  startRoute,
  shellRoute.addChildren([...screens, unknownRoute]),
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
