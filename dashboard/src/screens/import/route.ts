import { createRoute } from '@tanstack/react-router';
import { lazyScreen, shellRoute } from '../../app/routes.js';
import { textParam } from '../../app/search-params.js';

/** `id`: the shown import, kept across reloads. */
type ImportSearch = { readonly id?: string | undefined };

export const importRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/dashboard/import',
  staticData: {
    navigation: { menu: 'main', label: 'import', place: 30, icon: 'import' },
    needs: 'Editor',
  },
  validateSearch: ({ id }: Record<string, unknown>): ImportSearch => ({ id: textParam(id) }),
  component: lazyScreen(() => import('./import.js'), 'ImportScreen', 'screens/import'),
});
