import type { FastifyInstance } from 'fastify';
import { success } from '../envelope.js';

/** GET /validate: whoever gets here has a valid key. */
export function accountRoutes(app: FastifyInstance, _options: object, done: () => void): void {
  app.get('/validate', () => success('API key is valid', null));
  done();
}
