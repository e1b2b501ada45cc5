import { randomUUID } from 'node:crypto';
import fp from 'fastify-plugin';
import type { Logger } from '@smartlink/process/lifecycle';
import type { Tracing } from './opentelemetry.js';

declare module 'fastify' {
  interface FastifyInstance {
    /** null while tracing is off. */
    tracer: Tracing['tracer'] | null;
  }
}

type Options = {
  /** undefined turns tracing off. */
  readonly endpoint: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  readonly sampledRatio: number;
  readonly log: Logger;
};

/** Starts tracing if a collector is configured, adds trace ids to the log lines of requests, and stops last. */
export const tracing = fp<Options>(
  async (app, { endpoint, ...options }) => {
    if (endpoint === undefined) {
      app.decorate('tracer', null);
      return;
    }
    // Loaded only here: it takes some megabytes.
    const { startTracing } = await import('./opentelemetry.js');
    const tracing = startTracing({ ...options, endpoint, instanceId: randomUUID() });
    app.decorate('tracer', tracing.tracer);
    app.addHook('onClose', tracing.close);
    await app.register(tracing.plugin);
    app.addHook('onRequest', (request, reply, next) => {
      const traceId = request.opentelemetry().span?.spanContext().traceId;
      if (traceId !== undefined) {
        request.log = request.log.child({ traceId });
        reply.log = request.log;
      }
      next();
    });
  },
  { name: 'tracing' },
);
