import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { caller, type Caller, createPerson, type TestUser } from './start-service.js';

// What brings about the documented failures of collections and of operators, by operation and example.

type Answer = Awaited<ReturnType<Caller['call']>>;

/** The failures of a collection of named objects. */
export function failuresOfNamed(
  given: () => { app: FastifyInstance; api: Caller; newUser: () => Promise<TestUser> },
  noun: string,
  path: string,
  table: string,
  max: number,
  more: object = {},
) {
  const taken = async (send: (name: string) => Promise<Answer>) => {
    const { api } = given();
    await api.post(path, { name: 'taken', ...more });
    return send('Taken');
  };
  return {
    [`list${noun}s`]: { limit: () => given().api.get(`${path}?limit=101`) },
    [`create${noun}`]: {
      taken: () => taken((name) => given().api.post(path, { name, ...more })),
      tooMany: async () => {
        const { app, newUser } = given();
        const other = await newUser();
        await app.pg.query(
          `insert into ${table} (${['id', 'user_id', 'name', 'key', ...Object.keys(more)].join(', ')})
           select gen_random_uuid(), $1, n::text, n::text ${Object.values(more)
             .map((value) => `, '${JSON.stringify(value)}'::jsonb`)
             .join('')} from generate_series(1, $2) as n`,
          [other.userId, max],
        );
        return caller(app, other.apiKey).post(path, { name: 'one more', ...more });
      },
    },
    [`update${noun}`]: {
      taken: () =>
        taken(async (name) => {
          const { api } = given();
          const other = (await api.post(path, { name: randomUUID(), ...more })).body.data as { id: string };
          return api.patch(path, { id: other.id, name });
        }),
    },
  };
}

/** Of the calls for operators; `owner` operates too. */
export function failuresOfOperators(
  given: () => { app: FastifyInstance; owner: Caller; email: string; userId: string; id: string },
) {
  const createBy = (more: object) =>
    given().owner.post('/admin/people', { email: 'person@example.org', ...more });
  return {
    listPeople: { cursor: () => given().owner.get('/admin/people?cursor=x') },
    createPerson: {
      account: () => createBy({ accountId: randomUUID(), role: 'Viewer' }),
      role: () => createBy({ accountId: randomUUID() }),
      taken: async () => {
        await createBy({});
        return createBy({});
      },
    },
    updatePerson: {
      disabled: async () => {
        const { personId } = await createPerson(given().app);
        return given().owner.patch('/admin/people', { personId, isDisabled: true, link: 'reset' });
      },
    },
    listAccounts: { cursor: () => given().owner.get('/admin/accounts?cursor=x') },
    createAccount: {
      plan: () => given().owner.post('/admin/accounts', { email: 'new@example.org', plan: 'Gold' }),
      taken: () => given().owner.post('/admin/accounts', { email: given().email }),
    },
    updateOperatedAccount: {
      plan: () => given().owner.patch('/admin/accounts', { id: given().userId, plan: 'Gold' }),
    },
    updatePlan: {
      limit: () => given().owner.patch('/admin/plans', { name: 'Starter', requestsPerMinute: 0 }),
    },
    listUnsafeSmartlinks: { state: () => given().owner.get('/admin/safety?state=safe') },
    recheckSmartlink: {
      noProvider: () => given().owner.post('/admin/safety/recheck', { smartlinkId: given().id }),
    },
  };
}
