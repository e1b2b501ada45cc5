import { createHash } from 'node:crypto';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { z } from 'zod';
import { readPackageVersion } from '@smartlink/process/lifecycle';
import { type ApiRoute, onFirstCall, type Operation } from '../operation.js';
import { OPENAPI_PATH } from '../plugins/http.js';
import { createOpenApiDocument, type OpenApiDocument } from './openapi-document.js';

/**
 * Serves the OpenAPI document at /api/v1/openapi.json and its page at /docs, both without a key. Register it after every
 * route of the document.
 */
export const apiReference = fp(
  async (app) => {
    // Made on demand: it takes longer than the rest of the start, and most processes never need it.
    const reference = onFirstCall(() =>
      prepare(
        createOpenApiDocument(
          app.apiRoutes,
          readPackageVersion(new URL('../../package.json', import.meta.url)),
        ),
      ),
    );
    // Outside the scope of /api/v1, which requires a key.
    app.get(OPENAPI_PATH, { config: { operation: readReferenceOperation } }, (request, reply) =>
      sendRevalidated(request, reply, reference()),
    );
    await app.register(referencePage);
  },
  { name: 'api-reference', dependencies: ['documented-routes'] },
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

function readReferenceOperation(): Operation {
  return {
    operationId: 'readReference',
    summary: 'Read this document',
    description:
      'The OpenAPI 3.1 document of the API, made from the schemas that check requests. It needs no key and does not count ' +
      'towards the rate limit.',
    tag: 'Reference',
    isPublic: true,
    headers: z.object({
      'If-None-Match': z.string().optional().meta({ description: 'An `ETag` of this document.' }),
    }),
    success: {
      status: 200,
      description: 'The document.',
      headers: ['ETag'],
      otherContent: {
        'application/json': {
          schema: z.looseObject({
            openapi: z.string(),
            info: z.looseObject({ title: z.string(), version: z.string() }),
            paths: z.looseObject({}),
          }),
          examples: {
            document: {
              summary: 'The first members',
              value: {
                openapi: '3.1.1',
                info: { title: 'Smartlink Management API', version: '1' },
                paths: {},
              },
            },
          },
        },
      },
      isRevalidated: true,
    },
    // For other methods of the path, which are not operations.
    errors: { METHOD_NOT_ALLOWED: {} },
  };
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Every route under /api/v1 so far, except the HEAD of each GET. */
    apiRoutes: readonly ApiRoute[];
  }
}

/** Collects the routes under /api/v1 with their documentation. Register it before them. */
export const documentedRoutes = fp(
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

// The page loads everything from this service, so it works offline and contacts no third party.
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

// On a phone the table of codes is wider than the page, which does not scroll sideways. Its cells have no padding, so the
// longest code touches its text.
const TABLE_CSS =
  '.swagger-ui .info table { display: block; overflow-x: auto; }\n' +
  '.swagger-ui .info td, .swagger-ui .info th { padding-right: 16px; }';

/** Serves the document as a page at /docs, with a form for every operation. */
async function referencePage(app: FastifyInstance): Promise<void> {
  app.addHook('onSend', (_request, reply, payload, next) => {
    reply.header('content-security-policy', CONTENT_SECURITY_POLICY);
    reply.header('referrer-policy', 'no-referrer');
    next(null, payload);
  });
  // The page's plugin requires this one and a document at the start; `toOneDocument` redirects to the real one.
  await app.register(swagger, {
    mode: 'static',
    specification: { document: { openapi: '3.1.1', info: { title: '', version: '' }, paths: {} } },
  });
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    theme: { title: 'Smartlink API', css: [{ filename: 'table.css', content: TABLE_CSS }] },
    uiHooks: { onRequest: toOneDocument },
    uiConfig: {
      // Without the bar that loads other documents.
      layout: 'BaseLayout',
      deepLinking: true,
      displayRequestDuration: true,
      persistAuthorization: false,
      defaultModelsExpandDepth: 0,
    },
  });

  function toOneDocument(request: FastifyRequest, reply: FastifyReply, next: () => void): void {
    const { url } = request.routeOptions;
    if (url === '/docs/json') reply.redirect(OPENAPI_PATH);
    // The page loads its document relative to its own URL; a query would break that.
    else if (request.url.includes('?')) reply.redirect('/docs/');
    else if (url === '/docs/yaml') reply.callNotFound();
    else next();
  }
}
