import { createSmartlinkValidator } from '@smartlink/smartlink/validation';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { NO_TOTALS } from '@smartlink/visit-analytics/totals';
import type { TotalsReader } from '../analytics/analytics.js';
import { success } from '../envelope.js';
import { parseBody } from '../parse-body.js';
import { principalOf } from '../plugins/authenticate.js';
import { headerValues } from '../request-headers.js';
import { parseQuery } from '../request-query.js';
import type { UrlSafety } from '../url-safety/url-safety.js';
import type { Answer } from './answer.js';
import { createBulk } from './bulk/bulk-smartlinks.js';
import { createSmartlinkCreator } from './create-smartlink.js';
import { createSmartlinkDeleter } from './delete-smartlink.js';
import { readIdempotencyKey } from './idempotency.js';
import { createSmartlinkFetcher, createSmartlinkLister } from './list-smartlinks.js';
import type { Outbox } from './outbox.js';
import { smartlinkOperations } from './operations.js';
import { createPasswordHasher } from './password-hasher.js';
import type { ListedRow } from './queries.js';
import { deleteBodySchema, listQuerySchema, patchBodySchema, statusBodySchema } from './request-schemas.js';
import type { ListQuery } from './request-schemas.js';
import { etagOf, toSmartlink } from './smartlink-view.js';
import { createStatusSetter } from './set-smartlink-status.js';
import { createSmartlinkUpdater } from './update-smartlink.js';

// Two of libuv's four threads; at some 30 ms a hash the last of the waiting ones is served within a second.
const HASHES_RUNNING_MAX = 2;
const HASHES_WAITING_MAX = 50;

export type SmartlinkRouteOptions = {
  readonly outbox: Outbox;
  readonly totals: TotalsReader;
  readonly urlSafety: UrlSafety;
  readonly publicBaseUrl: string;
};

/** POST, GET, PATCH and DELETE /smartlink, POST /smartlink/status and /smartlink/bulk. */
export function smartlinkRoutes(
  app: FastifyInstance,
  options: SmartlinkRouteOptions,
  done: () => void,
): void {
  const { publicBaseUrl, totals } = options;
  const deps = {
    ...options,
    pg: app.pg,
    validator: createSmartlinkValidator({ publicBaseUrl }),
    hasher: createPasswordHasher({ runningMax: HASHES_RUNNING_MAX, waitingMax: HASHES_WAITING_MAX }),
  };
  const operations = smartlinkOperations(publicBaseUrl);
  const create = createSmartlinkCreator(deps);
  const update = createSmartlinkUpdater(deps);
  const setStatus = createStatusSetter(deps);
  const remove = createSmartlinkDeleter(deps);
  const bulk = createBulk(deps);
  const list = createSmartlinkLister(deps);
  const fetchOne = createSmartlinkFetcher(deps);

  app.post('/smartlink', { config: { operation: operations.create } }, async (request, reply) => {
    const idempotencyKey = readIdempotencyKey(headerValues(request, 'idempotency-key'));
    const answer = await create(principalOf(request), request.body ?? null, idempotencyKey);
    return sendAnswer(reply, answer);
  });

  app.get('/smartlink', { config: { operation: operations.read } }, async (request, reply) => {
    const query = parseQuery(listQuerySchema, request.query);
    if (query.id === undefined) {
      const { data, nextCursor } = await list(principalOf(request), query);
      if (nextCursor !== null) addNextLink(reply, query, nextCursor);
      return success('Smartlinks retrieved', data);
    }
    const { data, etag } = await fetchOne(principalOf(request), query.id);
    reply.header('etag', etag);
    return success('Smartlink retrieved', data);
  });

  app.patch('/smartlink', { config: { operation: operations.update } }, async (request, reply) => {
    const patch = parseBody(patchBodySchema, request.body);
    const row = await update(principalOf(request), patch, request.headers['if-match']);
    return changed(reply, row, 'Smartlink updated');
  });

  app.post('/smartlink/status', { config: { operation: operations.setStatus } }, async (request, reply) => {
    const wanted = parseBody(statusBodySchema, request.body);
    const row = await setStatus(principalOf(request), wanted);
    return changed(reply, row, wanted.status === 'Paused' ? 'Smartlink paused' : 'Smartlink activated');
  });

  app.delete('/smartlink', { config: { operation: operations.remove } }, async (request) => {
    const { smartlinkId } = parseBody(deleteBodySchema, request.body);
    await remove(principalOf(request), smartlinkId);
    return success('Smartlink deleted', null);
  });

  app.post('/smartlink/bulk', { config: { operation: operations.bulk } }, async (request, reply) => {
    const idempotencyKey = readIdempotencyKey(headerValues(request, 'idempotency-key'));
    return sendAnswer(reply, await bulk(principalOf(request), request.body ?? null, idempotencyKey));
  });
  done();

  async function changed(reply: FastifyReply, row: ListedRow, message: string): Promise<object> {
    const found = await totals.read(row.user_id, [row]);
    reply.header('etag', etagOf(row));
    return success(message, toSmartlink(row, found.get(row.id) ?? NO_TOTALS, publicBaseUrl));
  }
}

/** Sends an answer that is text already. */
function sendAnswer(reply: FastifyReply, { status, headers, body }: Answer): FastifyReply {
  return reply.code(status).headers(headers).type('application/json; charset=utf-8').send(body);
}

function addNextLink(reply: FastifyReply, query: ListQuery, cursor: string): void {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...query, cursor })) parameters.set(name, String(value));
  reply.header('x-next-cursor', cursor);
  reply.header('link', `</api/v1/smartlink?${parameters.toString()}>; rel="next"`);
}
