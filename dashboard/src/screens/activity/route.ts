import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
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
  component: lazyRouteComponent(() => import('./activity.js'), 'Activity'),
});
