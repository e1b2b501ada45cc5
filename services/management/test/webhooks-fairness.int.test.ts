import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Pool } from 'pg';
import { findDueWebhooks } from '../src/webhooks/delivery-queries.js';
import type { Dispatcher } from '../src/webhooks/dispatcher.js';
import { startDispatchFrame } from './webhook-dispatch-frame.js';
import type { DispatchFrame } from './webhook-dispatch-frame.js';
import type { Receiver } from './webhook-receiver.js';

let frame: DispatchFrame;
let pg: Pool;
let receiver: Receiver;
let dispatcher: Dispatcher;

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
  /** Holds every message to `path` open. Returns how many were let go, and what lets go of all. */
  function trap(path: string) {
    const held: ServerResponse[] = [];
    let released = 0;
    receiver.answers.set(path, (res) => {
      held.push(res);
      res.on('close', () => (released += 1));
    });
    const release = () => {
      for (const res of held) res.destroy();
    };
    return { release, released: () => released };
  }

  const remove = (owners: string[]) => pg.query(`delete from users where id = any($1)`, [owners]);

  test('hold up eight messages each, and nobody else’s', async () => {
    const { release, released } = trap('/trap');
    const attackers = await Promise.all([1, 2, 3].map(frame.addUser));
    for (const attacker of attackers) {
      for (const webhook of await frame.addWebhooks(attacker, '/trap', 20)) await frame.queue(webhook, 200);
    }
    await receiver.untilAt('/trap', 24);
    const [victim] = await frame.addWebhooks(await frame.addUser(), '/victim', 1);
    await frame.queue(victim!);
    await receiver.untilAt('/victim', 1);
    expect([receiver.at('/trap').length, released()]).toEqual([24, 0]);
    await remove(attackers);
    release();
  });

  test('hold up one message a webhook once they have failed, sixteen together', async () => {
    const { release, released } = trap('/failing');
    const attackers = await Promise.all([1, 2, 3, 4, 5].map(frame.addUser));
    for (const attacker of attackers) {
      const webhooks = await frame.addWebhooks(attacker, '/failing', 20);
      await pg.query(`update webhooks set failing_since = now() where id = any($1)`, [webhooks]);
      for (const webhook of webhooks) await frame.queue(webhook, 20);
    }
    await receiver.untilAt('/failing', 16);
    const [victim] = await frame.addWebhooks(await frame.addUser(), '/victim-of-failing', 1);
    await frame.queue(victim!, 60);
    await receiver.untilAt('/victim-of-failing', 60);
    expect([receiver.at('/failing').length, released()]).toEqual([16, 0]);
    await remove(attackers);
    release();
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
