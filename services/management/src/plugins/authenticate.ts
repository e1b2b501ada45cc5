import fp from 'fastify-plugin';
import type { FastifyRequest } from 'fastify';
import { createKeyAuthenticator } from '../accounts/accounts.js';
import type { Principal } from '../accounts/accounts.js';
import { headerValues } from '../request-headers.js';

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal | null;
  }
}

/** Lets nobody into the routes beside it who has no valid key: known paths, unknown ones and wrong methods alike. */
export default fp(
  (app, _options, done) => {
    const authenticate = createKeyAuthenticator({
      pg: app.pg,
      now: Date.now,
      onTouchFailed: (err) => {
        app.log.warn({ err }, 'the last use of a key could not be recorded');
      },
    });
    app.decorateRequest('principal', null);
    app.addHook('onRequest', async (request) => {
      request.principal = await authenticate(headerValues(request, 'authorization'));
    });
    done();
  },
  { name: 'authenticate', dependencies: ['postgres'] },
);

/** Returns who makes the request. Throws outside of the routes that authenticate guards. */
export function principalOf(request: FastifyRequest): Principal {
  if (request.principal === null) throw new Error('This route is not behind authenticate');
  return request.principal;
}
