import type { ServerResponse } from 'node:http';
import type { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { removeOutdatedRows } from '../src/cleanup.js';
import { createLogCleanup } from '../src/webhooks/delivery-log.js';
import { endPending, findDueWebhooks } from '../src/webhooks/delivery-queries.js';
import { type DispatchFrame, startDispatchFrame } from './webhook-dispatch-frame.js';
import type { Receiver } from './webhook-receiver.js';

let frame: DispatchFrame;
let pg: Pool;
let receiver: Receiver;
let dispatcher: ReturnType<DispatchFrame['startDispatcher']>;

beforeAll(async () => {
  frame = await startDispatchFrame();
  ({ pg, receiver } = frame);
  dispatcher = frame.startDispatcher();
});
afterAll(async () => {
  await dispatcher.stop();
  await frame.close();
});

describe('users whose receivers all stall, with long queues,', () => {
  test.each([
    ['eight messages each', 3, 'null', 24],
    ['one message a webhook once they have failed, sixteen together', 5, 'now()', 16],
  ])('hold up %s, and none of other users', async (what, users, failingSince, heldMax) => {
    const [stalling, victimPath] = [`/stalling-${users}`, `/victim-of-${users}`];
    const held: ServerResponse[] = [];
    let ended = 0;
    receiver.answers.set(stalling, (res) => {
      held.push(res);
      res.on('close', () => (ended += 1));
    });
    const attackers = await Promise.all(Array.from({ length: users }, frame.addUser));
    for (const attacker of attackers) {
      const webhooks = await frame.addWebhooks(attacker, stalling, 20);
      await pg.query(`update webhooks set failing_since = ${failingSince} where id = any($1)`, [webhooks]);
      for (const webhook of webhooks) await frame.queue(webhook, 20);
    }
    await receiver.untilAt(stalling, heldMax);
    const [victim] = await frame.addWebhooks(await frame.addUser(), victimPath, 1);
    await frame.queue(victim!, 60);
    await receiver.untilAt(victimPath, 60);
    expect([what, receiver.at(stalling).length, ended]).toEqual([what, heldMax, 0]);
    await pg.query(`delete from users where id = any($1)`, [attackers]);
    for (const res of held) res.destroy();
  });

  test('do not hide another’s webhook, however many of theirs something waits for', async () => {
    const client = await pg.connect();
    try {
      // Nothing else sees these.
      await client.query('begin');
      await client.query(`delete from webhook_deliveries`);
      await client.query(
        `with added as (
           insert into webhooks (id, user_id, url, event_types, secret)
           select gen_random_uuid(), $1, 'https://example.org/', '{smartlink.created}', 'x'
           from generate_series(1, 2100) returning id)
         insert into webhook_deliveries (webhook_id, event_type, data, next_attempt_at)
         select id, 'smartlink.created', '{}', now() - n * interval '1 minute' from added, generate_series(1, 3) as n`,
        [await frame.addUser()],
      );
      const found: string[] = [];
      let next: string | null = null;
      do {
        const step = await findDueWebhooks(client, next);
        found.push(...step.due.map(({ webhookId }) => webhookId));
        next = step.next;
      } while (next !== null && found.length < 5_000);
      expect([found.length, new Set(found).size]).toEqual([2_100, 2_100]);
    } finally {
      await client.query('rollback');
      client.release();
    }
  });
});

describe('the log', () => {
  // Nothing is sent, so that what waits stays.
  beforeAll(() => dispatcher.stop());

  const addWebhook = async (): Promise<string> =>
    (await frame.addWebhooks(await frame.addUser(), '/log', 1))[0]!;

  test('keeps the newest 1,000 that have ended, 100 with visits, and seven days; what waits stays', async () => {
    const webhook = await addWebhook();
    const add = (eventType: string, state: string, count: number, daysAgo: number) =>
      frame.pg.query(
        `insert into webhook_deliveries (webhook_id, event_type, data, status, occurred_at, next_attempt_at)
           select $1, $2, '{}', $3, now() - $5 * interval '1 day' - n * interval '1 second', now() + interval '1 hour'
           from generate_series(1, $4) as n`,
        [webhook, eventType, state, count, daysAgo],
      );
    await add('smartlink.created', 'Delivered', 990, 1);
    await add('visits.recorded', 'Delivered', 130, 2);
    await add('smartlink.deleted', 'Failed', 30, 3);
    await add('smartlink.paused', 'Failed', 5, 8);
    await add('smartlink.created', 'Pending', 3, 9);
    const jobs = createLogCleanup(frame);
    jobs.noteGrown(webhook);
    await jobs.run();
    await removeOutdatedRows(frame.pg);
    const { rows } = await frame.pg.query(
      `select event_type || ' ' || status as kind, count(*)::integer as count from webhook_deliveries
         where webhook_id = $1 group by 1 order by 1`,
      [webhook],
    );
    expect(rows).toEqual([
      { kind: 'smartlink.created Delivered', count: 990 },
      { kind: 'smartlink.created Pending', count: 3 },
      { kind: 'visits.recorded Delivered', count: 10 },
    ]);
  });

  test('queues 10,000 messages for a webhook and drops the oldest beyond that', async () => {
    const webhook = await addWebhook();
    await frame.pg.query(
      `insert into webhook_deliveries (webhook_id, event_type, data, occurred_at, next_attempt_at)
         select $1, 'smartlink.created', '{}', now() - n * interval '1 second', now() + interval '1 hour'
         from generate_series(1, 10007) as n`,
      [webhook],
    );
    expect(await createLogCleanup(frame).run()).toBe(7);
    const { rows } = await frame.pg.query(
      `select error, count(*)::integer as count, now() - max(occurred_at) > interval '10000 seconds' as "areOldest"
         from webhook_deliveries where webhook_id = $1 and status = 'Failed' group by error`,
      [webhook],
    );
    expect(rows).toEqual([
      {
        error: 'More than 10000 messages were waiting: the oldest are given up',
        count: 7,
        areOldest: true,
      },
    ]);
  });

  test('is shortened by itself where all that waited was given up', async () => {
    const webhook = await addWebhook();
    await frame.pg.query(
      `insert into webhook_deliveries (webhook_id, event_type, data)
         select $1, 'smartlink.created', '{}' from generate_series(1, 12000)`,
      [webhook],
    );
    await endPending(frame.pg, webhook, 'It was disabled');
    await createLogCleanup(frame).run();
    const { rows } = await frame.pg.query(
      `select count(*)::integer as count from webhook_deliveries where webhook_id = $1`,
      [webhook],
    );
    expect(rows).toEqual([{ count: 1_000 }]);
  });
});
