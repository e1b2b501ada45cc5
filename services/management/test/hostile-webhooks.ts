import { randomUUID } from 'node:crypto';
import type { IdInput } from './id-inputs.js';
import type { Caller, TestService } from './start-service.js';

/** How an id can be given to a route: by what, the calls, and of which kind the ids are that it finds. */
export type RouteCalls = {
  readonly by: 'query' | 'json' | 'nothing';
  readonly calls: readonly ((api: Caller, input: IdInput) => ReturnType<Caller['get']>)[];
  readonly own?: 'webhook' | 'delivery';
};

/** Lets webhooks name a port of this machine on which no process listens. */
export const WEBHOOK_ENV = { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' };

/** Creates a webhook that gets no message by itself, with one delivery in its log, and returns both ids. */
export async function createTenantWebhook(
  service: TestService,
  api: Caller,
  word: string,
): Promise<{ webhook: string; delivery: string }> {
  const body = { url: `http://127.0.0.1:9/secret-${word}`, eventTypes: ['smartlink.unsafe'] };
  const webhook = String((await api.post('/webhooks', body)).body.data.id);
  const delivery = randomUUID();
  await service.app.pg.query(
    `insert into webhook_deliveries (id, webhook_id, event_type, data, status, next_attempt_at)
     values ($1, $2, 'smartlink.unsafe', '{}', 'Delivered', null)`,
    [delivery, webhook],
  );
  return { webhook, delivery };
}

const HOOK = { url: 'http://127.0.0.1:9/mine', eventTypes: ['smartlink.unsafe'] };

/** The calls of the webhooks' routes. */
export const WEBHOOK_CALLS: Readonly<Record<string, RouteCalls>> = {
  ...Object.fromEntries(
    (['GET', 'HEAD'] as const).flatMap((method) => [
      [
        `${method} /webhooks`,
        { by: 'nothing', calls: [(api, { query }) => api.call(method, `/webhooks?${query ?? ''}`)] },
      ] satisfies [string, RouteCalls],
      [
        `${method} /webhooks/deliveries`,
        {
          by: 'query',
          own: 'webhook',
          calls: ['', '&status=Delivered&limit=1'].map(
            (rest) =>
              (api, { query }) =>
                api.call(method, `/webhooks/deliveries?${query ?? ''}${rest}`),
          ),
        },
      ] satisfies [string, RouteCalls],
    ]),
  ),
  'POST /webhooks': {
    by: 'nothing',
    calls: [(api, { json }) => api.post('/webhooks', { ...HOOK, id: json, userId: json })],
  },
  'PATCH /webhooks': {
    by: 'json',
    own: 'webhook',
    calls: [{}, { isEnabled: false }, { isEnabled: true, url: HOOK.url, description: 'Mine' }].map(
      (rest) =>
        (api, { json }) =>
          api.patch('/webhooks', { id: json, ...rest }),
    ),
  },
  'DELETE /webhooks': {
    by: 'json',
    own: 'webhook',
    calls: [(api, { json }) => api.delete('/webhooks', { webhookId: json })],
  },
  'POST /webhooks/rotate-secret': {
    by: 'json',
    own: 'webhook',
    calls: [(api, { json }) => api.post('/webhooks/rotate-secret', { id: json })],
  },
  'POST /webhooks/test': {
    by: 'json',
    own: 'webhook',
    calls: [(api, { json }) => api.post('/webhooks/test', { id: json })],
  },
  'POST /webhooks/redeliver': {
    by: 'json',
    own: 'delivery',
    calls: [(api, { json }) => api.post('/webhooks/redeliver', { deliveryId: json })],
  },
};
