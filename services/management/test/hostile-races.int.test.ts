import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { trialSize } from '@smartlink/test-support/trial-size';
import { until } from '@smartlink/test-support/until';
import { uploadTo } from './import-calls.js';
import { fullDocument, TYPES } from './schema-documents.js';
import {
  caller,
  type Caller,
  callerWith,
  createPerson,
  sessionHeaders,
  signIn,
  urlSmartlink,
  useSecondService,
  useService,
} from './start-service.js';
import { count, untilPublished } from './stored-state.js';

// Decisions of the database, requested from two processes at once.

const { service, user, api } = useService({ takesNewMembers: true });
const second = useSecondService(service);
let sameUserElsewhere: Caller;
beforeAll(async () => {
  await until(() => second.app.formatGate.state() === 'open', 'the gate is open');
  sameUserElsewhere = caller(second.app, user.apiKey);
});
const refusals = () =>
  [...service.logLines, ...second.logLines].filter((line) => line.includes('refused with 503'));
afterEach(() => {
  // Such as a deadlock.
  expect(refusals().filter((line) => !line.includes('timeout'))).toEqual([]);
});
type Answer = Awaited<ReturnType<Caller['get']>>;

const ATTEMPTS = trialSize(20, 50);
/** Makes a call. One that waited for too long, 3 s for a connection or 5 s for a lock, is 503 with nothing done: it is made again. */
const call = (make: () => Promise<Answer>) =>
  until(async () => {
    const answer = await make();
    return answer.status !== 503 && answer;
  }, 'a call is answered');
const attempts = (attempt: (i: number) => Promise<Answer>) =>
  Promise.all(Array.from({ length: ATTEMPTS }, (_, i) => call(() => attempt(i))));

/** A full document of the seven types in turn, with this configuration. */
const documentOf = (i: number, configuration: object = {}) => {
  const document = fullDocument(TYPES[i % TYPES.length]!);
  return { ...document, configuration: { ...(document['configuration'] as object), ...configuration } };
};

const statusesOf = (answers: readonly Answer[]) => {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};
const LIMITS: readonly (readonly [string, number])[] = [
  ['Starter', 3],
  ['Professional', 10],
];

describe.each(LIMITS)('the limit of %s, %i', (plan, limit) => {
  test.each([
    ['without a key', () => ({})],
    ['each with an Idempotency-Key', (i: number) => ({ 'idempotency-key': `own-${i}` })],
  ])('lets one of many creates through at one below it, all types, %s', async (how, headersOf) => {
    const { userId, apiKey } = await service.createUser(plan);
    const callers = [caller(service.app, apiKey), caller(second.app, apiKey)];
    for (let i = 1; i < limit; i += 1)
      expect((await callers[0]!.post('/smartlink', urlSmartlink())).status).toBe(201);
    const create = (i: number) => callers[i % 2]!.post('/smartlink', documentOf(i), headersOf(i));
    const answers = await attempts(create);
    expect(statusesOf(answers)).toEqual({ 201: 1, 403: ATTEMPTS - 1 });
    expect(
      new Set(answers.filter(({ status }) => status === 403).map(({ body }) => String(body.error.code))),
    ).toEqual(new Set(['SUBSCRIPTION_LIMIT_REACHED']));
    expect(await count(service.app, 'smartlinks where user_id = $1', [userId])).toBe(limit);
    expect(await count(service.app, 'slugs where user_id = $1', [userId])).toBe(limit);
    if (!how.startsWith('each')) return;
    // Asked again, each gets its own answer and nothing is made.
    const again = await attempts(create);
    expect(again.map(({ text }) => text)).toEqual(answers.map(({ text }) => text));
    expect(await count(service.app, 'smartlinks where user_id = $1', [userId])).toBe(limit);
  });
});

describe('one slug in mixed case', () => {
  test('goes to one of 50 creates of two users, all types', async () => {
    const stranger = caller(second.app, (await service.createUser()).apiKey);
    const spellings = ['RaceOne', 'raceone', 'RACEONE', 'rACEoNE'];
    const answers = await attempts((i) =>
      (i % 2 === 0 ? api : stranger).post('/smartlink', documentOf(i, { smartlinkUrl: spellings[i % 4] })),
    );
    expect(statusesOf(answers)).toEqual({ 201: 1, 409: ATTEMPTS - 1 });
    expect(await count(service.app, `slugs where key = 'raceone'`)).toBe(1);
    expect(await count(service.app, `smartlinks where lower(slug) = 'raceone'`)).toBe(1);
  });

  test('asked for many times under one Idempotency-Key is one smartlink and one answer', async () => {
    const body = documentOf(6, { smartlinkUrl: 'RaceTwo' });
    const answers = await attempts((i) =>
      (i % 2 === 0 ? api : sameUserElsewhere).post('/smartlink', body, { 'idempotency-key': 'race-two' }),
    );
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(201);
    expect(await count(service.app, `smartlinks where slug = 'RaceTwo'`)).toBe(1);
  });

  test('goes to one of many smartlinks that are renamed to it; the others keep theirs', async () => {
    const stranger = caller(second.app, (await service.createUser()).apiKey);
    const owners = Array.from({ length: ATTEMPTS }, (_, i) => (i % 2 === 0 ? api : stranger));
    const links = await attempts((i) => owners[i]!.post('/smartlink', urlSmartlink()));
    const answers = await attempts((i) =>
      owners[i]!.patch('/smartlink', {
        id: links[i]!.body.data.id,
        configuration: { smartlinkUrl: i % 3 === 0 ? 'RaceThree' : 'racethree' },
      }),
    );
    expect(statusesOf(answers)).toEqual({ 200: 1, 409: ATTEMPTS - 1 });
    const winner = answers.findIndex(({ status }) => status === 200);
    for (const [i, link] of links.entries()) {
      const { id, configuration } = link.body.data as { id: string; configuration: { smartlinkUrl: string } };
      const { rows } = await service.app.pg.query(
        'select slug, is_primary from slugs where smartlink_id = $1 order by is_primary',
        [id],
      );
      expect(rows).toEqual(
        i === winner
          ? [
              { slug: configuration.smartlinkUrl, is_primary: false },
              { slug: answers[winner]!.body.data.configuration.smartlinkUrl, is_primary: true },
            ]
          : [{ slug: configuration.smartlinkUrl, is_primary: true }],
      );
    }
  });

  test('goes to neither of two smartlinks renamed to each other’s slug, without a deadlock', async () => {
    const pairs = await Promise.all(
      Array.from({ length: ATTEMPTS / 2 }, async () => {
        const create = () => call(() => api.post('/smartlink', urlSmartlink()));
        const [one, two] = await Promise.all([create(), create()]);
        return [one.body.data, two.body.data] as [Linked, Linked];
      }),
    );
    const before = new Set(refusals());
    const answers = await Promise.all(
      pairs.flatMap(([one, two]) => [
        call(() => rename(api, one.id, two.configuration.smartlinkUrl)),
        call(() => rename(sameUserElsewhere, two.id, one.configuration.smartlinkUrl)),
      ]),
    );
    expect(statusesOf(answers)).toEqual({ 409: 2 * pairs.length });
    // A busy machine may be late with a connection; a wait for a lock would be one for the other of the pair.
    const late = 'timeout exceeded when trying to connect';
    expect(refusals().filter((line) => !before.has(line) && !line.includes(late))).toEqual([]);
  });
});

type Linked = { readonly id: string; readonly configuration: { readonly smartlinkUrl: string } };
const rename = (who: Caller, id: string, smartlinkUrl: string) =>
  who.patch('/smartlink', { id, configuration: { smartlinkUrl } });

describe('status, PATCH and DELETE of one smartlink at once', () => {
  const ROUNDS = trialSize(4, 15);
  const pause = (who: Caller, id: string) => who.post('/smartlink/status', { id, status: 'Paused' });
  const activate = (who: Caller, id: string) => who.post('/smartlink/status', { id, status: 'Active' });
  const edit = (who: Caller, id: string, word: string) =>
    who.patch('/smartlink', { id, configuration: { smartlinkName: word } });

  test.each([
    ['without a DELETE', false],
    ['with two', true],
  ])(
    '%s leave one consistent row, one audit entry a change, and the newest snapshot',
    async (_how, deletes) => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const { id } = (await api.post('/smartlink', documentOf(round))).body.data as Linked;
        const calls = [
          () => pause(api, id),
          () => edit(sameUserElsewhere, id, 'One'),
          () => activate(sameUserElsewhere, id),
          () => edit(api, id, 'Two'),
          () => rename(sameUserElsewhere, id, `Moved${deletes}${round}`),
          () => pause(sameUserElsewhere, id),
        ];
        const others = calls.map((make) => make());
        // A DELETE is quicker than the rest and comes first; in every other round it waits until one of them is done.
        if (deletes && round % 2 === 1) await Promise.race(others);
        const answers = await Promise.all([
          ...others,
          ...(deletes
            ? [api, sameUserElsewhere].map((who) => who.delete('/smartlink', { smartlinkId: id }))
            : []),
        ]);
        const deletions = answers.slice(calls.length).map(({ status }) => status);
        expect(deletions.sort()).toEqual(deletes ? [200, 404] : []);
        expect(answers.filter(({ status }) => status !== 200 && !(deletes && status === 404))).toEqual([]);
        await expectConsistent(id, deletes);
      }
    },
  );

  async function expectConsistent(id: string, isDeleted: boolean): Promise<void> {
    await untilPublished(service.app);
    const { rows } = await service.app.pg.query(
      'select status, name, slug, version from smartlinks where id = $1',
      [id],
    );
    const row = rows[0] as { status: string; name: string; slug: string; version: string };
    const { rows: entries } = await service.app.pg.query(
      'select action, details from audit_entries where smartlink_id = $1 order by id',
      [id],
    );
    const actions = (entries as { action: string }[]).map(({ action }) => action.replace('smartlink.', ''));
    expect(actions[0]).toBe('create');
    const moves = actions.filter((action) => ['pause', 'activate', 'delete'].includes(action));
    // Pauses and activations take turns: one that changes nothing leaves no entry.
    expect(moves.every((move, i) => move !== moves[i - 1])).toBe(true);
    expect(moves.filter((move) => move === 'delete')).toHaveLength(isDeleted ? 1 : 0);
    expect(row.status).toBe({ pause: 'Paused', activate: 'Active', delete: 'Deleted' }[moves.at(-1)!]);
    if (isDeleted) expect(actions.at(-1)).toBe('delete');
    const { rows: slugs } = await service.app.pg.query(
      'select key, is_primary from slugs where smartlink_id = $1',
      [id],
    );
    const addresses = slugs as { key: string; is_primary: boolean }[];
    expect(addresses.filter(({ is_primary }) => is_primary).map(({ key }) => key)).toEqual([
      row.slug.toLowerCase(),
    ]);
    for (const { key } of addresses) {
      const value = await service.app.redis.get(`${service.databases.redisKeyPrefix}link:${key}`);
      expect(value).toContain(`"status":"${row.status}"`);
      expect(value).toContain(`"version":${row.version}`);
    }
  }
});

test('a webhook that is being deleted while a smartlink changes is waited for, and the change is made', async () => {
  const webhook = { url: 'https://example.org/', eventTypes: ['smartlink.created'] };
  const { id } = (await api.post('/webhooks', webhook)).body.data as { id: string };
  const deletion = await service.app.pg.connect();
  try {
    await deletion.query('begin');
    await deletion.query('delete from webhooks where id = $1', [id]);
    const created = api.post('/smartlink', urlSmartlink());
    await until(async () => {
      const { rows } = await deletion.query(
        'select from pg_locks join pg_stat_activity using (pid) where not granted and datname = current_database()',
      );
      return rows.length > 0;
    }, 'the create waits');
    await deletion.query('commit');
    expect((await created).status).toBe(201);
  } finally {
    deletion.release();
  }
});

test('of two starts of imports at once, where one more may run, one is refused', async () => {
  const { userId } = await service.createUser();
  const person = await createPerson(service.app, { roles: { [userId]: 'Editor' } });
  const { token } = await signIn(service.app, person, userId);
  const editors = [service.app, second.app].map((app) => callerWith(app, sessionHeaders(token)));
  await service.app.pg.query(
    `insert into imports (id, user_id, format, state, run_due_at, run_started_at)
     select gen_random_uuid(), $1, 'csv', 'running', 'infinity', now() from generate_series(1, 4)`,
    [userId],
  );
  const ids: string[] = [];
  for (const slug of ['a', 'b']) {
    const { body } = await uploadTo(editors[0]!, `slug,url\nlast-${slug},https://example.org/\n`);
    ids.push(String(body.data.id));
  }
  const log = await service.app.pg.connect();
  try {
    // A start ends with its entry in the audit log, so both wait, wherever they are.
    await log.query('begin');
    await log.query('lock table audit_entries in exclusive mode');
    const starting = Promise.all(editors.map((editor, i) => editor.post('/imports/start', { id: ids[i]! })));
    await until(async () => {
      const { rows } = await log.query(
        'select from pg_locks join pg_stat_activity using (pid) where not granted and datname = current_database()',
      );
      return rows.length === 2;
    }, 'both starts wait');
    await log.query('commit');
    expect(statusesOf(await starting)).toEqual({ 200: 1, 400: 1 });
  } finally {
    log.release();
  }
});
