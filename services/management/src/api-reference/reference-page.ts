import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

// Everything the page needs comes from here: it works on a machine that reaches nothing else, and tells nobody who
// reads it.
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

// On a phone the table of codes is wider than the page, which does not scroll sideways; and its cells have no space
// between them, so that the longest code touches its text.
const TABLE_CSS =
  '.swagger-ui .info table { display: block; overflow-x: auto; }\n' +
  '.swagger-ui .info td, .swagger-ui .info th { padding-right: 16px; }';

/** Serves the document at `documentPath` as a page at /docs, with a form for every operation. */
export async function referencePage(
  app: FastifyInstance,
  { documentPath }: { documentPath: string },
): Promise<void> {
  app.addHook('onSend', (_request, reply, payload, next) => {
    reply.header('content-security-policy', CONTENT_SECURITY_POLICY);
    reply.header('referrer-policy', 'no-referrer');
    next(null, payload);
  });
  // The page's plugin wants this one, and a document at the start; `toOneDocument` leads to the real one.
  await app.register(swagger, {
    mode: 'static',
    specification: { document: { openapi: '3.1.1', info: { title: '', version: '' }, paths: {} } },
  });
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    theme: { title: 'Smartlink API', css: [{ filename: 'table.css', content: TABLE_CSS }] },
    uiHooks: { onRequest: toOneDocument },
    uiConfig: {
      // Without the bar that loads documents from elsewhere.
      layout: 'BaseLayout',
      deepLinking: true,
      displayRequestDuration: true,
      persistAuthorization: false,
      defaultModelsExpandDepth: 0,
    },
  });

  function toOneDocument(request: FastifyRequest, reply: FastifyReply, next: () => void): void {
    const { url } = request.routeOptions;
    if (url === '/docs/json') reply.redirect(documentPath);
    // The page looks for its document beside its own address, where a query would be in the way.
    else if (request.url.includes('?')) reply.redirect('/docs/');
    else if (url === '/docs/yaml') reply.callNotFound();
    else next();
  }
}
