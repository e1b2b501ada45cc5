import { afterAll, beforeAll, expect, test } from 'vitest';
import { endPending } from '../src/webhooks/delivery-queries.js';
import { createLogCleanup } from '../src/webhooks/log-cleanup.js';
import { startDispatchFrame } from './webhook-dispatch-frame.js';
import type { DispatchFrame } from './webhook-dispatch-frame.js';

let frame: DispatchFrame;
beforeAll(async () => {
  frame = await startDispatchFrame();
});
afterAll(() => frame.close());

const addWebhook = async (): Promise<string> =>
  (await frame.addWebhooks(await frame.addUser(), '/log', 1))[0]!;

test('the log keeps the newest 1,000 that have ended, 100 with visits, and seven days; what waits stays', async () => {
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

test('the log lets 10,000 wait for a webhook and gives up the oldest beyond', async () => {
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

test('the log is shortened by itself where all that waited was given up', async () => {
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
