import fp from 'fastify-plugin';
import type { Operation } from '../operation.js';

declare module 'fastify' {
  interface FastifyInstance {
    /** Every route under /api/v1 so far, but for the HEAD that goes with each GET. */
    apiRoutes: readonly ApiRoute[];
  }
}

export type ApiRoute = {
  readonly method: string;
  readonly path: string;
  readonly operation: (() => Operation) | undefined;
};

/** Notes the routes under /api/v1 with what they say of themselves. Register it before them. */
export default fp(
  (app, _options, done) => {
    const routes: ApiRoute[] = [];
    app.decorate('apiRoutes', routes);
    app.addHook('onRoute', ({ method, url, config }) => {
      if (!url.startsWith('/api/v1/')) return;
      for (const each of [method].flat()) {
        if (each !== 'HEAD') routes.push({ method: each, path: url, operation: config?.operation });
      }
    });
    done();
  },
  { name: 'documented-routes' },
);
