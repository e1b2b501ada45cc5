import { tracingChannel } from 'node:diagnostics_channel';
import { createRequire } from 'node:module';
import { FastifyOtelInstrumentation } from '@fastify/otel';
import {
  context,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  NodeTracerProvider,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-node';
import { ATTR_SERVICE_INSTANCE_ID, ATTR_SERVICE_NAME } from '@opentelemetry/semantic-conventions';
import type { FastifyPluginCallback } from 'fastify';
import { withTimeLimit } from '@smartlink/process/database';
import type { Logger } from '@smartlink/process/lifecycle';

const EXPORT_LIMIT_MS = 5_000;
// After the 10 s for requests in progress, within the 12 s of a stop.
const CLOSE_LIMIT_MS = 1_500;
// More spans are dropped while the collector is unavailable: no request waits for it.
const QUEUED_SPANS_MAX = 2_048;

type TracingOptions = {
  /** Address of an OTLP/HTTP collector; `/v1/traces` is appended. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  /** Ratio of traced requests, 0 to 1. The caller's traceparent takes precedence. */
  readonly sampledRatio: number;
  readonly instanceId: string;
  readonly log: Logger;
};

export type Tracing = {
  readonly tracer: Tracer;
  /** Creates a span for every request. */
  readonly plugin: FastifyPluginCallback;
  /** Sends queued spans for up to 1.5 s and removes all hooks. Never rejects. */
  readonly close: () => Promise<void>;
};

/**
 * Traces requests and their calls to Postgres, ClickHouse (whose client gets the tracer) and Redis. Spans hold statements
 * with placeholders, but no values, Redis keys, query strings or error messages, which may hold user input.
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
    spanProcessors: [new BatchSpanProcessor(logOutages(exporter, log), { maxQueueSize: QUEUED_SPANS_MAX })],
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
      // Not the path itself: a client may have put its key there.
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

// It patches what `require` returns: the same objects that are imported elsewhere, so one require is enough.
function instrumentPostgres(provider: NodeTracerProvider): PgInstrumentation {
  const instrumentation = new PgInstrumentation({ requireParentSpan: true, ignoreConnectSpans: true });
  instrumentation.setTracerProvider(provider);
  createRequire(import.meta.url)('pg');
  return instrumentation;
}

/** Logs the begin and the end of an outage once each. */
function logOutages(exporter: SpanExporter, log: Logger): SpanExporter {
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

type CommandMessage = { readonly command?: string };

/** Creates a span for each Redis command sent within a span, from the diagnostics channel of ioredis. */
function traceRedisCommands(tracer: Tracer): { readonly close: () => void } {
  const commands = tracingChannel<unknown, CommandMessage>('ioredis:command');
  const spans = new WeakMap<CommandMessage, Span>();
  const end = (message: CommandMessage, isFailed: boolean): void => {
    const span = spans.get(message);
    if (isFailed) span?.setStatus({ code: SpanStatusCode.ERROR });
    span?.end();
    spans.delete(message);
  };
  const subscribers = {
    start(message: CommandMessage): void {
      // Background work, such as heartbeats and the relay, would start traces of its own.
      if (trace.getSpan(context.active()) === undefined) return;
      const name = message.command ?? 'command';
      const attributes = { 'db.system.name': 'redis', 'db.operation.name': name };
      spans.set(message, tracer.startSpan(`redis ${name}`, { kind: SpanKind.CLIENT, attributes }));
    },
    end: () => undefined,
    asyncStart: () => undefined,
    asyncEnd: (message: CommandMessage & { readonly error?: unknown }) => {
      end(message, message.error !== undefined);
    },
    error: () => undefined,
  };
  commands.subscribe(subscribers);
  return {
    close() {
      commands.unsubscribe(subscribers);
    },
  };
}
