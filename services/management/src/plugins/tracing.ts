import { randomUUID } from 'node:crypto';
import fp from 'fastify-plugin';
import type { Logger } from '@smartlink/process/logger';
import type { Tracing } from '../tracing/start-tracing.js';

declare module 'fastify' {
  interface FastifyInstance {
    /** Null while traces are off. */
    tracer: Tracing['tracer'] | null;
  }
}

type Options = {
  /** Undefined turns traces off. */
  readonly endpoint: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  readonly sampledRatio: number;
  readonly log: Logger;
};

/** Starts tracing where a collector is named, puts the trace's id on a request's log lines, and ends it last. */
export default fp<Options>(
  async (app, { endpoint, ...options }) => {
    if (endpoint === undefined) {
      app.decorate('tracer', null);
      return;
    }
    // Loaded only here: it is some megabytes that nobody else needs.
    const { startTracing } = await import('../tracing/start-tracing.js');
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
