import { tracingChannel } from 'node:diagnostics_channel';
import { context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { Span, Tracer } from '@opentelemetry/api';

type CommandMessage = { readonly command?: string };

/** Makes a span of each command to Redis that is sent during a span, by the channel that ioredis tells of them on. */
export function traceRedisCommands(tracer: Tracer): { readonly close: () => void } {
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
      // What runs by itself, heartbeats and the relay, would each be a trace of its own.
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
