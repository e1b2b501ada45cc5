import { createHash } from 'node:crypto';
import fp from 'fastify-plugin';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readPackageVersion } from '@smartlink/process/package-version';
import { ApiError } from '../errors.js';
import { onFirstCall } from '../on-first-call.js';
import { pathOf } from '../plugins/routing.js';
import { createOpenApiDocument } from './openapi-document.js';
import type { OpenApiDocument } from './openapi-document.js';
import { readReferenceOperation } from './operations.js';
import { referencePage } from './reference-page.js';

// The front file of the feature: what the rest of the service may use.
export { default as documentedRoutes } from './documented-routes.js';

/**
 * Serves the OpenAPI document at /api/v1/openapi.json and a page made of it at /docs, both without a key. Register it
 * after every route that is to be in the document.
 */
export default fp(
  async (app) => {
    // It takes longer than all the rest of the start, and most processes are never asked for it.
    const reference = onFirstCall(() =>
      prepare(
        createOpenApiDocument(
          app.apiRoutes,
          readPackageVersion(new URL('../../package.json', import.meta.url)),
        ),
      ),
    );
    // Beside the scope of /api/v1, which lets nobody in without a key.
    app.get(DOCUMENT_PATH, { config: { operation: readReferenceOperation } }, (request, reply) =>
      sendRevalidated(request, reply, reference()),
    );
    await app.register(referencePage, { documentPath: DOCUMENT_PATH });
  },
  { name: 'api-reference', dependencies: ['documented-routes'] },
);

const DOCUMENT_PATH = '/api/v1/openapi.json';

/**
 * Answers 405 with Allow to a method that the document does not take, with a key and without. What no route takes under
 * /api/v1 is left to that scope: register it there, before authenticate.
 */
export const documentMethods = fp(
  (api, _options, done) => {
    api.addHook('onRequest', (request, _reply, next) => {
      if (request.is404 && pathOf(request) === DOCUMENT_PATH) {
        throw new ApiError('METHOD_NOT_ALLOWED', { headers: { allow: 'GET, HEAD' } });
      }
      next();
    });
    done();
  },
  { name: 'document-methods' },
);

type Reference = { readonly text: string; readonly etag: string };

function sendRevalidated(request: FastifyRequest, reply: FastifyReply, { text, etag }: Reference) {
  reply.header('etag', etag).header('cache-control', 'no-cache');
  const known = (request.headers['if-none-match'] ?? '')
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''));
  if (known.includes(etag) || known.includes('*')) return reply.code(304).send();
  return reply.type('application/json; charset=utf-8').send(text);
}

function prepare(document: OpenApiDocument): Reference {
  const text = JSON.stringify(document);
  return { text, etag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"` };
}
