import { createRequire } from 'node:module';
import { FastifyOtelInstrumentation } from '@fastify/otel';
import { context, propagation, trace } from '@opentelemetry/api';
import type { Tracer } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  NodeTracerProvider,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-node';
import type { SpanExporter } from '@opentelemetry/sdk-trace-node';
import { ATTR_SERVICE_INSTANCE_ID, ATTR_SERVICE_NAME } from '@opentelemetry/semantic-conventions';
import type { FastifyPluginCallback } from 'fastify';
import type { Logger } from '@smartlink/process/logger';
import { withTimeLimit } from '../time-limit.js';
import { traceRedisCommands } from './trace-redis-commands.js';

const EXPORT_LIMIT_MS = 5_000;
// Behind the 10 s that requests under way may take, within the 12 s of a stop.
const CLOSE_LIMIT_MS = 1_500;
// What does not fit while a collector is away is dropped: no request waits for it.
const QUEUED_SPANS_MAX = 2_048;

export type TracingOptions = {
  /** Address of a collector that takes OTLP over HTTP; `/v1/traces` is put behind it. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  /** Part of the requests that are traced, 0 to 1. What the caller's traceparent says goes first. */
  readonly sampledRatio: number;
  readonly instanceId: string;
  readonly log: Logger;
};

export type Tracing = {
  readonly tracer: Tracer;
  /** Makes a span of every request of the application it is registered with. */
  readonly plugin: FastifyPluginCallback;
  /** Sends what is queued, 1.5 s at most, and takes every hook back. Never rejects. */
  readonly close: () => Promise<void>;
};

/**
 * Starts OpenTelemetry for this process: requests, and what they ask of Postgres, ClickHouse (whose client is handed the
 * tracer) and Redis. Statements are in spans as they are written, with placeholders; their values are not, nor are keys of
 * Redis, query strings, or messages of errors, which may hold what a user has sent.
 */
export function startTracing(options: TracingOptions): Tracing {
  const { endpoint, headers, serviceName, sampledRatio, instanceId, log } = options;
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/$/, '')}/v1/traces`,
    headers: { ...headers },
    timeoutMillis: EXPORT_LIMIT_MS,
  });
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({
      [ATTR_SERVICE_NAME]: serviceName,
      [ATTR_SERVICE_INSTANCE_ID]: instanceId,
    }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(sampledRatio) }),
    spanProcessors: [new BatchSpanProcessor(tellOutages(exporter, log), { maxQueueSize: QUEUED_SPANS_MAX })],
  });
  provider.register();
  const tracer = provider.getTracer('smartlink');
  const postgres = instrumentPostgres(provider);
  const redis = traceRedisCommands(tracer);
  const requests = new FastifyOtelInstrumentation({
    instrumentHooks: false,
    instrumentHandler: false,
    recordExceptions: false,
    requestHook(span, request) {
      const route = request.routeOptions.url ?? 'unknown';
      span.updateName(`${request.method} ${route}`);
      // The path itself may hold a key that was put in the wrong place.
      span.setAttributes({ 'url.path': route, 'request.id': request.id });
    },
  });
  requests.setTracerProvider(provider);
  return {
    tracer,
    plugin: requests.plugin(),
    async close() {
      redis.close();
      postgres.disable();
      requests.disable();
      await withTimeLimit(CLOSE_LIMIT_MS, provider.shutdown()).catch(() => undefined);
      trace.disable();
      context.disable();
      propagation.disable();
    },
  };
}

// It patches what `require` returns. Ours are imports of the same objects, so it is enough to require them once.
function instrumentPostgres(provider: NodeTracerProvider): PgInstrumentation {
  const instrumentation = new PgInstrumentation({ requireParentSpan: true, ignoreConnectSpans: true });
  instrumentation.setTracerProvider(provider);
  createRequire(import.meta.url)('pg');
  return instrumentation;
}

/** Tells once an outage that spans could not be sent, and once that they can again. */
function tellOutages(exporter: SpanExporter, log: Logger): SpanExporter {
  let isDown = false;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const hasFailed = result.error !== undefined;
        if (hasFailed && !isDown) log.warn({ err: result.error }, 'traces cannot be sent to the collector');
        if (!hasFailed && isDown) log.info('traces can be sent to the collector again');
        isDown = hasFailed;
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
  };
}
