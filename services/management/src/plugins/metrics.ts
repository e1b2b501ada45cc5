import type { IncomingHttpHeaders } from 'node:http';
import fp from 'fastify-plugin';
import { Gauge, Registry, collectDefaultMetrics } from 'prom-client';
import { readPackageVersion } from '@smartlink/process/package-version';
import type { RollupObserver } from '../analytics/analytics.js';
import { ApiError } from '../errors.js';
import { measureEngines } from '../metrics/engine-metrics.js';
import { observeGuards } from '../metrics/guard-metrics.js';
import type { GuardMetrics } from '../metrics/guard-metrics.js';
import { measureOutboxInto, observePublishing } from '../metrics/publish-metrics.js';
import { measureRequests } from '../metrics/request-metrics.js';
import { observeRollups } from '../metrics/rollup-metrics.js';
import type { OutboxObserver } from '../smartlinks/smartlinks.js';

declare module 'fastify' {
  interface FastifyInstance {
    metrics: Metrics;
  }
}

export type Metrics = GuardMetrics & {
  readonly registry: Registry;
  readonly outboxObserver: OutboxObserver;
  readonly rollupObserver: RollupObserver;
};

/** Measures requests, publishing and the engines' connections, and serves the figures at /-/metrics for Prometheus. */
export default fp(
  (app, _options, done) => {
    const registry = new Registry();
    collectDefaultMetrics({ register: registry });
    showBuild(registry);
    measureRequests(app, registry);
    measureEngines(registry, app);
    const outboxObserver = observePublishing(registry);
    measureOutboxInto(registry, app.pg);
    app.decorate('metrics', {
      ...observeGuards(registry),
      registry,
      outboxObserver,
      rollupObserver: observeRollups(registry),
    });
    app.get('/-/metrics', async (request, reply) => {
      // Prometheus asks on the internal network. Who comes through a proxy comes from outside, by an edge that publishes
      // more than it should.
      if (cameThroughProxy(request.headers)) throw new ApiError('NOT_FOUND', { message: 'Route not found' });
      const text = await registry.metrics();
      return reply.type(registry.contentType).send(text);
    });
    done();
  },
  { name: 'metrics', dependencies: ['postgres', 'redis', 'clickhouse'] },
);

const PROXY_HEADERS = ['forwarded', 'via', 'x-forwarded-for', 'x-real-ip'];

function cameThroughProxy(headers: IncomingHttpHeaders): boolean {
  return PROXY_HEADERS.some((name) => headers[name] !== undefined);
}

function showBuild(registry: Registry): void {
  new Gauge({
    name: 'smartlink_build_info',
    help: 'Always 1; what runs is in the labels',
    labelNames: ['service', 'version', 'node'],
    registers: [registry],
  }).set(
    {
      service: 'management',
      version: readPackageVersion(new URL('../../package.json', import.meta.url)),
      node: process.version,
    },
    1,
  );
}
