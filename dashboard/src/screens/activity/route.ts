import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../app/routes.js';
import { dateParam, textParam } from '../../app/search-params.js';

export type ActivitySearch = {
  readonly action?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly smartlinkId?: string | undefined;
};

export const activityRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/dashboard/activity',
  staticData: {
    navigation: { menu: 'main', label: 'activity', place: 50, icon: 'activity' },
    needs: 'Owner',
  },
  validateSearch: ({ action, from, to, smartlinkId }: Record<string, unknown>): ActivitySearch => ({
    action: textParam(action),
    from: dateParam(from),
    to: dateParam(to),
    smartlinkId: textParam(smartlinkId),
  }),
  component: lazyRouteComponent(() => import('./activity.js'), 'Activity'),
});
