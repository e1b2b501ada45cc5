import type { Pool } from 'pg';
import { createLogger } from '@smartlink/process/lifecycle';
import { ApiError } from '../src/errors.js';
import { createOutbox } from '../src/smartlinks/publishing/outbox.js';
import { recheckDue } from '../src/smartlinks/rechecks/url-rechecks.js';
import type { UrlSafety } from '../src/url-safety/url-safety.js';
import type { TestService } from './start-service.js';

export type ScriptedProvider = ReturnType<typeof createScriptedProvider>;

/** A safety provider as a test scripts it: the real ones are services of others. */
export function createScriptedProvider() {
  const provider = {
    unsafe: new Set<string>(),
    /** URLs that it cannot judge, nor any question that has one. */
    refused: new Set<string>(),
    /** The URLs of each question so far. */
    questions: [] as string[][],
    state: 'up' as 'up' | 'up and fail-closed' | 'down' | 'down and fail-closed',
    /** Runs once while the provider is being asked. */
    meanwhile: null as (() => Promise<unknown>) | null,
    /** How many slugs the job itself has handed to Redis, or left to the relay as that took too long. */
    handedOver: 0,
    /** Outcomes of links so far. */
    outcomes: { safe: 0, unsafe: 0, unchecked: 0, left: 0 },
    /** Forgets the questions and the outcomes. */
    forget() {
      provider.questions.length = 0;
      provider.handedOver = 0;
      Object.assign(provider.outcomes, { safe: 0, unsafe: 0, unchecked: 0, left: 0 });
    },
    /** Is up, calls nothing unsafe, and has been asked nothing. */
    reset() {
      provider.state = 'up';
      provider.meanwhile = null;
      provider.unsafe.clear();
      provider.refused.clear();
      provider.forget();
    },
    check: (async (urls, options) => {
      if (urls.length === 0) return { unsafe: [], isChecked: true };
      provider.questions.push(urls.map(({ url }) => url));
      const unsafe = urls.filter(({ url }) => provider.unsafe.has(url));
      const act = provider.meanwhile;
      provider.meanwhile = null;
      await act?.();
      const isDown = provider.state.startsWith('down');
      const isChecked = !isDown && !urls.some(({ url }) => provider.refused.has(url));
      if (isChecked) return { unsafe, isChecked };
      const isRefusal = provider.state.endsWith('fail-closed') && options?.failClosed !== false;
      if (isRefusal) throw new ApiError('SERVICE_UNAVAILABLE');
      return { unsafe: [], isChecked, isProviderDown: isDown };
    }) as UrlSafety['check'],
  };
  return provider;
}

/** One run of the job, without its timer. */
export function createJob(service: TestService, provider: ScriptedProvider, pg: Pool = service.app.pg) {
  const log = createLogger({ service: 'test', level: 'silent' });
  const outbox = createOutbox({
    pg: service.app.pg,
    formatGate: service.app.formatGate,
    redis: service.app.redis,
    keyPrefix: service.databases.redisKeyPrefix,
    log,
    observer: {
      onPublished: (_outcome, slugs) => {
        provider.handedOver += slugs;
      },
      onDelay: () => undefined,
    },
  });
  const observer = {
    onJudged(counts: ScriptedProvider['outcomes']) {
      for (const outcome of Object.keys(counts) as (keyof typeof counts)[])
        provider.outcomes[outcome] += counts[outcome];
    },
  };
  const deps = { pg, outbox, urlSafety: provider, log, observer };
  return { runOnce: (signal?: AbortSignal) => recheckDue(deps, signal) };
}

export type CheckRow = {
  readonly version: string;
  readonly updated_at: Date;
  readonly urls_checked_at: Date | null;
  readonly url_check_failures: number;
  readonly due_in_seconds: number;
};

/** The state of the checks of a link. */
export async function readChecks(pg: Pool, id: string): Promise<CheckRow> {
  const { rows } = await pg.query<CheckRow>(
    `select version, updated_at, urls_checked_at, url_check_failures,
            extract(epoch from urls_check_due_at - now())::float8 as due_in_seconds
     from smartlinks where id = $1`,
    [id],
  );
  return rows[0]!;
}

/** Adds links that are due, to `https://example.org/1` and so on, and returns their ids. */
export async function addDueLinks(pg: Pool, userId: string, links: number): Promise<string[]> {
  const { rows } = await pg.query<{ id: string }>(
    `insert into smartlinks (id, user_id, status, type, name, slug, content, version, urls_check_due_at)
     select gen_random_uuid(), $1, 'Active', 'Url', 'Link ' || n, 'slug' || n,
            jsonb_build_object('Url', jsonb_build_object('shortener',
              jsonb_build_object('url', 'https://example.org/' || n, 'protected', false))),
            nextval('smartlink_version'), now() - interval '1 second'
     from generate_series(1, $2::integer) as n
     returning id`,
    [userId, links],
  );
  return rows.map(({ id }) => id);
}

/** Adds a webhook for unsafe links; deliveries to its address are refused. */
export async function addWebhook(pg: Pool, userId: string): Promise<void> {
  await pg.query(
    `insert into webhooks (id, user_id, url, event_types, secret)
     values (gen_random_uuid(), $1, 'https://127.0.0.1/', '{smartlink.unsafe}', 'x')`,
    [userId],
  );
}

/** Audit entries and webhook deliveries about a link that was found unsafe. */
export async function readRecords(pg: Pool, id: string) {
  const { rows: audited } = await pg.query<object>(
    `select actor, user_id, details from audit_entries where smartlink_id = $1 and action = 'smartlink.unsafe'`,
    [id],
  );
  const { rows: deliveries } = await pg.query<object>(
    `select event_type, data from webhook_deliveries where data->>'smartlinkId' = $1`,
    [id],
  );
  return { audited, deliveries };
}

/** `pg`, and the number of statements and transactions begun through it. */
export function countStatements(pg: Pool): { readonly pool: Pool; readonly statements: () => number } {
  let statements = 0;
  const pool = new Proxy(pg, {
    get(_pg, name) {
      if (name === 'query' || name === 'connect') statements += 1;
      const member: unknown = Reflect.get(pg, name);
      return typeof member === 'function' ? (member.bind(pg) as unknown) : member;
    },
  });
  return { pool, statements: () => statements };
}

/** Makes links due. */
export async function setDue(pg: Pool, ids: readonly string[]): Promise<void> {
  await pg.query(`update smartlinks set urls_check_due_at = now() - interval '1 second' where id = any($1)`, [
    ids,
  ]);
}

/** The reason of a link that was paused for its URLs at these paths. */
export const reasonAt = (...paths: string[]) => ({
  code: 'UNSAFE_URL',
  details: paths.map((path) => ({ path, message: 'URL was judged unsafe' })),
});
