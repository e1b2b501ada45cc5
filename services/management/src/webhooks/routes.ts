import type { FastifyInstance } from 'fastify';
import { principalOf } from '../accounts/accounts.js';
import { success } from '../envelope.js';
import { parseBody, parseQuery } from '../requests.js';
import { createDeliveryLog } from './delivery-log.js';
import { createWebhookManager } from './manage-webhooks.js';
import { webhookOperations } from './operations.js';
import {
  deleteBodySchema,
  idBodySchema,
  type LogQuery,
  logQuerySchema,
  redeliverBodySchema,
  webhookBodySchemas,
} from './schemas.js';
import type { TargetRules } from './target-address.js';

/** GET, POST, PATCH and DELETE /webhooks, the actions on a webhook, and its delivery log. */
export function webhookRoutes(
  app: FastifyInstance,
  { rules }: { rules: TargetRules },
  done: () => void,
): void {
  const bodies = webhookBodySchemas(rules);
  const operations = webhookOperations(rules);
  const webhooks = createWebhookManager({ pg: app.pg, now: Date.now });
  const log = createDeliveryLog({ pg: app.pg });

  app.get('/webhooks', { config: { operation: operations.list } }, async (request) =>
    success('Webhooks retrieved', await webhooks.list(principalOf(request))),
  );

  app.post('/webhooks', { config: { operation: operations.create } }, async (request, reply) => {
    const data = await webhooks.create(principalOf(request), parseBody(bodies.create, request));
    return reply.code(201).send(success('Webhook created', data));
  });

  app.patch('/webhooks', { config: { operation: operations.update } }, async (request) =>
    success(
      'Webhook updated',
      await webhooks.update(principalOf(request), parseBody(bodies.update, request)),
    ),
  );

  app.delete('/webhooks', { config: { operation: operations.remove } }, async (request) => {
    await webhooks.remove(principalOf(request), parseBody(deleteBodySchema, request).webhookId);
    return success('Webhook deleted', null);
  });

  app.post('/webhooks/rotate-secret', { config: { operation: operations.rotate } }, async (request) =>
    success(
      'Webhook secret changed',
      await webhooks.rotate(principalOf(request), parseBody(idBodySchema, request).id),
    ),
  );

  app.post('/webhooks/test', { config: { operation: operations.test } }, async (request) =>
    success('Test message queued', await log.test(principalOf(request), parseBody(idBodySchema, request).id)),
  );

  app.get('/webhooks/deliveries', { config: { operation: operations.log } }, async (request, reply) => {
    const query = parseQuery(logQuerySchema, request);
    const { data, nextCursor } = await log.list(principalOf(request), query);
    if (nextCursor !== null) reply.headers(nextPage(query, nextCursor));
    return success('Deliveries retrieved', data);
  });

  app.post('/webhooks/redeliver', { config: { operation: operations.redeliver } }, async (request) => {
    const { deliveryId } = parseBody(redeliverBodySchema, request);
    const { data, isUnderWay } = await log.redeliver(principalOf(request), deliveryId);
    return success(isUnderWay ? 'Delivery under way' : 'Delivery queued', data);
  });
  done();
}

function nextPage(query: LogQuery, cursor: string): Record<string, string> {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...query, cursor })) parameters.set(name, String(value));
  return {
    'x-next-cursor': cursor,
    link: `</api/v1/webhooks/deliveries?${parameters.toString()}>; rel="next"`,
  };
}
