import type { FastifyInstance } from 'fastify';
import { principalOf } from '../plugins/authenticate.js';
import { parseQuery } from '../request-query.js';
import { createQrDrawer } from './draw-qr-image.js';
import { qrOperation } from './operations.js';
import { qrQuerySchema } from './qr-query.js';

/** GET /smartlink/qr. */
export function qrRoutes(app: FastifyInstance, options: { publicBaseUrl: string }, done: () => void): void {
  const drawQrImage = createQrDrawer({ pg: app.pg, publicBaseUrl: options.publicBaseUrl });

  app.get('/smartlink/qr', { config: { operation: qrOperation } }, async (request, reply) => {
    const query = parseQuery(qrQuerySchema, request.query);
    const image = await drawQrImage(principalOf(request), query);
    return reply
      .type(image.mediaType)
      .header('content-disposition', `inline; filename="${image.fileName}"`)
      .header('content-security-policy', image.contentSecurityPolicy)
      .send(image.content);
  });
  done();
}
