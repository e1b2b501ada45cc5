import type { FastifyInstance } from 'fastify';
import { success } from '../envelope.js';
import { validateOperation } from './operations.js';

/** GET /validate: whoever gets here has a valid key. */
export function accountRoutes(app: FastifyInstance, _options: object, done: () => void): void {
  app.get('/validate', { config: { operation: validateOperation } }, () => success('API key is valid', null));
  done();
}
