import type { FastifyInstance } from 'fastify';
import type { Access } from '../accounts/access.js';
import { principalOf } from '../accounts/accounts.js';
import { success } from '../envelope.js';
import { nextPageHeaders, parseBody, parseQuery } from '../requests.js';
import { createDeliveryLog } from './delivery-log.js';
import { createWebhookManager } from './manage-webhooks.js';
import { webhookOperations } from './operations.js';
import {
  deleteBodySchema,
  idBodySchema,
  logQuerySchema,
  redeliverBodySchema,
  webhookBodySchemas,
} from './schemas.js';
import type { TargetRules } from './target-address.js';

const read: Access = { scope: 'webhooks:read', role: 'Owner' };
const write: Access = { scope: 'webhooks:write', role: 'Owner' };

/** GET, POST, PATCH and DELETE /webhooks, the actions on a webhook, and its delivery log. */
export function webhookRoutes(
  app: FastifyInstance,
  { rules }: { rules: TargetRules },
  done: () => void,
): void {
  const bodies = webhookBodySchemas(rules);
  const operations = webhookOperations(rules);
  const webhooks = createWebhookManager({ pg: app.pg, now: Date.now });
  const log = createDeliveryLog({ pg: app.pg, publicBaseUrl: rules.publicBaseUrl });

  app.get('/webhooks', { config: { operation: operations.list, access: read } }, async (request) =>
    success('Webhooks retrieved', await webhooks.list(principalOf(request))),
  );

  app.post(
    '/webhooks',
    { config: { operation: operations.create, access: write } },
    async (request, reply) => {
      const data = await webhooks.create(principalOf(request), parseBody(bodies.create, request));
      return reply.code(201).send(success('Webhook created', data));
    },
  );

  app.patch('/webhooks', { config: { operation: operations.update, access: write } }, async (request) =>
    success(
      'Webhook updated',
      await webhooks.update(principalOf(request), parseBody(bodies.update, request)),
    ),
  );

  app.delete('/webhooks', { config: { operation: operations.remove, access: write } }, async (request) => {
    await webhooks.remove(principalOf(request), parseBody(deleteBodySchema, request).webhookId);
    return success('Webhook deleted', null);
  });

  app.post(
    '/webhooks/rotate-secret',
    { config: { operation: operations.rotate, access: { ...write, isConfirmed: true } } },
    async (request) => {
      const { id } = parseBody(idBodySchema, request);
      return success('Webhook secret changed', await webhooks.rotate(principalOf(request), id));
    },
  );

  app.post('/webhooks/test', { config: { operation: operations.test, access: write } }, async (request) =>
    success('Test message queued', await log.test(principalOf(request), parseBody(idBodySchema, request).id)),
  );

  app.get(
    '/webhooks/deliveries',
    { config: { operation: operations.log, access: read } },
    async (request, reply) => {
      const query = parseQuery(logQuerySchema, request);
      const { data, nextCursor } = await log.list(principalOf(request), query);
      if (nextCursor !== null) reply.headers(nextPageHeaders('/webhooks/deliveries', query, nextCursor));
      return success('Deliveries retrieved', data);
    },
  );

  app.post(
    '/webhooks/redeliver',
    { config: { operation: operations.redeliver, access: write } },
    async (request) => {
      const { deliveryId } = parseBody(redeliverBodySchema, request);
      const { data, isUnderWay } = await log.redeliver(principalOf(request), deliveryId);
      return success(isUnderWay ? 'Delivery under way' : 'Delivery queued', data);
    },
  );
  done();
}
