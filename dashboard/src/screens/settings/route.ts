import { createRoute, redirect } from '@tanstack/react-router';
import { shellRoute } from '../../app/routes.js';
import { SettingsLayout } from './settings-layout.js';

export const settingsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/dashboard/settings',
  staticData: { navigation: { menu: 'main', label: 'settings', place: 60, icon: 'settings' } },
  component: SettingsLayout,
  beforeLoad: ({ location }) => {
    if (!/^\/dashboard\/settings\/?$/.test(location.pathname)) return;
    redirect({ to: '/dashboard/settings/profile', replace: true, throw: true });
  },
});
