import type { FastifyInstance } from 'fastify';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { makeEventRow } from '@smartlink/test-support/event-row';
import { until } from '@smartlink/test-support/until';
import { addEvents, caller, useService } from './start-service.js';

// Goals: most statements of a fetch, and of a list of 100; Postgres' and ClickHouse's together, with the key and the
// state of the rollup known.
const FETCH_STATEMENTS_MAX = 2;
const LIST_STATEMENTS_MAX = 4;
const LISTED_LINKS = 100;

let statements: ReturnType<typeof watchStatements>;

const { service } = useService();
beforeAll(() => {
  statements = watchStatements(service.app);
});
afterAll(() => {
  vi.restoreAllMocks();
});

const OF_JOBS =
  /publish_outbox|webhook|idempotency_keys|link_changes|totals_refresh|pg_advisory|from (imports|media|sessions)\b|update (imports|media)\b/;

/** Counts what the service asks its databases. The real queries run. Those of its jobs do not count. */
function watchStatements(app: FastifyInstance) {
  const queries = vi.spyOn(Client.prototype, 'query').mock;
  const questions = vi.spyOn(app.clickhouse, 'query').mock;
  const loanedAt = new Map<unknown, number>();
  let texts: string[] = [];
  app.pg.on('acquire', (client) => loanedAt.set(client, queries.calls.length));
  app.pg.on('release', (_err, client) => {
    const start = loanedAt.get(client) ?? 0;
    const ofLoan = queries.calls
      .slice(start)
      .filter((_call, i) => queries.contexts[start + i] === client)
      .map(([statement]) => statement.trim());
    if (!ofLoan.some((text) => OF_JOBS.test(text))) texts.push(...ofLoan);
  });
  return {
    texts: () => texts,
    /**
     * The statements of `work`. Those that look up the key or the state of the rollup are apart: both are known for a
     * while, so how often they are asked for depends on the time.
     */
    countDuring: async (work: () => Promise<unknown>) => {
      texts = [];
      const asked = questions.calls.length;
      await work();
      const keyLookUps = texts.filter((text) => text.includes('from api_keys')).length;
      const questionTexts = questions.calls.slice(asked).map(([{ query }]) => query);
      const clickhouse = questionTexts.filter((text) => !text.includes('from rollup_state')).length;
      return { keyLookUps, postgres: texts.length - keyLookUps, clickhouse };
    },
  };
}

/** Adds a user with a key that was used just now, so that no request has to note it, and with `links` links. */
async function addUserWithLinks(links: number) {
  const { pg } = service.app;
  const { userId, apiKey } = await service.createUser();
  await pg.query('update api_keys set last_used_at = now() where user_id = $1', [userId]);
  const { rows } = await pg.query<{ id: string }>(
    `insert into smartlinks (id, user_id, status, type, name, slug, content, version)
     select gen_random_uuid(), $1, 'Active', 'Url', 'Link ' || n, 'slug' || n,
            '{"Url": {"shortener": {"url": "https://example.org/", "protected": false}}}', nextval('smartlink_version')
     from generate_series(1, $2::integer) as n
     returning id`,
    [userId, links],
  );
  return { userId, api: caller(service.app, apiKey), ids: rows.map(({ id }) => id) };
}

test(`a fetch costs at most ${FETCH_STATEMENTS_MAX} statements, and one more when the key is not known yet`, async () => {
  const { api, ids } = await addUserWithLinks(2);
  const fetchOne = async (id: string) => {
    expect((await api.get(`/smartlink?id=${id}`)).status).toBe(200);
  };
  const cold = await statements.countDuring(() => fetchOne(ids[0]!));
  const warm = await statements.countDuring(() => fetchOne(ids[1]!));
  expect(cold.keyLookUps).toBe(1);
  for (const { postgres, clickhouse } of [cold, warm])
    expect(postgres + clickhouse).toBeLessThanOrEqual(FETCH_STATEMENTS_MAX);
});

test.each([
  ['a QR code', (id: string) => `/smartlink/qr?id=${id}&format=png`],
  ['a dry run of a visit', (id: string) => `/smartlink/resolve?id=${id}&userAgent=WhatsApp%2F2`],
])('%s costs one statement', async (_what, pathOf) => {
  const { api, ids } = await addUserWithLinks(1);
  const { postgres, clickhouse } = await statements.countDuring(async () => {
    expect((await api.get(pathOf(ids[0]!))).status).toBe(200);
  });
  expect([postgres, clickhouse]).toEqual([1, 0]);
});

test(`a list of 100 costs at most ${LIST_STATEMENTS_MAX} statements, and one more when the key is not known yet`, async () => {
  const { userId, api, ids } = await addUserWithLinks(LISTED_LINKS);
  const list = async () => {
    const { data } = (await api.get('/smartlink')).body as { data: { analytics: { totalClicks: number } }[] };
    expect(data).toHaveLength(LISTED_LINKS);
    return data;
  };
  const cold = await statements.countDuring(list);
  const warm = await statements.countDuring(list);
  expect(cold.keyLookUps).toBe(1);
  await addEvents(
    service.app,
    ids.map((id) => makeEventRow(userId, id)),
  );
  // A list waits a second for its totals. One without totals saves none, and is repeated.
  const changed = await until(async () => {
    let hasTotals = false as boolean;
    const counts = await statements.countDuring(async () => {
      hasTotals = (await list()).some(({ analytics }) => analytics.totalClicks > 0);
      const isSaved = () => statements.texts().some((text) => text.includes('smartlink_totals ('));
      if (hasTotals) await until(isSaved, 'the new totals are saved, after the answer');
    });
    return hasTotals && counts;
  }, 'the list shows the visits');
  for (const { postgres, clickhouse } of [cold, warm, changed])
    expect(postgres + clickhouse).toBeLessThanOrEqual(LIST_STATEMENTS_MAX);
});
