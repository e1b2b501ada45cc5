import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { FastifyInstance } from 'fastify';

/**
 * Returns what `start` returns, and every route under /api/v1 that was made meanwhile, as `GET /smartlink`. Fastify says
 * on a diagnostics channel that an instance was made, before anything is registered on it.
 */
export async function recordRoutes<T>(
  start: () => Promise<T>,
): Promise<{ started: T; routes: readonly string[] }> {
  const routes = new Set<string>();
  const onInstance = (message: unknown): void => {
    (message as { fastify: FastifyInstance }).fastify.addHook('onRoute', ({ method, url }) => {
      if (!url.startsWith('/api/v1/')) return;
      for (const one of [method].flat()) routes.add(`${one} ${url.slice('/api/v1'.length)}`);
    });
  };
  subscribe('fastify.initialization', onInstance);
  try {
    return { started: await start(), routes: [...routes].sort() };
  } finally {
    unsubscribe('fastify.initialization', onInstance);
  }
}
