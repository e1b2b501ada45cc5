import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import {
  type FastifyBaseLogger,
  type FastifyHttpOptions,
  type FastifyInstance,
  type FastifyRequest,
  LogController,
} from 'fastify';
import fp from 'fastify-plugin';
import { createTrustedProxies, normalizeAddress } from '@smartlink/process/client-address';
import { UNKNOWN_COUNTRY } from '@smartlink/smartlink/model';
import { openCountries, readEdgeCountry } from '@smartlink/visits/countries';
import type { Config } from '../config.js';
import { answerClientError } from '../envelope.js';
import { ApiError } from '../errors.js';
import { headerValues, parseJsonBody } from '../requests.js';
import { announcesBody, limitBodyTimes, type Upload } from './uploads.js';

const BODY_BYTES_MAX = 1024 * 1024;
// The server ends incomplete headers at its next check after 10 s, after 15 s at the latest.
const HEADERS_TIMEOUT_MS = 10_000;
const CONNECTIONS_CHECK_INTERVAL_MS = 2_000;
const KEEP_ALIVE_TIMEOUT_MS = 30_000;
// Longer than any request takes without a byte of its answer. Ends answers that the client does not read.
const STALLED_TIMEOUT_MS = 120_000;
// For requests in progress at shutdown; installShutdown's deadline is later.
const GRACE_MS = 10_000;

export const OPENAPI_PATH = '/api/v1/openapi.json';

const neverUsed = () => () => {
  throw new Error('A route has a schema of Fastify');
};

/** Limits and request handling of the server, for fastify(). `keepsRequestId`: that of the caller, as in the thread. */
export function serverOptions(
  log: FastifyBaseLogger,
  { keepsRequestId }: { readonly keepsRequestId: boolean },
): FastifyHttpOptions<Server> {
  return {
    loggerInstance: log,
    // Fastify's own lines hold the URL with its query; logRequests writes one without.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: (req) => (keepsRequestId ? String(req.headers['x-request-id']) : randomUUID()),
    bodyLimit: BODY_BYTES_MAX,
    // Bodies have times of their own.
    requestTimeout: 0,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    connectionTimeout: STALLED_TIMEOUT_MS,
    forceCloseConnections: 'idle',
    // Requests on open connections are still answered while closing, with `connection: close`.
    return503OnClosing: false,
    clientErrorHandler: answerClientError,
    // Operations check their input by zod. Fastify would load its own compilers, a twentieth of a start.
    schemaController: { compilersFactory: { buildValidator: neverUsed, buildSerializer: neverUsed } },
    // Loading a large blocklist takes longer than the default of 10 s.
    pluginTimeout: 0,
    http: {
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: CONNECTIONS_CHECK_INTERVAL_MS,
      // requireHost does this: Node's own refusal is not in the envelope.
      requireHostHeader: false,
    },
    rewriteUrl: ({ url = '/' }) => (isDecodable(url) ? url : undecodablePath(url)),
  };
}

/** Connections, bodies, the headers and the log line of every answer, and CORS for the listed origins. */
export const http = fp<{ origins: readonly string[]; isHttps: boolean; isThread: boolean }>(
  (app, { origins, isHttps, isThread }, done) => {
    // Expectations other than 100-continue are ignored (RFC 9110, 10.1.1); Node would answer without a body.
    app.server.on('checkExpectation', (req, res) => app.server.emit('request', req, res));
    closeConnections(app);
    readBodies(app);
    setAnswerHeaders(app, isHttps);
    requireHost(app);
    if (!isThread) {
      limitBodyTimes(app);
      logRequests(app);
    }
    if (origins.length > 0) allowOrigins(app, new Set(origins));
    done();
  },
  { name: 'http' },
);

declare module 'fastify' {
  interface FastifyInstance {
    /** The client's address, in the form of `normalizeAddress`. */
    clientAddress: (request: FastifyRequest) => string;
    /** The client's country, ISO 3166-1 alpha-2; null if unknown. */
    clientCountry: (request: FastifyRequest) => string | null;
  }
}

export const clientAddress = fp<{ config: Config }>(
  (app, { config }, done) => {
    const proxies = createTrustedProxies(config.TRUSTED_PROXIES);
    const lookUpCountry = openCountries(config.COUNTRY_DATABASE);
    const peerOf = (request: FastifyRequest) => normalizeAddress(request.raw.socket.remoteAddress ?? '');
    app.decorate('clientAddress', (request) =>
      proxies.findClient(peerOf(request), headerValues(request, 'x-forwarded-for')),
    );
    app.decorate('clientCountry', (request) => {
      const [named = ''] = proxies.trusts(peerOf(request))
        ? headerValues(request, config.COUNTRY_HEADER)
        : [];
      const known = readEdgeCountry(named);
      const [country] = known === UNKNOWN_COUNTRY ? lookUpCountry(app.clientAddress(request)) : [known];
      return country === UNKNOWN_COUNTRY ? null : country;
    });
    done();
  },
  { name: 'client-address' },
);

/**
 * Closes connections when the service closes: idle ones at once, the others after their answer, all of them after 10 s.
 * Node's closeIdleConnections skips connections that have never sent a request and those that were busy when it was
 * called; each would hold the process until its own timeout.
 */
function closeConnections(app: FastifyInstance): void {
  const idle = new Set<Socket>();
  let isClosing = false;
  let grace: NodeJS.Timeout | undefined;

  app.server.on('connection', (socket) => {
    idle.add(socket);
    socket.once('close', () => idle.delete(socket));
  });
  app.server.on('request', ({ socket }, res) => {
    idle.delete(socket);
    res.once('close', () => {
      if (isClosing) socket.end();
      else if (!socket.destroyed) idle.add(socket);
    });
  });
  app.addHook('preClose', (next) => {
    isClosing = true;
    for (const socket of idle) socket.destroy();
    grace = setTimeout(() => {
      app.server.closeAllConnections();
    }, GRACE_MS);
    next();
  });
  app.addHook('onClose', () => {
    clearTimeout(grace);
  });
}

// Bodies stay bytes until a route's turn comes: large ones are parsed in the thread of heavy requests.
function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    done(null, body);
  });
}

/** Parses the bodies of all routes. */
export const parsedBodies = fp(
  (app, _options, done) => {
    app.addHook('preHandler', (request, _reply, next) => {
      if (Buffer.isBuffer(request.body)) request.body = parseJsonBody(request.body);
      next();
    });
    done();
  },
  { name: 'parsed-bodies' },
);

function setAnswerHeaders(app: FastifyInstance, isHttps: boolean): void {
  app.addHook('onRequest', (request, reply, next) => {
    reply.header('x-request-id', request.id);
    reply.header('cache-control', 'no-store');
    reply.header('x-content-type-options', 'nosniff');
    // Routes that send pages have policies of their own.
    reply.header('content-security-policy', "default-src 'none'; frame-ancestors 'none'");
    // A page of a sibling site gets the cookie sent, too: it can neither embed an answer nor tell whether there is one.
    reply.header('cross-origin-resource-policy', 'same-origin');
    if (isHttps) reply.header('strict-transport-security', 'max-age=31536000');
    next();
  });
}

/** RFC 9112, 3.2. The connection is closed, as after other requests that are not valid HTTP. */
function requireHost(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, next) => {
    if (request.raw.httpVersion === '1.1' && request.raw.headers.host === undefined) {
      reply.header('connection', 'close');
      throw new ApiError('VALIDATION_FAILED', { message: 'The Host header is missing' });
    }
    next();
  });
}

/** One line per request, without URL, query, body or key. */
function logRequests(app: FastifyInstance): void {
  const routeOf = (request: FastifyRequest): string => request.routeOptions.url ?? 'unknown';
  app.addHook('onResponse', (request, reply, next) => {
    request.log.info(
      {
        method: request.method,
        route: routeOf(request),
        status: reply.statusCode,
        durationMs: Math.round(reply.elapsedTime * 10) / 10,
        userId: request.principal?.userId,
      },
      'request answered',
    );
    next();
  });
  app.addHook('onRequestAbort', (request, next) => {
    const { method } = request;
    request.log.info({ method, route: routeOf(request) }, 'client disconnected before the answer');
    next();
  });
}

const CORS_HEADERS = {
  'access-control-expose-headers':
    'ETag, Link, Location, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, X-Next-Cursor, X-Request-Id, X-Search, X-Total-Count',
};
const PREFLIGHT_HEADERS = {
  'access-control-allow-methods': 'GET, HEAD, POST, PATCH, DELETE',
  'access-control-allow-headers': 'Authorization, Content-Type, If-Match, Idempotency-Key',
  'access-control-max-age': '600',
};

/**
 * Preflights are answered before authentication, since browsers send no key with them. Credentials are never allowed:
 * keys travel in a header, not in cookies.
 */
function allowOrigins(app: FastifyInstance, allowed: ReadonlySet<string>): void {
  app.addHook('onRequest', (request, reply, next) => {
    reply.header('vary', 'Origin');
    const { origin } = request.headers;
    if (origin === undefined || !allowed.has(origin)) {
      next();
      return;
    }
    reply.headers({ 'access-control-allow-origin': origin, ...CORS_HEADERS });
    if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) {
      next();
      return;
    }
    reply.code(204).headers(PREFLIGHT_HEADERS).send();
  });
}

/**
 * Refuses requests that no route takes, before a body is read: an unknown path (404), a known path with another method
 * (405 with Allow), a body other than plain JSON in UTF-8 (415). Register it after authentication and before the routes.
 */
export const routing = fp(
  (app, _options, done) => {
    const methodsByPath = new Map<string, string[]>();
    app.addHook('onRoute', (route) => {
      const methods = methodsByPath.get(route.url) ?? [];
      methods.push(...[route.method].flat());
      methodsByPath.set(route.url, methods);
    });
    app.addHook('onRequest', (request, _reply, next) => {
      if (request.is404) throw routeError(methodsByPath.get(pathOf(request)));
      const { upload } = request.routeOptions.config;
      if (hasBody(request)) {
        if (upload === undefined) requirePlainJson(request);
        else requireUpload(request, upload);
      }
      next();
    });
    app.setNotFoundHandler(() => {
      throw routeError(undefined);
    });
    done();
  },
  { name: 'routing' },
);

/**
 * Answers 405 to other methods of the OpenAPI document, with or without a key. The document is outside the scope of
 * /api/v1, but its other methods are inside: register this there, before authentication.
 */
export const documentMethods = fp(
  (api, _options, done) => {
    api.addHook('onRequest', (request, _reply, next) => {
      if (request.is404 && pathOf(request) === OPENAPI_PATH) throw routeError(['GET', 'HEAD']);
      next();
    });
    done();
  },
  { name: 'document-methods' },
);

function routeError(methods: readonly string[] | undefined): ApiError {
  if (methods === undefined) return new ApiError('NOT_FOUND', { message: 'Route not found' });
  return new ApiError('METHOD_NOT_ALLOWED', { headers: { allow: [...new Set(methods)].sort().join(', ') } });
}

/** The decoded path without its query, as routes know it; empty if it cannot be decoded. */
function pathOf(request: FastifyRequest): string {
  const path = request.url.split('?', 1)[0] ?? '';
  return isDecodable(path) ? decodeURI(path) : '';
}

function isDecodable(url: string): boolean {
  try {
    decodeURI(url.split('?', 1)[0] ?? '');
    return true;
  } catch {
    return false;
  }
}

/** A path without a route, so that an undecodable URL gets the 404 of its scope. */
function undecodablePath(url: string): string {
  return url.startsWith('/api/v1/') ? '/api/v1/-/undecodable' : '/-/undecodable';
}

function hasBody(request: FastifyRequest): boolean {
  return request.method !== 'GET' && request.method !== 'HEAD' && announcesBody(request);
}

function requireUpload(request: FastifyRequest, { types }: Upload): void {
  requireNoEncoding(request);
  const [type = ''] = (request.headers['content-type'] ?? '').split(';', 1);
  if (types.includes(type.trim().toLowerCase())) return;
  throw new ApiError('UNSUPPORTED_MEDIA_TYPE', {
    message: `Content-Type must be one of ${types.join(', ')}`,
  });
}

function requireNoEncoding(request: FastifyRequest): void {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE', { message: 'Content-Encoding is not supported' });
  }
}

function requirePlainJson(request: FastifyRequest): void {
  requireNoEncoding(request);
  const [type, ...parameters] = (request.headers['content-type'] ?? '').split(';').map((part) => part.trim());
  if (type?.toLowerCase() !== 'application/json') throw new ApiError('UNSUPPORTED_MEDIA_TYPE');
  for (const parameter of parameters) {
    const [name, value] = parameter.split('=', 2);
    if (name?.toLowerCase() === 'charset' && value?.replaceAll('"', '').toLowerCase() !== 'utf-8') {
      throw new ApiError('UNSUPPORTED_MEDIA_TYPE', { message: 'The charset must be utf-8' });
    }
  }
}
