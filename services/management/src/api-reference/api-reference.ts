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
        if (each !== 'HEAD')
          routes.push({ method: each, path: url, operation: config?.operation, access: config?.access });
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

// Swagger UI's page has neither; without a viewport a phone draws it 980 pixels wide.
const HEAD_TAGS =
  '<meta name="viewport" content="width=device-width, initial-scale=1">\n' +
  '<meta name="color-scheme" content="light dark">\n';

// Swagger UI's dark colours need a class, which its own switch sets; that belongs to the bar that is not shown.
const SCHEME_SCRIPT = `const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();
`;

// Beside Swagger UI's own style.
const PAGE_CSS = `
/* Before the script has set the class. */
@media (prefers-color-scheme: dark) { html { background: #1c2022; } }

/* On a phone the table of codes is wider than the page, which does not scroll sideways. Its cells have no padding, so the
   longest code touches its text. */
.swagger-ui .info table { display: block; overflow-x: auto; }
.swagger-ui .info td, .swagger-ui .info th { padding-right: 16px; }
/* No answer has links. */
.swagger-ui .response-col_links { display: none; }
.swagger-ui .response .headers { display: block; overflow-x: auto; }
.swagger-ui select { max-width: 100%; }

/* Swagger UI's own colours of these are below 4.5:1. */
@media (prefers-color-scheme: light) {
  .swagger-ui .info .title small { background: #555d6b; }
  .swagger-ui .info .title small.version-stamp { background: #46700a; }
  .swagger-ui .info a, .swagger-ui .info a .url, .swagger-ui a.link { color: #1b5fb0; }
  .swagger-ui .btn.authorize, .swagger-ui .btn.authorize span { border-color: #1a7a4c; color: #1a7a4c; }
  .swagger-ui .btn.authorize svg { fill: #1a7a4c; }
  .swagger-ui .btn.cancel { border-color: #c62828; color: #c62828; }
  .swagger-ui .btn.execute { border-color: #1b5fb0; background: #1b5fb0; }
  .swagger-ui .opblock .opblock-summary-method { color: #000; text-shadow: none; }
  .swagger-ui .opblock .renderedMarkdown code { color: #7a0ad9; }
  .swagger-ui .parameter__in, .swagger-ui table.headers .header-example,
  .swagger-ui .json-schema-2020-12-expand-deep-button { color: #595959; }
  .swagger-ui .response-control-media-type__accept-message,
  .swagger-ui .response-control-media-type__accept-message code { color: #006000; }
}
@media (prefers-color-scheme: dark) {
  html.dark-mode .swagger-ui .opblock .opblock-section-header .try-out__btn.cancel { color: #ff8a8a; }
  .swagger-ui .examples-select__section-label, .swagger-ui table.headers td { color: #e4e6e6; }
  .swagger-ui table.headers .header-example { color: #b7bcbf; }
}

/* Cells that stand side by side on a desktop stand below each other. */
@media (max-width: 48rem) {
  .swagger-ui .responses-table > thead, .swagger-ui .parameters > thead { display: none; }
  .swagger-ui .responses-table, .swagger-ui .responses-table > tbody, .swagger-ui .responses-table > tbody > tr,
  .swagger-ui .responses-table > tbody > tr > td:not(.response-col_links),
  .swagger-ui .parameters, .swagger-ui .parameters > tbody, .swagger-ui .parameters > tbody > tr,
  .swagger-ui .parameters > tbody > tr > td {
    display: block; width: auto; max-width: none; min-width: 0;
  }
  .swagger-ui .responses-table > tbody > tr > td, .swagger-ui .parameters > tbody > tr > td { padding: 8px 0 0; }
  .swagger-ui .response-controls, .swagger-ui .opblock-section-header { flex-wrap: wrap; }
  .swagger-ui .model-box { max-width: 100%; overflow-x: auto; }
}
`;

/** Serves the document as a page at /docs, with a form for every operation. */
async function referencePage(app: FastifyInstance): Promise<void> {
  app.addHook('onSend', (_request, reply, payload, next) => {
    reply.header('content-security-policy', CONTENT_SECURITY_POLICY);
    reply.header('referrer-policy', 'no-referrer');
    const isPage =
      typeof payload === 'string' && String(reply.getHeader('content-type')).startsWith('text/html');
    next(null, isPage ? payload.replace('<title>', () => `${HEAD_TAGS}<title>`) : payload);
  });
  // The page's plugin requires this one and a document at the start; `toOneDocument` redirects to the real one.
  await app.register(swagger, {
    mode: 'static',
    specification: { document: { openapi: '3.1.1', info: { title: '', version: '' }, paths: {} } },
  });
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    theme: {
      title: 'Smartlink API',
      css: [{ filename: 'page.css', content: PAGE_CSS }],
      js: [{ filename: 'scheme.js', content: SCHEME_SCRIPT }],
    },
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
