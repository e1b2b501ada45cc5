import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { LRUCache } from 'lru-cache';
import type { RedisConnection } from '@smartlink/links/redis';
import { createBreaker, withTimeLimit } from '@smartlink/process/database';
import type { Principal } from '../accounts/accounts.js';
import { ApiError } from '../errors.js';

declare module 'fastify' {
  interface FastifyInstance {
    workBudget: WorkBudget;
  }
}

export type WorkBudget = {
  /** Charges for a request, in ms of processor time. Never rejects. */
  readonly charge: (principal: Principal, workMs: number) => void;
  /** Whether costly requests of the account took this process more than 250 ms within a minute. */
  readonly isHeavyAccount: (userId: string) => boolean;
};

const WINDOW_MS = 60_000;
// On every plan.
const PERSON_REQUESTS_PER_MINUTE = 600;
// The limit must not cost more than it protects: without Redis requests pass uncounted.
const REDIS_LIMIT_MS = 100;
const REDIS_FAILURES_MAX = 3;
const REDIS_PAUSE_MS = 1_000;

/** An account may use a tenth of one core, or ten times as much work as requests: half a core on Enterprise. */
const WORK_PER_MINUTE_MIN_MS = 6_000;
const WORK_PER_REQUEST_MS = 10;

// Any number of ordinary requests leaves an account light.
const COSTLY_MS = 8;
const HEAVY_ACCOUNT_MS = 250;
// Of accounts and people.
const WORKS_MAX = 10_000;

// A fixed window that begins with its first request: one key per user, one round trip. Adds a request and the work of those
// before it; returns both figures and the milliseconds left. A key without expiry (a command was lost between the two) gets
// one.
const COUNT = `
local requests = redis.call('hincrby', KEYS[1], 'requests', 1)
local work = redis.call('hincrby', KEYS[1], 'workMs', ARGV[1])
local left = redis.call('pttl', KEYS[1])
if left < 0 then
  redis.call('pexpire', KEYS[1], ARGV[2])
  left = tonumber(ARGV[2])
end
return {requests, work, left}
`;

type Work = { costlyMs: number; unreportedMs: number; readonly until: number };

/** Requests with a key count for the account, those by a session for the person. */
type Budget = { readonly id: string; readonly requestsPerMinute: number };

function budgetOf({ credential, userId, plan }: Principal): Budget {
  return credential.kind === 'key'
    ? { id: userId, requestsPerMinute: plan.requestsPerMinute }
    : { id: `person:${credential.personId}`, requestsPerMinute: PERSON_REQUESTS_PER_MINUTE };
}

/**
 * Limits each account to the requests per minute of its plan and to their cost, over all keys and processes, and each person
 * to 600 requests and their cost. One large menu costs as much as 200 ordinary requests.
 */
export const workBudget = fp<{ keyPrefix: string }>(
  (app, { keyPrefix }, done) => {
    const works = new LRUCache<string, Work>({ max: WORKS_MAX });
    const breaker = createBreaker({
      failuresMax: REDIS_FAILURES_MAX,
      pauseMs: REDIS_PAUSE_MS,
      now: () => performance.now(),
    });
    app.metrics.watchBreaker('rate_limit', () => !breaker.allows());

    function workBy(id: string): Work {
      const known = works.get(id);
      if (known !== undefined && known.until > performance.now()) return known;
      const unreportedMs = known?.unreportedMs ?? 0;
      const fresh = { costlyMs: 0, unreportedMs, until: performance.now() + WINDOW_MS };
      works.set(id, fresh);
      return fresh;
    }

    app.decorate('workBudget', {
      charge(principal, workMs) {
        if (workMs >= COSTLY_MS) workBy(principal.userId).costlyMs += workMs;
        workBy(budgetOf(principal).id).unreportedMs += workMs;
      },
      isHeavyAccount: (userId) => workBy(userId).costlyMs > HEAVY_ACCOUNT_MS,
    });
    app.addHook('onRequest', async (request, reply) => {
      // Sign-in, which has limits of its own.
      if (request.principal === null) return;
      const { id, requestsPerMinute } = budgetOf(request.principal);
      const work = workBy(id);
      const reportedMs = Math.floor(work.unreportedMs);
      work.unreportedMs -= reportedMs;
      const used = await countRequest(app.redis, breaker, { key: `${keyPrefix}usage:${id}`, reportedMs });
      const isOverBudget = used.workMs > workPerMinuteMs(requestsPerMinute);
      const isRefused = used.requests > requestsPerMinute || isOverBudget;
      app.metrics.onRateLimit(used.requests === 0 ? 'uncounted' : isRefused ? 'refused' : 'allowed');
      const resetSeconds = Math.ceil(used.leftMs / 1_000);
      reply.header('ratelimit-limit', requestsPerMinute);
      reply.header('ratelimit-remaining', Math.max(0, requestsPerMinute - used.requests));
      reply.header('ratelimit-reset', resetSeconds);
      if (isRefused) throw tooMuch(resetSeconds, isOverBudget);
    });
    done();
  },
  { name: 'work-budget', dependencies: ['authenticate', 'redis', 'metrics'] },
);

function workPerMinuteMs(requestsPerMinute: number): number {
  return Math.max(WORK_PER_MINUTE_MIN_MS, requestsPerMinute * WORK_PER_REQUEST_MS);
}

function tooMuch(resetSeconds: number, isOverBudget: boolean): ApiError {
  return new ApiError('RATE_LIMITED', {
    headers: { 'retry-after': String(Math.max(1, resetSeconds)) },
    ...(isOverBudget
      ? { details: [{ path: '', message: 'Large requests or answers used up this minute' }] }
      : {}),
  });
}

type Used = { readonly requests: number; readonly workMs: number; readonly leftMs: number };

async function countRequest(
  redis: RedisConnection,
  breaker: ReturnType<typeof createBreaker>,
  { key, reportedMs }: { readonly key: string; readonly reportedMs: number },
): Promise<Used> {
  const uncounted = { requests: 0, workMs: 0, leftMs: WINDOW_MS };
  // The probe is an ordinary request, so it waits at most 100 ms.
  if (!breaker.allows() && !breaker.takesProbe()) return uncounted;
  try {
    const reply = await withTimeLimit(REDIS_LIMIT_MS, redis.eval(COUNT, 1, key, reportedMs, WINDOW_MS));
    breaker.succeeded();
    const [requests, workMs, leftMs] = reply as [number, number, number];
    return { requests, workMs, leftMs };
  } catch {
    breaker.failed();
    return uncounted;
  }
}

// Measured: a create of 1 MiB takes 270 ms, its PATCH 180 ms, its fetch 60 ms.
const REQUEST_MS = 1;
const BODY_BYTES_PER_MS = 4_096;
const READ_BYTES_PER_MS = 16_384;
const WRITE_BYTES_PER_MS = 8_192;

const REFUSAL_DELAY_MS = 250;
const DELAYED_MAX = 2_000;

/**
 * Delays 429. 48 connections that ignored it sent 2,000 requests a second, and the p50 of another account's calls was 60 to
 * 250 ms; with the delay it is as without them.
 */
export const delayedRefusals = fp(
  (app, _options, done) => {
    let delayed = 0;
    app.addHook('onSend', async (_request, reply) => {
      if (reply.statusCode !== 429 || delayed >= DELAYED_MAX) return;
      delayed += 1;
      await pause(REFUSAL_DELAY_MS);
      delayed -= 1;
    });
    done();
  },
  { name: 'delayed-refusals' },
);

/** Processor time to charge for a request and the bytes of its body, or for bytes of its answer; in ms. */
export function workOf(
  { method }: FastifyRequest,
  bytes: { readonly bodyBytes: number } | { readonly answerBytes: number },
): number {
  if ('bodyBytes' in bytes) return REQUEST_MS + bytes.bodyBytes / BODY_BYTES_PER_MS;
  return bytes.answerBytes / (method === 'GET' ? READ_BYTES_PER_MS : WRITE_BYTES_PER_MS);
}
