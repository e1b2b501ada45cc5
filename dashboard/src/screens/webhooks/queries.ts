import type { Webhook } from '@smartlink/client';
import { api, queryClient } from '../../app/api.js';

/** At most 20, so a single webhook is read from the list. */
export const webhooksQuery = {
  queryKey: ['webhooks'],
  queryFn: async ({ signal }: { readonly signal: AbortSignal }): Promise<readonly Webhook[]> =>
    (await api.webhooks.list({ signal })).data,
} as const;

export const refreshWebhooks = () => queryClient.invalidateQueries({ queryKey: webhooksQuery.queryKey });

/** Key of a new webhook's secret, kept in memory for its screen. */
export const secretKey = (id: string) => ['webhookSecret', id] as const;
