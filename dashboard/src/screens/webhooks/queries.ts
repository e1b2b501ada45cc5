import type { Webhook } from '@smartlink/client';
import { api, queryClient } from '../../app/api.js';

/** At most 20, so one webhook is found in the list. */
export const webhooksQuery = {
  queryKey: ['webhooks'],
  queryFn: async ({ signal }: { readonly signal: AbortSignal }): Promise<readonly Webhook[]> =>
    (await api.webhooks.list({ signal })).data,
} as const;

export const refreshWebhooks = () => queryClient.invalidateQueries({ queryKey: webhooksQuery.queryKey });

/** The secret of a webhook that has just been created, for its screen. Kept in memory only. */
export const secretKey = (id: string) => ['webhookSecret', id] as const;
