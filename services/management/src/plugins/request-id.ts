import fp from 'fastify-plugin';
import { ApiError } from '../errors.js';

/** Puts X-Request-Id on every answer and writes one log line a request: no address, query, body or key. */
export default fp(
  (app, _options, done) => {
    app.addHook('onRequest', (request, reply, next) => {
      reply.header('x-request-id', request.id);
      reply.header('cache-control', 'no-store');
      reply.header('x-content-type-options', 'nosniff');
      next();
    });
    // RFC 9112, 3.2.
    app.addHook('onRequest', (request, _reply, next) => {
      if (request.raw.httpVersion === '1.1' && request.raw.headers.host === undefined) {
        throw new ApiError('VALIDATION_FAILED', { message: 'The Host header is missing' });
      }
      next();
    });
    app.addHook('onResponse', (request, reply, next) => {
      request.log.info(
        {
          method: request.method,
          route: request.routeOptions.url ?? 'unknown',
          status: reply.statusCode,
          durationMs: Math.round(reply.elapsedTime * 10) / 10,
          userId: request.principal?.userId,
        },
        'request answered',
      );
      next();
    });
    app.addHook('onRequestAbort', (request, next) => {
      const route = request.routeOptions.url ?? 'unknown';
      request.log.info({ method: request.method, route }, 'the client went away before it was answered');
      next();
    });
    done();
  },
  { name: 'request-id' },
);
