import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '@smartlink/test-support/until';
import { caller, startServiceOn, urlSmartlink } from '../../../services/management/test/start-service.js';
import { useAdmin } from './run-admin.js';

type Plan = {
  name: string;
  smartlinks: number | null;
  requestsPerMinute: number;
  analyticsDays: number | null;
  advanced: boolean;
};

const admin = useAdmin();
let app: FastifyInstance;

beforeAll(async () => {
  ({ app } = await startServiceOn(admin.databases));
});
afterAll(() => app.close());

const listPlans = () => admin.json<(Plan & { users: number })[]>('plans', 'list');
const findPlan = async (name: string) => (await listPlans()).find((plan) => plan.name === name);

async function expectRefused(args: string[], line: RegExp): Promise<void> {
  const before = await listPlans();
  const stderr = await admin.refused(...args);
  expect(stderr).toMatch(line);
  expect(await listPlans()).toEqual(before);
}

test('the plans of a new instance are those that were decided, smallest first', async () => {
  const starter = { requestsPerMinute: 60, analyticsDays: 120, advanced: false, mediaBytes: 50_000_000 };
  const professional = { requestsPerMinute: 600, analyticsDays: null, advanced: true, users: 0 };
  expect(await listPlans()).toEqual([
    { name: 'Starter', smartlinks: 3, ...starter, users: 0 },
    { ...professional, name: 'Professional', smartlinks: 10, mediaBytes: 500_000_000 },
    { ...professional, name: 'Enterprise', smartlinks: null, requestsPerMinute: 3_000, mediaBytes: null },
  ]);
  expect((await admin.run('plans', 'list')).stdout).toBe(
    `PLAN          SMARTLINKS  REQUESTS/MIN  ANALYTICS DAYS  ADVANCED  MEDIA BYTES  USERS
Starter       3           60            120             no        50000000     0
Professional  10          600           unlimited       yes       500000000    0
Enterprise    unlimited   3000          unlimited       yes       unlimited    0
`,
  );
});

test('a plan is created, changed only where options say so, given to users, and deleted once it has no users', async () => {
  const made = await admin.json<Plan>('plans', 'create', 'Team', '--smartlinks', '20', '--advanced', 'no');
  expect(made).toEqual({
    name: 'Team',
    smartlinks: 20,
    requestsPerMinute: 3000,
    analyticsDays: null,
    advanced: false,
    mediaBytes: null,
  });
  const { email } = await admin.createUser('team');
  expect(await findPlan('Team')).toEqual({ ...made, users: 1 });

  const changed = await admin.json<Plan>(
    'plans set TEAM --smartlinks unlimited --analytics-days 30 --media-bytes 7',
  );
  expect(changed).toEqual({ ...made, smartlinks: null, analyticsDays: 30, mediaBytes: 7 });
  expect(await findPlan('Team')).toEqual({ ...changed, users: 1 });

  await expectRefused(['plans', 'delete', 'Team'], /^One user is on the plan Team/);
  await admin.json('users', 'set-plan', email, 'Starter');
  expect(await admin.json('plans', 'delete', 'team')).toEqual({ name: 'Team' });
  expect(await findPlan('Team')).toBeUndefined();
});

test('the audit log has each change of a plan with the values before and after', async () => {
  await admin.json('plans', 'create', 'Noted', '--smartlinks', '5', '--requests-per-minute', '50');
  await admin.json('plans', 'set', 'Noted', '--smartlinks', 'unlimited', '--requests-per-minute', '50');
  // What changes nothing is nothing to note.
  await admin.json('plans', 'set', 'Noted', '--requests-per-minute', '50');
  await admin.json('plans', 'delete', 'Noted');
  const { rows } = await admin.db.query(
    `select actor, action, user_id, details from audit_entries where details ->> 'plan' = 'Noted' order by id`,
  );
  const limits = {
    requestsPerMinute: 50,
    analyticsDays: 'unlimited',
    advanced: true,
    mediaBytes: 'unlimited',
  };
  const entry = { actor: 'admin', user_id: null };
  expect(rows).toEqual([
    { ...entry, action: 'plan.create', details: { plan: 'Noted', limits: { smartlinks: 5, ...limits } } },
    {
      ...entry,
      action: 'plan.set',
      details: { plan: 'Noted', from: { smartlinks: 5 }, to: { smartlinks: 'unlimited' } },
    },
    {
      ...entry,
      action: 'plan.delete',
      details: { plan: 'Noted', limits: { smartlinks: 'unlimited', ...limits } },
    },
  ]);
});

test.each([
  [['plans', 'set', 'Gold', '--smartlinks', '1'], /^There is no plan Gold: choose one of Starter/],
  [['plans', 'set', 'Starter'], /^Nothing to change/],
  [
    ['plans', 'set', 'Starter', '--smartlinks', '-1', '--analytics-days', '0', '--advanced', 'maybe'],
    /^--smartlinks "-1": .* or unlimited; --analytics-days "0": .*; --advanced "maybe": expected yes or no\.$/m,
  ],
  [['plans', 'create', 'STARTER'], /^There is a plan STARTER already/],
  [['plans', 'create', ' '], /^The name of a plan/],
  [['plans', 'delete', 'professional'], /^Professional is a plan every instance begins with: add --yes/],
  [['plans', 'delete', 'Enterprise'], /^Enterprise is the plan of users made without --plan: add --yes/],
  [['plans', 'delete', 'Gold'], /^There is no plan Gold/],
])('%j is one clear line and changes nothing', expectRefused);

test('changed limits hold for the requests of everybody on the plan, without a restart', async () => {
  const limits = [
    '--smartlinks',
    '1',
    '--requests-per-minute',
    '500',
    '--analytics-days',
    '30',
    '--advanced',
    'no',
  ];
  await admin.json('plans', 'create', 'Growing', ...limits);
  const { apiKey } = await admin.createUser('Growing');
  const api = caller(app, apiKey);
  const create = () => api.post('/smartlink', urlSmartlink());
  const limitOf = async () => (await api.get('/validate')).headers['ratelimit-limit'];
  const first = await create();
  expect([first.status, (await create()).status]).toEqual([201, 403]);
  expect(await limitOf()).toBe('500');
  const { data } = first.body as { data: { id: string } };
  const statusOf = async (query: string) =>
    (await api.get(`/smartlink/analytics?id=${data.id}&${query}`)).status;
  expect([await statusOf('from=2026-01-01'), await statusOf('interval=hour')]).toEqual([403, 403]);

  await admin.json('plans set Growing --smartlinks 2 --requests-per-minute 400');
  await admin.json('plans set Growing --analytics-days unlimited --advanced yes');
  await until(async () => (await limitOf()) === '400', 'the new limit holds');
  await until(async () => (await statusOf('interval=hour')) === 200, 'the new calls are allowed');
  expect(await statusOf('from=2026-01-01')).toBe(200);
  expect([(await create()).status, (await create()).status]).toEqual([201, 403]);

  await admin.json('plans', 'set', 'Growing', '--requests-per-minute', '1');
  await until(async () => (await api.get('/validate')).status === 429, 'one a minute holds');
});

// The last one: it takes a plan away.
test('a plan every instance begins with is deleted with --yes, and users then need another one', async () => {
  await admin.db.query(`delete from users where plan = 'Enterprise'`);
  expect(await admin.json('plans', 'delete', 'Enterprise', '--yes')).toEqual({ name: 'Enterprise' });
  await expectRefused(
    ['users', 'create', '--email', 'ann@example.com'],
    /^There is no plan Enterprise: choose/,
  );
});
