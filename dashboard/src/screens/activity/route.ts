import { createRoute } from '@tanstack/react-router';
import { lazyScreen, shellRoute } from '../../app/routes.js';
import { activitySearch } from './search.js';

export const activityRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/dashboard/activity',
  staticData: {
    navigation: { menu: 'main', label: 'activity', place: 50, icon: 'activity' },
    needs: 'Owner',
  },
  validateSearch: activitySearch,
  component: lazyScreen(() => import('./activity.js'), 'Activity', 'screens/activity'),
});
