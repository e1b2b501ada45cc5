import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { inject } from 'vitest';
import { createLogger } from '@smartlink/process/lifecycle';
import { createClosers } from '@smartlink/test-support/closers';
import { createTestDatabases } from '@smartlink/test-support/test-databases';
import type { AttemptDeps } from '../src/webhooks/attempt-delivery.js';
import { startDispatcher } from '../src/webhooks/dispatcher.js';
import { createMessageSender, newSecret } from '../src/webhooks/send-message.js';
import { createTargetRules } from '../src/webhooks/target-address.js';
import { openPool } from './stored-state.js';
import { startReceiver } from './webhook-receiver.js';

export type DispatchFrame = Awaited<ReturnType<typeof startDispatchFrame>>;

/** Starts a database and a receiver of a test's own, for dispatchers that it starts. The caller closes it. */
export async function startDispatchFrame() {
  const closers = createClosers();
  const log = createLogger({ service: 'test', level: 'silent' });
  const databases = await createTestDatabases(inject('stack'), { clickhouse: 'shared' });
  closers.add(databases.drop);
  const pg = openPool(databases.databaseUrl);
  closers.add(() => pg.end());
  const receiver = await startReceiver();
  closers.add(receiver.close);

  return {
    pg,
    receiver,
    /** Starts what a management process runs. */
    startDispatcher: () => startDispatcher({ ...attemptDeps(pg), log, pollIntervalMs: 10, stopGraceMs: 50 }),
    addUser: async (): Promise<string> => {
      const id = randomUUID();
      const email = `${id}@example.com`;
      await pg.query(`insert into users (id, email, plan) values ($1, $2, 'Enterprise')`, [id, email]);
      return id;
    },
    /** Adds `count` webhooks and returns their ids. */
    addWebhooks: async (userId: string, path: string, count: number): Promise<string[]> => {
      const { rows } = await pg.query<{ id: string }>(
        `insert into webhooks (id, user_id, url, event_types, secret)
         select gen_random_uuid(), $1, $2, '{smartlink.created}', $3 from generate_series(1, $4) returning id`,
        [userId, receiver.url(path), newSecret(), count],
      );
      return rows.map(({ id }) => id);
    },
    /** Queues `count` messages and returns their ids. `dueInSeconds` keeps them from the dispatcher. */
    queue: async (webhookId: string, count = 1, dueInSeconds = 0): Promise<string[]> => {
      const { rows } = await pg.query<{ id: string }>(
        `insert into webhook_deliveries (webhook_id, event_type, data, next_attempt_at)
         select $1, 'smartlink.created', '{"smartlinkUrl": "docs"}', now() + $3 * interval '1 second'
         from generate_series(1, $2) returning id`,
        [webhookId, count, dueInSeconds],
      );
      return rows.map(({ id }) => id);
    },
    close: () => closers.close(),
  };
}

/** Dependencies of attempts that go through `pg`. */
export function attemptDeps(pg: Pool): AttemptDeps {
  const { permitsAddress } = createTargetRules({
    publicBaseUrl: 'https://sl.example.com',
    allowedNetworks: ['127.0.0.0/8'],
  });
  const resolve = () => Promise.resolve([]);
  return {
    pg,
    // So long that what a receiver holds open does not end by itself before the test does.
    send: createMessageSender({ permitsAddress, resolve, now: Date.now, limitMs: 60_000 }),
    publicBaseUrl: 'https://sl.example.com',
    observer: { onAttempt: () => undefined },
    onLogged: () => undefined,
    now: Date.now,
    random: () => 0.5,
  };
}
