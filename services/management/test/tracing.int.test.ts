import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createClosers } from '@smartlink/test-support/closers';
import { until } from '@smartlink/test-support/until';
import type {} from '../src/plugins/tracing.js';
import { caller, startService, urlSmartlink } from './start-service.js';
import { type Receiver, startReceiver, status } from './webhook-receiver.js';

// A collector at the edge of the network, and the real service that sends it traces.

type Attribute = { readonly key: string; readonly value: { readonly stringValue?: string } };
type Span = {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly attributes: readonly Attribute[];
};

let collector: Receiver;
const spans = (): Span[] =>
  collector.received
    .map(({ body }) => JSON.parse(body) as { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] })
    .flatMap(({ resourceSpans }) => resourceSpans)
    .flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans));
const closers = createClosers();

beforeAll(async () => {
  // OpenTelemetry's own variable, which its queue reads: batches come at once.
  vi.stubEnv('OTEL_BSP_SCHEDULE_DELAY', '50');
  collector = await startReceiver();
  closers.add(collector.close);
});
afterAll(async () => {
  await closers.close();
  vi.unstubAllEnvs();
});

/** Starts the service; its end, which sends what is queued, comes once, by `close` or after all tests. */
async function startTraced(env: Record<string, string>) {
  const service = await startService({ env });
  let closing: Promise<void> | undefined;
  const close = () => (closing ??= service.close());
  closers.add(close);
  const { apiKey } = await service.createUser();
  return { service, close, apiKey, api: caller(service.app, apiKey) };
}

test('a request is one trace with what it asked of Postgres, Redis and ClickHouse, and holds no content', async () => {
  const { service, close, apiKey, api } = await startTraced({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url(''),
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20collector-token',
  });
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
  const created = await api.call(
    'POST',
    '/smartlink?secret=in-the-query',
    urlSmartlink({ smartlinkName: 'Name-of-a-user' }, { password: 'Password-of-a-user' }),
    { traceparent: `00-${traceId}-00f067aa0ba902b7-01` },
  );
  const id = created.body?.data?.id ?? '';
  expect((await api.get(`/smartlink/analytics?id=${id}`)).status).toBe(200);
  expect((await api.get(`/smartlink/${apiKey}`)).status).toBe(404);
  const line = service.logLines
    .map((text) => JSON.parse(text) as Record<string, unknown>)
    .find((entry) => entry['traceId'] === traceId);
  expect(line).toMatchObject({ msg: 'request answered', route: '/api/v1/smartlink' });

  // What is left is sent at the end, which waits a second and a half for it at most.
  const ours = await until(() => {
    const found = spans().filter((span) => span.traceId === traceId);
    return isWhole(found) && systemsOf(spans()).length === SYSTEMS.length && found;
  }, 'the collector has the whole trace');
  await close();
  const request = ours.find(({ name }) => name === 'POST /api/v1/smartlink');
  expect(request?.parentSpanId).toBe('00f067aa0ba902b7');
  expect(attributesOf(request)).toMatchObject({
    'url.path': '/api/v1/smartlink',
    'request.id': line?.['requestId'],
  });
  expect(systemsOf(spans())).toEqual(SYSTEMS);
  // Later ones are of what the request has left under way.
  expect(isWhole(spans().filter((span) => span.traceId === traceId))).toBe(true);
  const tokens = collector.received.map(({ headers }) => headers['authorization']);
  expect(new Set(tokens)).toEqual(new Set(['Bearer collector-token']));

  const text = JSON.stringify(spans());
  for (const content of [
    'in-the-query',
    'Name-of-a-user',
    'Password-of-a-user',
    apiKey,
    'collector-token',
    service.databases.redisKeyPrefix,
  ]) {
    expect(text).not.toContain(content);
  }
});

test('while the collector refuses, requests are answered, and it is said once', async () => {
  collector.answers.set('/v1/traces', status(500));
  const { service, close, api } = await startTraced({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url('') });
  const before = collector.received.length;
  for (let batch = 1; batch <= 2; batch += 1) {
    expect((await api.post('/smartlink', urlSmartlink())).status).toBe(201);
    await until(() => collector.received.length >= before + batch, 'the collector has refused a batch');
  }
  await close();
  const told = service.logLines.filter((line) => line.includes('traces cannot be sent'));
  expect(told).toHaveLength(1);
});

test('without a collector nothing is traced', async () => {
  const { service } = await startTraced({});
  expect(service.app.tracer).toBeNull();
});

const SYSTEMS = ['clickhouse', 'postgresql', 'redis'];

/** The names of the databases that were asked. */
function systemsOf(found: readonly Span[]): readonly string[] {
  const names = found.map((span) => attributesOf(span)['db.system.name'] ?? attributesOf(span)['db.system']);
  return [...new Set(names)].filter((name) => name !== undefined).sort();
}

/** Whether there is one span that has come from outside, and the parents of all others are there too. */
function isWhole(trace: readonly Span[]): boolean {
  const ids = new Set(trace.map(({ spanId }) => spanId));
  return trace.filter(({ parentSpanId }) => !ids.has(parentSpanId ?? '')).length === 1;
}

function attributesOf(span: Span | undefined): Record<string, string | undefined> {
  return Object.fromEntries((span?.attributes ?? []).map(({ key, value }) => [key, value.stringValue]));
}
