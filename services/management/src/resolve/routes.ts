import type { FastifyInstance } from 'fastify';
import { success } from '../envelope.js';
import { principalOf } from '../plugins/authenticate.js';
import { parseQuery } from '../request-query.js';
import { resolveOperation } from './operations.js';
import { resolveQuerySchema } from './resolve-query.js';
import { createVisitResolver } from './resolve-visit.js';

/** GET /smartlink/resolve. */
export function resolveRoutes(
  app: FastifyInstance,
  options: { publicBaseUrl: string },
  done: () => void,
): void {
  const { publicBaseUrl } = options;
  const resolveVisit = createVisitResolver({ pg: app.pg, publicBaseUrl });
  const operation = () => resolveOperation(publicBaseUrl);

  app.get('/smartlink/resolve', { config: { operation } }, async (request) => {
    const query = parseQuery(resolveQuerySchema, request.query);
    return success('Visit resolved', await resolveVisit(principalOf(request), query));
  });
  done();
}
