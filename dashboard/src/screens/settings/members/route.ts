import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { withWords } from '../../../app/preferences.js';
import { settingsRoute } from '../route.js';

export const membersRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/members',
  staticData: { navigation: { menu: 'settings', label: 'members', place: 40 }, needs: 'Owner' },
  component: lazyRouteComponent(
    withWords(() => import('./members.js'), 'screens/settings/members'),
    'Members',
  ),
});
