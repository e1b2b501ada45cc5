import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';
import fp from 'fastify-plugin';
import { Counter, Gauge } from 'prom-client';
import { principalOf } from '../accounts/accounts.js';
import { ApiError } from '../errors.js';
import { readUpload, type Upload } from '../plugins/uploads.js';
import { parseJsonBody } from '../requests.js';
import { createFairQueue, type FairQueue, QueueRefusal } from './fair-queue.js';
import { MADE_BYTES_HEADER, TooHeavy } from './heavy-requests.js';
import { workOf } from './work-budget.js';

/** A body above this takes longer than 8 ms to check and to store. */
const LIGHT_BODY_BYTES_MAX = 32 * 1024;

// Also of a small pool: calls that wait for the safety provider hold no connection.
const TURNS_MIN = 3;
const WAITING_MAX = 200;
const WAIT_MS_MAX = 5_000;
// They share the time of one core; of one account, what runs beside the thread is Postgres alone.
const HEAVY_RUNNING_MAX = 2;
const HEAVY_PER_ACCOUNT_MAX = 1;
const HEAVY_WAITING_MAX = 32;
const HEAVY_WAIT_MS_MAX = 20_000;
// Of one account one. The thread keeps some ten MiB for each.
const UPLOADS_MAX = 3;

/**
 * Serves the routes registered after it by fair turns: an account has at most half of the Postgres connections in use, and its
 * heavy requests are served in a thread, a few at a time.
 */
export const fairRoutes = fp<{ connectionsMax: number }>(
  (api, { connectionsMax }, done) => {
    const turns = createFairQueue({
      runningMax: Number.POSITIVE_INFINITY,
      runningPerKeyMax: Math.max(TURNS_MIN, Math.floor(connectionsMax / 2)),
      waitingPerKeyMax: WAITING_MAX,
      waitMsMax: WAIT_MS_MAX,
    });
    const heavyTurns = createHeavyQueue(HEAVY_RUNNING_MAX);
    // Held until the client has read the answer, which may take hours: accounts do not wait for each other here.
    const heavyAnswers = createHeavyQueue(Number.POSITIVE_INFINITY);
    const uploads = createHeavyQueue(UPLOADS_MAX);
    measureQueues(api, { light: turns, heavy: heavyTurns, answers: heavyAnswers, uploads });
    const heavyRequestsTotal = countHeavyRequests(api);
    const { workBudget, heavyRequests } = api;

    const served = new WeakSet<RouteHandlerMethod>();
    serveUploads(api, uploads, served, heavyRequestsTotal);

    async function serveHeavy(
      reason: HeavyReason,
      request: FastifyRequest,
      reply: FastifyReply,
      body: Buffer | undefined,
    ) {
      heavyRequestsTotal.inc({ reason });
      const principal = principalOf(request);
      const { userId } = principal;
      const endAnswer = await enter(heavyAnswers, userId);
      let endTurn: () => void = () => undefined;
      try {
        endTurn = await enter(heavyTurns, userId);
        await api.readmit(request);
        return await heavyRequests.forward(request, reply, body, {
          onHead: endTurn,
          onBytes(count) {
            workBudget.charge(principal, workOf(request, { answerBytes: count }));
          },
        });
      } finally {
        endTurn();
        endAnswer();
      }
    }

    api.addHook('onRoute', (route) => {
      const handler = route.handler;
      // The HEAD route of a GET route has its handler.
      if (served.has(handler)) return;
      route.handler = async function serveFairly(request, reply) {
        const principal = principalOf(request);
        const { userId } = principal;
        const body = Buffer.isBuffer(request.body) ? request.body : undefined;
        workBudget.charge(principal, workOf(request, { bodyBytes: body?.length ?? 0 }));
        if ((body?.length ?? 0) > LIGHT_BODY_BYTES_MAX) return serveHeavy('body', request, reply, body);
        if (workBudget.isHeavyAccount(userId)) return serveHeavy('account', request, reply, body);
        const release = await enter(turns, userId);
        try {
          await api.readmit(request);
          if (body !== undefined) request.body = parseJsonBody(body);
          return await handler.call(this, request, reply);
        } catch (err) {
          if (!(err instanceof TooHeavy)) throw err;
        } finally {
          release();
        }
        return serveHeavy('content', request, reply, body);
      };
      served.add(route.handler);
    });
    api.addHook('onSend', (request, reply, payload, next) => {
      if (typeof payload === 'string' && request.principal !== null) {
        const madeBytes = Number(reply.getHeader(MADE_BYTES_HEADER) ?? 0);
        workBudget.charge(request.principal, workOf(request, { answerBytes: payload.length + madeBytes }));
      }
      reply.removeHeader(MADE_BYTES_HEADER);
      next();
    });
    done();
  },
  { name: 'fair-routes', dependencies: ['work-budget', 'heavy-requests', 'access-control'] },
);

/** Serves the routes of uploads, and adds their handlers to `served`. */
function serveUploads(
  api: FastifyInstance,
  uploads: FairQueue,
  served: WeakSet<RouteHandlerMethod>,
  heavyRequestsTotal: Counter<'reason'>,
): void {
  api.addHook('onRoute', (route) => {
    const upload = route.config?.upload;
    if (upload === undefined) return;
    route.handler = (request, reply) => {
      heavyRequestsTotal.inc({ reason: 'upload' });
      return serveUpload(api, uploads, upload, request, reply);
    };
    served.add(route.handler);
  });
}

/** Its turn is held for as long as the client sends: uploads share nothing with other requests but the thread. */
async function serveUpload(
  api: FastifyInstance,
  uploads: FairQueue,
  upload: Upload,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { heavyRequests, workBudget } = api;
  const principal = principalOf(request);
  workBudget.charge(principal, workOf(request, { bodyBytes: 0 }));
  const endUpload = await enter(uploads, principal.userId);
  let failure: unknown;
  async function* chunks() {
    try {
      yield* readUpload(api, request, upload);
      // It may have taken minutes. Without the end of its body the thread stores nothing.
      await api.readmit(request);
    } catch (err) {
      failure = err;
      throw err;
    }
  }
  try {
    return await heavyRequests.forward(request, reply, Readable.from(chunks(), { objectMode: false }), {
      onHead: () => undefined,
      onBytes(count) {
        workBudget.charge(principal, workOf(request, { answerBytes: count }));
      },
    });
  } catch (err) {
    throw failure ?? err;
  } finally {
    endUpload();
  }
}

function createHeavyQueue(runningMax: number): FairQueue {
  return createFairQueue({
    runningMax,
    runningPerKeyMax: HEAVY_PER_ACCOUNT_MAX,
    waitingPerKeyMax: HEAVY_WAITING_MAX,
    waitMsMax: HEAVY_WAIT_MS_MAX,
  });
}

async function enter(queue: FairQueue, userId: string): Promise<() => void> {
  try {
    return await queue.enter(userId);
  } catch (err) {
    if (!(err instanceof QueueRefusal)) throw err;
    throw new ApiError('RATE_LIMITED', {
      headers: { 'retry-after': '1' },
      details: [{ path: '', message: 'Too many requests of this account at once' }],
    });
  }
}

const HEAVY_REASONS = ['body', 'content', 'account', 'upload'] as const;
type HeavyReason = (typeof HEAVY_REASONS)[number];

function countHeavyRequests({ metrics }: FastifyInstance): Counter<'reason'> {
  const total = new Counter({
    name: 'smartlink_api_heavy_requests_total',
    help: 'Requests left to the thread of heavy requests: a large body, large stored content, an account with costly requests, or an upload',
    labelNames: ['reason'],
    registers: [metrics.registry],
  });
  for (const reason of HEAVY_REASONS) total.inc({ reason }, 0);
  return total;
}

function measureQueues(api: FastifyInstance, queues: Readonly<Record<string, FairQueue>>): void {
  new Gauge({
    name: 'smartlink_api_turns',
    help: 'Requests that have a turn or wait for one, by queue',
    labelNames: ['queue', 'state'],
    registers: [api.metrics.registry],
    collect() {
      for (const [queue, { counts }] of Object.entries(queues)) {
        for (const [state, count] of Object.entries(counts())) this.set({ queue, state }, count);
      }
    },
  });
}
