import { createRoute, redirect } from '@tanstack/react-router';
import { AdminLayout } from '../../app/frame/menu-layout.js';
import { lazyScreen, shellRoute } from '../../app/routes.js';
import { choiceParam, textParam } from '../../app/search-params.js';

const needs = 'operator' as const;

const adminRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/dashboard/admin',
  staticData: { navigation: { menu: 'main', label: 'admin', place: 70, icon: 'shield' }, needs },
  component: AdminLayout,
  beforeLoad: ({ location }) => {
    if (!/^\/dashboard\/admin\/?$/.test(location.pathname)) return;
    redirect({ to: '/dashboard/admin/people', replace: true, throw: true });
  },
});

const searched = ({ q }: Record<string, unknown>): { readonly q?: string } => {
  const text = textParam(q, 128);
  return text === undefined ? {} : { q: text };
};

const peopleRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/people',
  validateSearch: searched,
  staticData: { navigation: { menu: 'admin', label: 'people', place: 10 }, needs },
  component: lazyScreen(() => import('./people.js'), 'People', 'screens/admin'),
});

const accountsRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/accounts',
  validateSearch: searched,
  staticData: { navigation: { menu: 'admin', label: 'accounts', place: 20 }, needs },
  component: lazyScreen(() => import('./accounts.js'), 'Accounts', 'screens/admin'),
});

const plansRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/plans',
  staticData: { navigation: { menu: 'admin', label: 'plans', place: 30 }, needs },
  component: lazyScreen(() => import('./plans.js'), 'Plans', 'screens/admin'),
});

const healthRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/health',
  staticData: { navigation: { menu: 'admin', label: 'health', place: 40 }, needs },
  component: lazyScreen(() => import('./health.js'), 'Health', 'screens/admin'),
});

const safetyRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/safety',
  validateSearch: ({ state }: Record<string, unknown>): { readonly state?: 'unchecked' } =>
    choiceParam(state, ['unchecked']) === undefined ? {} : { state: 'unchecked' },
  staticData: { navigation: { menu: 'admin', label: 'safety', place: 50 }, needs },
  component: lazyScreen(() => import('./safety.js'), 'Safety', 'screens/admin'),
});

/** The screens for operators. */
export const adminScreens = adminRoute.addChildren([
  peopleRoute,
  accountsRoute,
  plansRoute,
  healthRoute,
  safetyRoute,
]);
