import type { Plan } from '@smartlink/client';
import { api } from '../../app/api.js';

/** All plans, smallest first. */
export const plansQuery = {
  queryKey: ['admin', 'plans'],
  queryFn: async ({ signal }: { readonly signal: AbortSignal }): Promise<readonly Plan[]> =>
    (await api.admin.plans({ signal })).data,
} as const;
