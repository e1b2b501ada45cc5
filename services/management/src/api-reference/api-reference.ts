import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import fp from 'fastify-plugin';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { onFirstCall } from '../on-first-call.js';
import routing from '../plugins/routing.js';
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
    const reference = onFirstCall(() => prepare(createOpenApiDocument(app.apiRoutes, readVersion())));
    // A scope of its own beside that of /api/v1, which lets nobody in without a key.
    await app.register((scope) => documentRoute(scope, reference), { prefix: DOCUMENT_PATH });
    await app.register(referencePage, { documentPath: DOCUMENT_PATH });
  },
  { name: 'api-reference', dependencies: ['documented-routes'] },
);

const DOCUMENT_PATH = '/api/v1/openapi.json';

type Reference = { readonly text: string; readonly etag: string };

async function documentRoute(scope: FastifyInstance, reference: () => Reference): Promise<void> {
  await scope.register(routing);
  scope.get('', { config: { operation: readReferenceOperation } }, (request, reply) =>
    sendRevalidated(request, reply, reference()),
  );
}

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

/** The version of the service, which is that of its package. */
function readVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
