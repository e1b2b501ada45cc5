import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '@smartlink/test-support/until';
import {
  caller,
  type Caller,
  createSmartlink,
  faultsOf,
  PUBLIC_BASE_URL,
  urlSmartlink,
  useService,
} from './start-service.js';
import { type Received, type Receiver, startReceiver, status } from './webhook-receiver.js';

let receiver: Receiver;

const { service, api } = useService({ env: { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' } });
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

type Created = { readonly id: string; readonly secret: string };

async function createWebhook(path: string, eventTypes: readonly string[], by = api): Promise<Created> {
  const res = await by.post('/webhooks', { url: receiver.url(path), eventTypes });
  expect([res.status, res.text]).toEqual([201, res.text]);
  return res.body.data as Created;
}

const verify = (secret: string, { body, headers }: Received) =>
  new Webhook(secret).verify(body, headers) as { type: string; timestamp: string; data: object };

const logOf = async (id: string, query = '') =>
  (await api.get(`/webhooks/deliveries?id=${id}${query}`)).body.data as {
    id: string;
    status: string;
    eventType: string;
  }[];

const untilDelivered = (id: string, count: number) =>
  until(async () => (await logOf(id, '&status=Delivered')).length === count, 'all is delivered');

describe('a change of a smartlink', () => {
  test('is sent in signed messages to the webhooks of its type, and to no others', async () => {
    const all = ['created', 'updated', 'paused', 'activated', 'deleted'].map((what) => `smartlink.${what}`);
    const { id, secret } = await createWebhook('/all', all);
    const deletions = await createWebhook('/deletions', ['smartlink.deleted']);
    const link = (await api.post('/smartlink', urlSmartlink({ smartlinkUrl: 'Hooked' }))).body.data;
    await api.patch('/smartlink', { id: link.id, configuration: { smartlinkName: 'Other' } });
    await api.post('/smartlink/status', { id: link.id, status: 'Paused' });
    await api.post('/smartlink/status', { id: link.id, status: 'Active' });
    await api.delete('/smartlink', { smartlinkId: link.id });
    const sent = await receiver.untilAt('/all', 5);
    // Two are under way at a time, so they come in any order.
    const messages = all.map((type) =>
      sent.map((one) => verify(secret, one)).find((one) => one.type === type),
    );
    expect(messages[0]).toEqual({
      type: 'smartlink.created',
      timestamp: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/) as string,
      data: {
        smartlinkId: link.id,
        smartlinkName: 'Docs',
        smartlinkUrl: 'Hooked',
        smartlinkType: 'Url',
        status: 'Active',
        relink: 'https://sl.example.com/Hooked',
      },
    });
    expect(messages[1]?.data).toMatchObject({
      smartlinkName: 'Other',
      changed: ['smartlinkName'],
    });
    expect(messages[2]?.data).toMatchObject({ status: 'Paused' });
    expect(messages[4]?.data).toMatchObject({ status: 'Deleted' });
    const [deleted] = await receiver.untilAt('/deletions', 1);
    expect(verify(deletions.secret, deleted!).type).toBe('smartlink.deleted');
    expect(() => verify(secret, deleted!)).toThrow('No matching signature');
    expect(sent[0]).toMatchObject({
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'Smartlink-Webhooks/1' },
    });
    await untilDelivered(id, 5);
  });

  test('is sent to no other user and to no disabled webhook', async () => {
    const stranger = caller(service.app, (await service.createUser()).apiKey);
    await createWebhook('/stranger', ['smartlink.created'], stranger);
    const { id } = await createWebhook('/off', ['smartlink.created']);
    expect((await api.patch('/webhooks', { id, isEnabled: false })).body.data.isEnabled).toBe(false);
    await createWebhook('/on', ['smartlink.created']);
    await api.post('/smartlink', urlSmartlink());
    await receiver.untilAt('/on', 1);
    const { rows } = await service.app.pg.query(
      `select 1 from webhook_deliveries join webhooks on webhooks.id = webhook_id where url like any($1)`,
      [['%/stranger', '%/off']],
    );
    expect(rows).toEqual([]);
  });
});

test('with another secret both sign for a day, then the new one alone', async () => {
  const { id, secret } = await createWebhook('/rotated', ['smartlink.unsafe']);
  const rotated = await api.post('/webhooks/rotate-secret', { id });
  const fresh = String(rotated.body.data.secret);
  expect(Buffer.from(fresh.replace('whsec_', ''), 'base64')).toHaveLength(32);
  await api.post('/webhooks/test', { id });
  const [both] = await receiver.untilAt('/rotated', 1);
  expect(verify(secret, both!)).toEqual(verify(fresh, both!));
  expect(both!.headers['webhook-signature']?.split(' ')).toHaveLength(2);
  const inADay = Date.parse(String(rotated.body.data.previousSecretUntil)) - Date.now();
  expect(Math.round(inADay / 3_600_000)).toBe(24);
  await service.app.pg.query(`update webhooks set previous_secret_until = now() where id = $1`, [id]);
  await api.post('/webhooks/test', { id });
  const [, later] = await receiver.untilAt('/rotated', 2);
  expect(verify(fresh, later!)).toMatchObject({ type: 'webhook.test', data: { webhookId: id } });
  expect(() => verify(secret, later!)).toThrow('No matching signature');
});

describe('the log', () => {
  test('lists the outcome of each message, newest first, in pages', async () => {
    const { id } = await createWebhook('/paged', ['smartlink.created']);
    // None is tried again while the log is read.
    receiver.answers.set('/paged', status(503, { 'retry-after': '3600' }));
    for (let i = 0; i < 5; i += 1) await api.post('/webhooks/test', { id });
    await until(
      async () => (await logOf(id)).every((one) => 'error' in one && one.error === 'Answered 503'),
      'all were tried',
    );
    const whole = await logOf(id);
    expect(whole).toHaveLength(5);
    expect(whole[0]).toEqual({
      ...{ id: whole[0]!.id, webhookId: id, eventType: 'webhook.test', status: 'Pending', attempts: 1 },
      ...{ responseStatus: 503, error: 'Answered 503', durationMs: expect.any(Number) as number },
      occurredAt: expect.any(String) as string,
      lastAttemptAt: expect.any(String) as string,
      nextAttemptAt: expect.any(String) as string,
      data: { webhookId: id },
    });
    const paged: object[] = [];
    let path: string | undefined = `/webhooks/deliveries?id=${id}&limit=2&status=Pending`;
    while (path !== undefined) {
      const page: Awaited<ReturnType<Caller['get']>> = await api.get(path);
      paged.push(...(page.body.data as object[]));
      path = /^<\/api\/v1(.+)>; rel="next"$/.exec(String(page.headers.link ?? ''))?.[1];
    }
    expect(paged).toEqual(whole);
    expect(await logOf(id, '&status=Delivered')).toEqual([]);
  });

  test('shows the data of each message as it was sent, in pages of about a MiB', async () => {
    const { id } = await createWebhook('/shown', ['smartlink.created']);
    const { slug } = await createSmartlink(api);
    await untilDelivered(id, 1);
    const [received] = await receiver.untilAt('/shown', 1);
    const [delivery] = (await logOf(id)) as unknown as { data: object }[];
    expect(delivery!.data).toEqual((JSON.parse(received!.body) as { data: object }).data);
    expect(delivery!.data).toMatchObject({ smartlinkUrl: slug, relink: `${PUBLIC_BASE_URL}/${slug}` });
    // Random text does not compress.
    await service.app.pg.query(
      `insert into webhook_deliveries (webhook_id, event_type, status, data)
       select $1, 'visits.recorded', 'Failed', jsonb_build_object('n', n, 'text',
         (select string_agg(md5(random()::text || i || n), '') from generate_series(1, 3000) as i))
       from generate_series(1, 4) as n`,
      [id],
    );
    const counts: number[] = [];
    let cursor: string | undefined = '';
    while (cursor !== undefined) {
      const page: Awaited<ReturnType<Caller['get']>> = await api.get(
        `/webhooks/deliveries?id=${id}${cursor === '' ? '' : `&cursor=${cursor}`}`,
      );
      counts.push((page.body.data as object[]).length);
      cursor = page.headers['x-next-cursor'] as string | undefined;
    }
    expect(counts).toEqual([2, 2, 1]);
  });

  test('sends a delivery again with the same id and body, whatever became of it', async () => {
    const { id } = await createWebhook('/again', ['smartlink.created']);
    await api.post('/webhooks/test', { id });
    await untilDelivered(id, 1);
    const [delivery] = await logOf(id);
    const again = await api.post('/webhooks/redeliver', { deliveryId: delivery!.id });
    expect(again.body.data).toMatchObject({ id: delivery!.id, status: 'Pending', attempts: 1 });
    const [first, second] = await receiver.untilAt('/again', 2);
    expect([second!.headers['webhook-id'], second!.body]).toEqual([delivery!.id, first!.body]);
    await untilDelivered(id, 1);
    expect((await logOf(id))[0]).toMatchObject({ attempts: 2 });
    await api.patch('/webhooks', { id, isEnabled: false });
    const refused = await api.post('/webhooks/redeliver', { deliveryId: delivery!.id });
    expect([refused.status, faultsOf(refused)]).toEqual([400, ['deliveryId']]);
    expect(faultsOf(await api.post('/webhooks/test', { id }))).toEqual(['id']);
  });
});

describe('the API', () => {
  test('shows the secret when it is made and never again, not even in the audit log', async () => {
    const { id, secret } = await createWebhook('/secret-path', ['smartlink.created']);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    await api.patch('/webhooks', { id, description: 'Mine' });
    const list = await api.get('/webhooks');
    expect(list.body.data[0]).toMatchObject({ id, description: 'Mine', isEnabled: true });
    expect(list.text).not.toContain('whsec_');
    const { rows } = await service.app.pg.query(
      `select action, details, actor like 'key %' as "isKey" from audit_entries
       where details ->> 'webhookId' = $1 order by id`,
      [id],
    );
    expect(rows).toEqual([
      { action: 'webhook.create', details: { webhookId: id }, isKey: true },
      { action: 'webhook.update', details: { webhookId: id, changed: ['description'] }, isKey: true },
    ]);
    expect(service.logLines.join('')).not.toMatch(/whsec_|secret-path/);
  });

  test('changes what is sent, and leaves what is the same alone', async () => {
    const { id } = await createWebhook('/patched', ['smartlink.created']);
    const patch = { id, eventTypes: ['visits.recorded', 'visits.recorded'], url: 'https://EXAMPLE.org' };
    const { data } = (await api.patch('/webhooks', patch)).body;
    expect(data).toMatchObject({ eventTypes: ['visits.recorded'], url: 'https://example.org/' });
    expect((await api.patch('/webhooks', patch)).body.data).toEqual(data);
    expect((await api.patch('/webhooks', { id, description: null })).body.data).toEqual(data);
    expect((await api.delete('/webhooks', { webhookId: id })).body).toMatchObject({ data: null });
    expect((await api.get('/webhooks')).text).not.toContain(id);
  });

  test('refuses unsupported values with their paths', async () => {
    const { id } = await createWebhook('/kept', ['smartlink.created']);
    const url = 'https://example.org/';
    const eventTypes = ['smartlink.created'];
    for (const [body, paths] of [
      [{}, ['url', 'eventTypes']],
      [{ url: null, eventTypes: null }, ['url', 'eventTypes']],
      [{ url: 'http://10.0.0.1/', eventTypes: [] }, ['url', 'eventTypes']],
      [{ url: 'http://169.254.169.254/', eventTypes: ['x'] }, ['url', 'eventTypes.0']],
      [{ url: 'https://sl.example.com/api/v1/webhooks', eventTypes }, ['url']],
      [{ url, eventTypes: Array(11).fill('smartlink.created') }, ['eventTypes']],
      [{ url, eventTypes: ['webhook.test'] }, ['eventTypes.0']],
      [{ url, eventTypes, description: 'a\nb' }, ['description']],
      [{ url, eventTypes, description: 'a'.repeat(129) }, ['description']],
      [[], ['']],
    ] as const) {
      const res = await api.post('/webhooks', body);
      expect([body, res.status, faultsOf(res)]).toEqual([body, 400, [...paths]]);
    }
    for (const [body, paths] of [
      [{ id, url: null }, ['url']],
      [{ id, eventTypes: null, isEnabled: 1 }, ['eventTypes', 'isEnabled']],
      [{ id: '' }, ['id']],
    ] as const) {
      const res = await api.patch('/webhooks', body);
      expect([body, res.status, faultsOf(res)]).toEqual([body, 400, [...paths]]);
    }
    expect(faultsOf(await api.get(`/webhooks/deliveries?id=${id}&cursor=x`))).toEqual(['cursor']);
  });

  test('gives a user twenty webhooks, also when they ask for thirty at once', async () => {
    const many = caller(service.app, (await service.createUser()).apiKey);
    const body = { url: 'https://example.org/', eventTypes: ['smartlink.created'] };
    const made = await Promise.all(Array.from({ length: 30 }, () => many.post('/webhooks', body)));
    expect(made.filter((res) => res.status === 201)).toHaveLength(20);
    const refused = made.find((res) => res.status !== 201)!;
    expect([refused.status, refused.body.error.details]).toEqual([
      400,
      [{ path: '', message: 'A user has at most 20 webhooks' }],
    ]);
  });

  test('is deleted with its user', async () => {
    const gone = await service.createUser();
    const by = caller(service.app, gone.apiKey);
    const { id } = await createWebhook('/user', ['smartlink.created'], by);
    await by.post('/webhooks/test', { id });
    await service.app.pg.query('delete from users where id = $1', [gone.userId]);
    const { rows } = await service.app.pg.query('select 1 from webhook_deliveries where webhook_id = $1', [
      id,
    ]);
    expect(rows).toEqual([]);
  });
});

test('the metrics count attempts and waiting messages', async () => {
  const body = await service.app.metrics.registry.metrics();
  const lines = body.split('\n');
  const value = (name: string) => Number(lines.find((line) => line.startsWith(`${name} `))?.split(' ')[1]);
  expect(value('smartlink_webhook_attempts_total{result="delivered"}')).toBeGreaterThan(5);
  expect(value('smartlink_webhook_attempts_total{result="retried"}')).toBeGreaterThanOrEqual(5);
  expect(value('smartlink_webhook_pending')).toBeGreaterThanOrEqual(5);
  expect(value('smartlink_webhook_overdue_seconds')).toBeGreaterThanOrEqual(0);
});
