import { createRoute, redirect } from '@tanstack/react-router';
import { SettingsLayout } from '../../app/frame/menu-layout.js';
import { lazyScreen, shellRoute } from '../../app/routes.js';

const settingsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/dashboard/settings',
  staticData: { navigation: { menu: 'main', label: 'settings', place: 60, icon: 'settings' } },
  component: SettingsLayout,
  beforeLoad: ({ location }) => {
    if (!/^\/dashboard\/settings\/?$/.test(location.pathname)) return;
    redirect({ to: '/dashboard/settings/profile', replace: true, throw: true });
  },
});

const profileRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/profile',
  staticData: { navigation: { menu: 'settings', label: 'profile', place: 10 } },
  component: lazyScreen(() => import('./profile/profile.js'), 'Profile', 'screens/settings/profile'),
});

const securityRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/security',
  staticData: { navigation: { menu: 'settings', label: 'security', place: 20 } },
  component: lazyScreen(() => import('./security/security.js'), 'Security', 'screens/settings/security'),
});

const apiKeysRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/api-keys',
  staticData: { navigation: { menu: 'settings', label: 'apiKeys', place: 30 }, needs: 'Owner' },
  component: lazyScreen(() => import('./api-keys/api-keys.js'), 'ApiKeys', 'screens/settings/api-keys'),
});

const membersRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/members',
  staticData: { navigation: { menu: 'settings', label: 'members', place: 40 }, needs: 'Owner' },
  component: lazyScreen(() => import('./members/members.js'), 'Members', 'screens/settings/members'),
});

const tagsRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/tags',
  staticData: { navigation: { menu: 'settings', label: 'tags', place: 50 } },
  component: lazyScreen(() => import('./tags/tags.js'), 'Tags', 'screens/settings/tags'),
});

const utmTemplatesRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/utm-templates',
  staticData: { navigation: { menu: 'settings', label: 'utmTemplates', place: 60 } },
  component: lazyScreen(
    () => import('./utm-templates/utm-templates.js'),
    'UtmTemplates',
    'screens/settings/utm-templates',
  ),
});

const domainsRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/domains',
  staticData: { navigation: { menu: 'settings', label: 'domains', place: 70 } },
  component: lazyScreen(() => import('./domains/domains.js'), 'Domains', 'screens/settings/domains'),
});

const domainRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/domains/$id',
  component: lazyScreen(() => import('./domains/domain.js'), 'DomainScreen', 'screens/settings/domains'),
});

export const settingsScreens = settingsRoute.addChildren([
  profileRoute,
  securityRoute,
  apiKeysRoute,
  membersRoute,
  tagsRoute,
  utmTemplatesRoute,
  domainsRoute,
  domainRoute,
]);
