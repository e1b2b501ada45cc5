import fp from 'fastify-plugin';
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../errors.js';

/**
 * Refuses what no route takes, before a body is read: an unknown path (404), a known path with another method (405
 * with Allow), a body that is not plain JSON in UTF-8 (415). Register it after authentication and before the routes.
 */
export default fp(
  (app, _options, done) => {
    const methodsByPath = new Map<string, string[]>();
    app.addHook('onRoute', (route) => {
      const methods = methodsByPath.get(route.url) ?? [];
      methods.push(...[route.method].flat());
      methodsByPath.set(route.url, methods);
    });
    app.addHook('onRequest', (request, _reply, next) => {
      if (request.is404) throw routeError(methodsByPath.get(pathOf(request)));
      if (hasBody(request)) requirePlainJson(request);
      next();
    });
    app.setNotFoundHandler(() => {
      throw routeError(undefined);
    });
    done();
  },
  { name: 'routing' },
);

function routeError(methods: readonly string[] | undefined): ApiError {
  if (methods === undefined) return new ApiError('NOT_FOUND', { message: 'Route not found' });
  return new ApiError('METHOD_NOT_ALLOWED', { headers: { allow: [...new Set(methods)].sort().join(', ') } });
}

/** Returns the path of a request as routes know it, without escapes and query; empty for one that is no URL. */
export function pathOf(request: FastifyRequest): string {
  const path = request.url.split('?', 1)[0] ?? '';
  try {
    return decodeURI(path);
  } catch {
    return '';
  }
}

function hasBody(request: FastifyRequest): boolean {
  if (request.method === 'GET' || request.method === 'HEAD') return false;
  const length = request.headers['content-length'];
  return request.headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

function requirePlainJson(request: FastifyRequest): void {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE', { message: 'Content-Encoding is not supported' });
  }
  const [type, ...parameters] = (request.headers['content-type'] ?? '').split(';').map((part) => part.trim());
  if (type?.toLowerCase() !== 'application/json') throw new ApiError('UNSUPPORTED_MEDIA_TYPE');
  for (const parameter of parameters) {
    const [name, value] = parameter.split('=', 2);
    if (name?.toLowerCase() === 'charset' && value?.replaceAll('"', '').toLowerCase() !== 'utf-8') {
      throw new ApiError('UNSUPPORTED_MEDIA_TYPE', { message: 'The charset must be utf-8' });
    }
  }
}
