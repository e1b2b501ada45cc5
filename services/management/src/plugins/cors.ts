import fp from 'fastify-plugin';

const ALLOWED_HEADERS = 'Authorization, Content-Type, If-Match, Idempotency-Key';
const ALLOWED_METHODS = 'GET, HEAD, POST, PATCH, DELETE';
const EXPOSED_HEADERS =
  'ETag, Link, Location, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, X-Next-Cursor, X-Request-Id';
const PREFLIGHT_MAX_AGE_SECONDS = '600';

/**
 * Lets pages of the listed origins call the API. Preflights are answered before authentication, since browsers send
 * no key with them. Credentials are never allowed: keys travel in a header, not in cookies.
 */
export default fp<{ origins: readonly string[] }>(
  (app, { origins }, done) => {
    if (origins.length > 0) {
      const allowed = new Set(origins);
      app.addHook('onRequest', (request, reply, next) => {
        reply.header('vary', 'Origin');
        const { origin } = request.headers;
        if (origin === undefined || !allowed.has(origin)) {
          next();
          return;
        }
        reply.header('access-control-allow-origin', origin);
        reply.header('access-control-expose-headers', EXPOSED_HEADERS);
        if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) {
          next();
          return;
        }
        reply.header('access-control-allow-methods', ALLOWED_METHODS);
        reply.header('access-control-allow-headers', ALLOWED_HEADERS);
        reply.header('access-control-max-age', PREFLIGHT_MAX_AGE_SECONDS);
        reply.code(204).send();
      });
    }
    done();
  },
  { name: 'cors' },
);
