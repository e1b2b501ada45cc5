import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../app/routes.js';
import { choiceParam } from '../../app/search-params.js';
import { type FiguresQuery, figuresQuery } from '../figures/query.js';

export const TABS = ['figures', 'leads', 'changes'] as const;
export type LinkTab = (typeof TABS)[number];

type LinkSearch = FiguresQuery & { readonly tab?: LinkTab | undefined };

export const linkRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/dashboard/links/$id',
  validateSearch: (search: Record<string, unknown>): LinkSearch => ({
    tab: choiceParam(search.tab, TABS),
    ...figuresQuery(search),
  }),
  component: lazyRouteComponent(() => import('./link.js'), 'LinkScreen'),
});
