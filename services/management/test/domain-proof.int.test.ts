import { expect, test } from 'vitest';
import { txtName } from '@smartlink/smartlink/domains';
import { addDomain, type Domain, findDomain, newHost, useDns, useDomains, verify } from './domain-calls.js';
import { createSmartlink } from './start-service.js';

// Proof, failure and hand-over of custom domains, by records of a name server on loopback.

const dns = await useDns();
const { service, newUser, addProven, prove, stored, audited, messages, lookAt, passDays } = useDomains(dns);

test('a domain is Active once its TXT record is found, and only then', async () => {
  const [{ api, userId }, other] = [await newUser(), await newUser()];
  const domain = await addDomain(api);
  const { txtName: name, txtValue } = domain.verification;
  const { verification: foreign } = await addDomain(other.api, { host: domain.host });
  expect(foreign.txtValue).not.toBe(txtValue);
  const noValue = `The TXT records at ${name} do not have this value`;
  for (const [zone, problem] of [
    [undefined, `There is no TXT record at ${name}`],
    [{ A: ['192.0.2.1'] }, `There is no TXT record at ${name}`],
    [{ TXT: [['v=spf1 -all']] }, noValue],
    [{ TXT: [[txtValue.toLowerCase()]] }, noValue],
    [{ TXT: [[txtValue.slice(0, -1)]] }, noValue],
    [{ TXT: [[`x${txtValue}`]] }, noValue],
    [{ TXT: [[foreign.txtValue]] }, noValue],
    ['SERVFAIL', `The DNS answered SERVFAIL, asked for ${name}`],
    ['REFUSED', `The DNS refused to answer, asked for ${name}`],
  ] as const) {
    dns.zones.clear();
    if (zone !== undefined) dns.zones.set(name, zone);
    const { status, message, data } = await verify(api, domain);
    expect([status, message, data.status, data.verification['problem']]).toEqual([
      200,
      'Domain not verified',
      'Pending',
      problem,
    ]);
  }
  dns.zones.set('sl.example.com', { A: ['192.0.2.7'] });
  dns.zones.set(domain.host, { A: ['192.0.2.7'] });
  prove(domain);
  const { message, data } = await verify(api, domain);
  expect([message, data.status, data.verification['problem'], data.verification['pointsHere']]).toEqual([
    'Domain verified',
    'Active',
    undefined,
    true,
  ]);
  expect(data.verification['checkedAt']).toMatch(/Z$/);
  expect(await audited(userId, domain.id)).toEqual(['domain.create', 'domain.verify']);
});

test('an Active domain without its record is Failing, then Suspended, and Active again with it', async () => {
  const { api, userId } = await newUser();
  await api.post('/webhooks', { url: 'https://hooks.example.org/', eventTypes: ['domain.failing'] });
  const domain = await addProven(api);
  await api.patch('/domains', { id: domain.id, isDefault: true });
  const name = txtName(domain.host);
  // No answer is no absence.
  dns.zones.set(name, 'SERVFAIL');
  await lookAt(domain);
  expect((await verify(api, domain)).data.status).toBe('Active');
  dns.zones.delete(name);
  const failing = await verify(api, domain);
  expect([failing.message, failing.data.status, failing.data.isDefault]).toEqual([
    'Domain not verified',
    'Failing',
    true,
  ]);
  await lookAt(domain);
  expect((await findDomain(api, domain.id))?.status).toBe('Failing');
  expect(await messages(userId)).toEqual([
    {
      type: 'domain.failing',
      data: {
        domainId: domain.id,
        host: domain.host,
        status: 'Failing',
        problem: `There is no TXT record at ${name}`,
      },
    },
  ]);
  await passDays(domain, 15);
  dns.zones.set(name, 'SERVFAIL');
  await lookAt(domain);
  expect((await findDomain(api, domain.id))?.status).toBe('Failing');
  dns.zones.delete(name);
  await lookAt(domain);
  expect(await findDomain(api, domain.id)).toMatchObject({ status: 'Suspended', isDefault: false });
  prove(domain);
  await lookAt(domain);
  expect((await findDomain(api, domain.id))?.status).toBe('Active');
  expect(await audited(userId, domain.id)).toEqual([
    ...['domain.create', 'domain.verify', 'domain.update'],
    ...['domain.failing', 'domain.suspend', 'domain.verify'],
  ]);
});

test('a domain that stays Pending for 30 days is removed', async () => {
  const { api, userId } = await newUser();
  const [old, young, proven] = [await addDomain(api), await addDomain(api), await addProven(api)];
  await passDays(old, 31);
  await passDays(young, 29);
  await passDays(proven, 31);
  await lookAt(young);
  expect(((await api.get('/domains')).body.data as Domain[]).map(({ id }) => id).sort()).toEqual(
    [young.id, proven.id].sort(),
  );
  expect((await audited(userId, old.id)).at(-1)).toBe('domain.delete');
});

test('the first account that proves a host has it', async () => {
  const [first, second] = [await newUser(), await newUser()];
  const domain = await addDomain(first.api);
  const twice = await first.api.post('/domains', { host: domain.host.toUpperCase() });
  expect([twice.status, twice.body.error]).toEqual([
    409,
    {
      code: 'DOMAIN_TAKEN',
      message: 'Domain is already taken',
      details: [{ path: 'host', message: 'Is already taken' }],
    },
  ]);
  const rival = await addDomain(second.api, { host: domain.host });
  const both = { TXT: [[domain.verification.txtValue], [rival.verification.txtValue]] };
  dns.zones.set(txtName(domain.host), both);
  const outcomes = await Promise.all([verify(first.api, domain), verify(second.api, rival)]);
  expect(outcomes.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(outcomes.find(({ status }) => status === 409)?.code).toBe('DOMAIN_TAKEN');
  const statuses = [(await stored(domain.id))?.status, (await stored(rival.id))?.status];
  expect(statuses.sort()).toEqual(['Active', 'Pending']);
  // A look of the job changes nothing.
  await lookAt(domain, rival);
  expect([(await stored(domain.id))?.status, (await stored(rival.id))?.status].sort()).toEqual(statuses);
});

test.each(['Failing', 'Suspended'])(
  'who proves the host of a %s domain gets it, without its links',
  async (status) => {
    const [holder, other] = [await newUser(), await newUser()];
    const domain = await addProven(holder.api);
    const { id: linkId } = await createSmartlink(holder.api);
    const { number } = (await stored(domain.id))!;
    await service.app.pg.query('update smartlinks set domain_number = $2 where id = $1', [linkId, number]);
    const rival = await addDomain(other.api, { host: domain.host });
    dns.zones.set(txtName(domain.host), { TXT: [[rival.verification.txtValue]] });
    expect((await verify(other.api, rival)).code).toBe('DOMAIN_TAKEN');
    expect((await verify(holder.api, domain)).data.status).toBe('Failing');
    if (status === 'Suspended') {
      await passDays(domain, 15);
      await lookAt(domain);
    }
    expect((await stored(domain.id))?.status).toBe(status);
    const { data } = await verify(other.api, rival);
    expect([data.status, data.smartlinkCount]).toEqual(['Active', 0]);
    expect((await stored(rival.id))?.number).not.toBe(number);
    // Its row stays for the smartlinks that name it, and is seen no more.
    expect((await stored(domain.id))?.status).toBe('Removed');
    expect((await holder.api.get('/domains')).body.data).toEqual([]);
    expect((await audited(holder.userId, domain.id)).at(-1)).toBe('domain.lose');
    expect((await audited(other.userId, rival.id)).at(-1)).toBe('domain.verify');
    // The earlier holder may prove it again, while the new one has it no more.
    const again = await addDomain(holder.api, { host: domain.host });
    expect(again.id).not.toBe(domain.id);
  },
);

test('one verified domain of an account is its default', async () => {
  const { api } = await newUser();
  const [a, b, pending] = [await addProven(api), await addProven(api), await addDomain(api)];
  const refused = await api.patch('/domains', { id: pending.id, isDefault: true });
  expect(refused.body.error.details).toEqual([{ path: 'isDefault', message: 'This domain is not verified' }]);
  const early = await api.post('/domains', { host: newHost(), isDefault: true });
  expect(early.body.error.details).toEqual([{ path: 'isDefault', message: 'This domain is not verified' }]);
  const defaults = async () =>
    ((await api.get('/domains')).body.data as Domain[])
      .filter(({ isDefault }) => isDefault)
      .map(({ id }) => id);
  await api.patch('/domains', { id: a.id, isDefault: true });
  expect(await defaults()).toEqual([a.id]);
  const results = await Promise.all(
    [a, b, a, b].map(({ id }) => api.patch('/domains', { id, isDefault: true })),
  );
  expect(results.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(await defaults()).toHaveLength(1);
  const [id] = await defaults();
  expect((await api.patch('/domains', { id, isDefault: false })).body.data.isDefault).toBe(false);
  expect(await defaults()).toEqual([]);
});

test('an account may have its domains looked at ten times a minute', async () => {
  const { api } = await newUser();
  const domain = await addDomain(api);
  for (let i = 0; i < 10; i += 1) expect((await verify(api, domain)).status).toBe(200);
  const refused = await api.post('/domains/verify', { id: domain.id });
  expect([refused.status, refused.body.error.code]).toEqual([429, 'RATE_LIMITED']);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect((await verify((await newUser()).api, domain)).status).toBe(404);
});

test('accounts take turns in the daily look', async () => {
  const [busy, quiet] = [await newUser(), await newUser()];
  const many = await Promise.all(Array.from({ length: 30 }, () => addDomain(busy.api)));
  const one = await addDomain(quiet.api);
  await service.app.pg.query(
    `update domains set check_due_at = now() - interval '2 days' where id = any($1)`,
    [many.map(({ id }) => id)],
  );
  dns.asked.length = 0;
  await lookAt(one);
  const order = dns.asked.filter((question) => question.startsWith('TXT '));
  expect(order).toHaveLength(31);
  expect(order.indexOf(`TXT ${txtName(one.host)}`)).toBeLessThan(16);
});
