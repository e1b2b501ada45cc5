import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from '@smartlink/process/lifecycle';
import { sendFailure } from '../envelope.js';
import { ApiError } from '../errors.js';

// Built by `dashboard/build.mjs`; this file is as deep in `src` as in `dist`.
const BUILT = fileURLToPath(new URL('../../../../dashboard/dist/', import.meta.url));
const ASSETS = `${BUILT}assets`;
const YEAR_SECONDS = 31_536_000;

type DashboardOptions = { readonly publicBaseUrl: string; readonly log: Logger };

/**
 * The dashboard: its files under /dashboard/assets/, whose names change with their content, and its page at every other
 * address below /dashboard and at /welcome, where one-time links lead.
 */
export async function dashboard(
  app: FastifyInstance,
  { publicBaseUrl, log }: DashboardOptions,
): Promise<void> {
  const shell = readShell();
  if (shell === null) {
    log.warn({ folder: BUILT }, 'dashboard is not built');
    return;
  }
  const headers = shellHeaders(publicBaseUrl);
  const assets = new Set(readdirSync(ASSETS).filter((name) => !/\.(br|gz)$/.test(name)));
  await app.register(fastifyStatic, {
    root: ASSETS,
    serve: false,
    preCompressed: true,
    index: false,
    cacheControl: false,
    setHeaders: (reply) => {
      reply.header('cache-control', `public, max-age=${YEAR_SECONDS}, immutable`);
    },
  });

  function sendShell(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    if (!acceptsHtml(request))
      return sendFailure(reply, new ApiError('NOT_FOUND', { message: 'Route not found' }));
    reply.headers(headers).header('etag', shell?.etag).header('vary', 'Accept');
    if (request.headers['if-none-match']?.replace(/^W\//, '') === shell?.etag) return reply.code(304).send();
    return reply.type('text/html; charset=utf-8').send(shell?.html);
  }

  // Only names of built files reach the file system. A route for each of them took 150 ms of a start.
  app.get<{ Params: { '*': string } }>('/dashboard/assets/*', ({ params: { '*': name } }, reply) => {
    if (assets.has(name)) return reply.sendFile(name);
    reply.callNotFound();
    return reply;
  });
  app.get('/', (_request, reply) => reply.redirect('/dashboard/'));
  for (const path of ['/dashboard', '/dashboard/*', '/welcome']) app.get(path, sendShell);
}

/** Null: the dashboard is not built. */
function readShell(): { readonly html: string; readonly etag: string } | null {
  try {
    const html = readFileSync(`${BUILT}index.html`, 'utf8');
    return { html, etag: `"${createHash('sha256').update(html).digest('base64url').slice(0, 22)}"` };
  } catch {
    return null;
  }
}

const acceptsHtml = ({ headers: { accept = '*/*' } }: FastifyRequest): boolean =>
  /text\/html|\*\/\*/.test(accept);

function shellHeaders(publicBaseUrl: string): Readonly<Record<string, string>> {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    // QR codes are drawn in the browser, and pages of links show their pictures.
    `img-src 'self' data: blob: ${publicBaseUrl}`,
    "connect-src 'self'",
    "frame-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ];
  return {
    'content-security-policy': policy.join('; '),
    'cache-control': 'no-cache',
    'cross-origin-opener-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
  };
}
