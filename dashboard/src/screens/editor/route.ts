import { createRoute } from '@tanstack/react-router';
import type { SmartlinkType } from '@smartlink/client';
import { lazyScreen, shellRoute } from '../../app/routes.js';
import { choiceParam, textParam } from '../../app/search-params.js';
import { TYPES } from '../../parts/ink.js';

type NewLinkSearch = {
  readonly type?: SmartlinkType | undefined;
  /** Id of a smartlink to duplicate. */
  readonly from?: string | undefined;
};

// The form names countries and devices as figures do, and visitors as the page of a link.
const ROOMS = ['screens/editor', 'screens/editor/routing', 'screens/figures', 'screens/link'];

export const newLinkRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/dashboard/links/new',
  staticData: { needs: 'Editor' },
  validateSearch: ({ type, from }: Record<string, unknown>): NewLinkSearch => ({
    type: choiceParam(type, TYPES),
    from: textParam(from),
  }),
  component: lazyScreen(() => import('./new-link.js'), 'NewLink', ...ROOMS),
});

export const editLinkRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/dashboard/links/$id/edit',
  staticData: { needs: 'Editor' },
  component: lazyScreen(() => import('./edit-link.js'), 'EditLink', ...ROOMS),
});
