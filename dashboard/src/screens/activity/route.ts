import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { withWords } from '../../app/preferences.js';
import { shellRoute } from '../../app/routes.js';
import { activitySearch } from './search.js';

export const activityRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/dashboard/activity',
  staticData: {
    navigation: { menu: 'main', label: 'activity', place: 50, icon: 'activity' },
    needs: 'Owner',
  },
  validateSearch: activitySearch,
  component: lazyRouteComponent(
    withWords(() => import('./activity.js'), 'screens/activity'),
    'Activity',
  ),
});
