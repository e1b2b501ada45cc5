import type { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withTransaction } from '@smartlink/process/database';
import { until } from '@smartlink/test-support/until';
import type { Principal } from '../src/accounts/accounts.js';
import { attemptDelivery, finishAttempt } from '../src/webhooks/attempt-delivery.js';
import { createDeliveryLog } from '../src/webhooks/delivery-log.js';
import { claimDeliveries } from '../src/webhooks/delivery-queries.js';
import { attemptDeps, type DispatchFrame, startDispatchFrame } from './webhook-dispatch-frame.js';
import { type Receiver, status } from './webhook-receiver.js';

let frame: DispatchFrame;
let pg: Pool;
let receiver: Receiver;
let queue: DispatchFrame['queue'];
let dispatcher: ReturnType<DispatchFrame['startDispatcher']>;
let userId: string;

beforeAll(async () => {
  frame = await startDispatchFrame();
  ({ pg, receiver, queue } = frame);
  userId = await frame.addUser();
  dispatcher = frame.startDispatcher();
});
afterAll(async () => {
  await dispatcher.stop();
  await frame.close();
});

const addWebhook = async (path: string): Promise<string> => (await frame.addWebhooks(userId, path, 1))[0]!;

/** Makes a message due after `attempts`; a busy machine may have made the next one already. */
const makeDue = (id: string, attempts: number) =>
  pg.query(
    `update webhook_deliveries set next_attempt_at = now() - interval '1 second' where id = $1 and attempts = $2`,
    [id, attempts],
  );

const rowOf = async (id: string) =>
  (
    await pg.query(
      `select status, attempts, response_status, error,
              extract(epoch from next_attempt_at - last_attempt_at)::float8 as "waitSeconds",
              leased_until is null as "isEnded"
       from webhook_deliveries where id = $1`,
      [id],
    )
  ).rows[0] as Record<string, unknown>;

/** Waits until an attempt has ended, and returns the message. */
const untilEnded = (id: string, attempts: number) =>
  until(async () => {
    const row = await rowOf(id);
    return row['attempts'] === attempts && row['isEnded'] === true && row;
  }, `attempt ${attempts} has ended`);

/** Expects a wait so long from the end of an attempt that began no sooner than `since`. */
function expectWait({ waitSeconds }: Record<string, unknown>, seconds: number, since: number): void {
  expect(waitSeconds).toBeGreaterThanOrEqual(seconds);
  expect(waitSeconds).toBeLessThan(seconds + (performance.now() - since) / 1_000);
}

const webhookOf = async (id: string) =>
  (await pg.query(`select is_enabled, disabled_reason, failing_since from webhooks where id = $1`, [id]))
    .rows[0] as Record<string, unknown>;

describe('a message that is refused', () => {
  test('is sent again by the schedule, with the same id and body, until it is taken', async () => {
    const webhook = await addWebhook('/flaky');
    const answers = [status(500), status(429, { 'retry-after': '3600' })];
    receiver.answers.set('/flaky', (...call) => {
      (answers.shift() ?? status(200))(...call);
    });
    const from = performance.now();
    const [id] = await queue(webhook);
    const first = await untilEnded(id!, 1);
    expect(first).toMatchObject({ status: 'Pending', response_status: 500, error: 'Answered 500' });
    expectWait(first, 5, from);
    expect((await webhookOf(webhook))['failing_since']).not.toBeNull();
    await makeDue(id!, 1);
    const second = await untilEnded(id!, 2);
    expect(second).toMatchObject({ status: 'Pending' });
    expectWait(second, 3_600, from);
    await makeDue(id!, 2);
    expect(await untilEnded(id!, 3)).toMatchObject({ status: 'Delivered', error: null, waitSeconds: null });
    const sent = receiver.at('/flaky');
    expect(sent.map(({ headers }) => headers['webhook-id'])).toEqual([id, id, id]);
    expect(new Set(sent.map(({ body }) => body)).size).toBe(1);
    expect((await webhookOf(webhook))['failing_since']).toBeNull();
  });

  test('is given up 24 hours after its first attempt, and with the last attempt of the schedule', async () => {
    const webhook = await addWebhook('/never');
    receiver.answers.set('/never', status(503));
    for (const [attempts, hours] of [
      [3, 24],
      [10, 1],
    ]) {
      const [id] = await queue(webhook, 1, 3_600);
      await pg.query(
        `update webhook_deliveries set attempts = $2, next_attempt_at = now(),
                first_attempt_at = now() - $3 * interval '1 hour' where id = $1`,
        [id, attempts, hours],
      );
      expect(await untilEnded(id!, attempts! + 1)).toMatchObject({ status: 'Failed', waitSeconds: null });
    }
  });

  test('is not sent to where a redirect points', async () => {
    const webhook = await addWebhook('/moved');
    receiver.answers.set('/moved', status(307, { location: receiver.url('/elsewhere') }));
    const [id] = await queue(webhook);
    expect((await untilEnded(id!, 1))['error']).toBe('Answered 307; redirects are not followed');
    expect(receiver.at('/elsewhere')).toEqual([]);
  });

  test('with 410 disables the webhook and ends what waits for it', async () => {
    const webhook = await addWebhook('/gone');
    receiver.answers.set('/gone', status(410));
    const [waiting] = await queue(webhook, 1, 3_600);
    const [id] = await queue(webhook);
    await until(async () => (await webhookOf(webhook))['is_enabled'] === false, 'it is disabled');
    expect((await webhookOf(webhook))['disabled_reason']).toBe('The receiver answered 410 Gone');
    expect(await rowOf(id!)).toMatchObject({ status: 'Failed', attempts: 1, response_status: 410 });
    expect(await rowOf(waiting!)).toMatchObject({ status: 'Failed', error: 'The webhook was disabled' });
  });

  test('disables a webhook that has taken nothing for five days, not before', async () => {
    for (const [path, days, isEnabled] of [
      ['/four', 4.9, true],
      ['/five', 5.1, false],
    ] as const) {
      const webhook = await addWebhook(path);
      receiver.answers.set(path, status(500));
      await pg.query(`update webhooks set failing_since = now() - $2 * interval '1 day' where id = $1`, [
        webhook,
        days,
      ]);
      const [id] = await queue(webhook);
      await untilEnded(id!, 1);
      if (!isEnabled)
        await until(async () => (await webhookOf(webhook))['is_enabled'] === false, 'it is disabled');
      expect((await webhookOf(webhook))['is_enabled']).toBe(isEnabled);
    }
  });
});

test('a receiver that does not answer delays only its own messages, two at a time', async () => {
  const stalled = await addWebhook('/stalled');
  receiver.answers.set('/stalled', () => undefined);
  await queue(stalled, 100);
  await receiver.untilAt('/stalled', 2);
  const other = await addWebhook('/prompt');
  await queue(other, 60);
  await receiver.untilAt('/prompt', 60);
  expect(receiver.at('/stalled')).toHaveLength(2);
  await pg.query(`delete from webhooks where id = $1`, [stalled]);
});

test('a redelivery sends a waiting message at once and leaves an attempt under way to its end', async () => {
  const webhook = await addWebhook('/soon');
  receiver.answers.set('/soon', status(503, { 'retry-after': '3600' }));
  const [id] = await queue(webhook);
  await untilEnded(id!, 1);
  // Sooner than what is leased comes back.
  await pg.query(
    `update webhook_deliveries set next_attempt_at = now() + interval '25 seconds' where id = $1`,
    [id],
  );
  receiver.answers.set('/soon', () => undefined);
  const log = createDeliveryLog({ pg, publicBaseUrl: 'https://sl.example.com' });
  const principal = { userId, actor: 'key a' } as Principal;
  expect((await log.redeliver(principal, id!)).isUnderWay).toBe(false);
  await receiver.untilAt('/soon', 2);
  expect((await log.redeliver(principal, id!)).isUnderWay).toBe(true);
  expect(await rowOf(id!)).toMatchObject({ attempts: 2, waitSeconds: 30 });
  await pg.query(`delete from webhooks where id = $1`, [webhook]);
});

/** Begins an attempt for an hour, as a process would. */
const claim = (webhookId: string, id: string) =>
  withTransaction(pg, async (client) => {
    // No other process sees that it is due before it is claimed.
    await client.query(
      `update webhook_deliveries set next_attempt_at = now() - interval '1 second' where id = $1`,
      [id],
    );
    return claimDeliveries(client, [{ webhookId, places: 2 }], 3_600_000);
  });

test('an attempt has ended only when it is noted whether the receiver takes messages', async () => {
  const webhook = await addWebhook('/noted');
  const endings: unknown[] = [];
  const watched = new Proxy(pg, {
    get(_pg, name) {
      if (name !== 'query') return Reflect.get(pg, name) as unknown;
      return async (text: string, values: unknown[]) => {
        if (text.includes('set failing_since')) endings.push((await rowOf(id!))['isEnded']);
        return pg.query(text, values);
      };
    },
  });
  const [id] = await queue(webhook, 1, 3_600);
  for (const code of [500, 200]) {
    receiver.answers.set('/noted', status(code, { 'retry-after': '3600' }));
    const [delivery] = await claim(webhook, id!);
    await attemptDelivery(attemptDeps(watched), delivery!, new AbortController());
  }
  expect(endings).toEqual([false, false]);
  expect(await rowOf(id!)).toMatchObject({ status: 'Delivered', attempts: 2, isEnded: true });
});

test('two processes deliver each message once', async () => {
  const webhooks = await Promise.all(['/twin-a', '/twin-b', '/twin-c'].map(addWebhook));
  const second = frame.startDispatcher();
  let ids: string[];
  try {
    ids = (await Promise.all(webhooks.map((webhook) => queue(webhook, 40)))).flat();
    await until(async () => {
      const { rows } = await pg.query(
        `select 1 from webhook_deliveries where id = any($1) and status <> 'Delivered'`,
        [ids],
      );
      return rows.length === 0;
    }, 'all are delivered');
  } finally {
    await second.stop();
  }
  const sent = ['/twin-a', '/twin-b', '/twin-c'].flatMap(receiver.at).map((one) => one.headers['webhook-id']);
  expect(sent.toSorted()).toEqual(ids.toSorted());
});

test('an attempt of a killed process is repeated when its lease ends, and its late result is ignored', async () => {
  const webhook = await addWebhook('/orphan');
  const [id] = await queue(webhook, 1, 3_600);
  const [first] = await claim(webhook, id!);
  const [second] = await claim(webhook, id!);
  expect([first?.id, first?.attempts, second?.attempts]).toEqual([id, 1, 2]);
  const delivered = {
    status: 'Delivered',
    responseStatus: 200,
    error: null,
    durationMs: 1,
    delayMs: null,
  } as const;
  await finishAttempt(pg, first!, delivered);
  expect(await rowOf(id!)).toMatchObject({ status: 'Pending', attempts: 2 });
  expect(receiver.at('/orphan')).toEqual([]);
  await makeDue(id!, 2);
  expect(await untilEnded(id!, 3)).toMatchObject({ status: 'Delivered' });
});

test('a stop aborts an attempt under way, and the next process makes it again', async () => {
  const webhook = await addWebhook('/hang');
  receiver.answers.set('/hang', () => undefined);
  const [id] = await queue(webhook);
  await receiver.untilAt('/hang', 1);
  await dispatcher.stop();
  expect(await rowOf(id!)).toMatchObject({ status: 'Pending', attempts: 0 });
  receiver.answers.delete('/hang');
  dispatcher = frame.startDispatcher();
  expect(await untilEnded(id!, 1)).toMatchObject({ status: 'Delivered' });
  expect(receiver.at('/hang').map(({ headers }) => headers['webhook-id'])).toEqual([id, id]);
});
