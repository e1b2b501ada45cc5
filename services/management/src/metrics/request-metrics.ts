import type { FastifyInstance } from 'fastify';
import { Counter, Gauge, Histogram } from 'prom-client';
import type { Registry } from 'prom-client';
import { DURATION_BUCKETS_SECONDS } from './duration-buckets.js';

const CLASSES = ['2xx', '3xx', '4xx', '5xx'] as const;
/** Of our own: probes and Prometheus must not look like customers. */
const OWN_PATHS = '/-/';

/** Adds the figures of requests and connections to `registry`. */
export function measureRequests(app: FastifyInstance, registry: Registry): void {
  const registers = [registry];
  const duration = new Histogram({
    name: 'smartlink_api_request_duration_seconds',
    help: 'Time from the first byte of a request to the last of its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: DURATION_BUCKETS_SECONDS,
    registers,
  });
  const responses = new Counter({
    name: 'smartlink_api_responses_total',
    help: 'Answers of the API, by class of status; paths below /-/ are not counted',
    labelNames: ['class'],
    registers,
  });
  for (const each of CLASSES) responses.inc({ class: each }, 0);
  app.addHook('onResponse', (request, reply, next) => {
    // The route's pattern, so that no client can make labels of its own.
    const route = request.routeOptions.url ?? 'unknown';
    const status = reply.statusCode;
    duration.observe({ method: request.method, route, status }, reply.elapsedTime / 1000);
    if (!route.startsWith(OWN_PATHS)) responses.inc({ class: `${Math.floor(status / 100)}xx` });
    next();
  });
  measureLoad(app, registers);
}

function measureLoad(app: FastifyInstance, registers: Registry[]): void {
  const inFlight = new Gauge({
    name: 'smartlink_api_requests_in_flight',
    help: 'Requests that are being answered; paths below /-/ are not counted',
    registers,
  });
  // An answer whose client has gone is never finished; closed it is always.
  app.server.on('request', (req, res) => {
    if (req.url?.startsWith(OWN_PATHS) === true) return;
    inFlight.inc();
    res.once('close', () => {
      inFlight.dec();
    });
  });
  new Gauge({
    name: 'smartlink_api_connections',
    help: 'Open connections of clients',
    registers,
    async collect() {
      this.set(await countConnections(app));
    },
  });
}

function countConnections(app: FastifyInstance): Promise<number> {
  return new Promise((resolve) => {
    app.server.getConnections((err, count) => {
      resolve(err === null ? count : Number.NaN);
    });
  });
}
