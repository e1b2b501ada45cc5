import type { FastifyInstance } from 'fastify';

/** GET /smartlink/analytics and /analytics/summary. */
export function analyticsRoutes(_app: FastifyInstance, _options: object, done: () => void): void {
  done();
}
