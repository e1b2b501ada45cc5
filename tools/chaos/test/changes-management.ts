import { createHash, randomInt, randomUUID } from 'node:crypto';
import { apiKeyDisplayPrefix, generateApiKey } from '@smartlink/smartlink/api-key';
import type { TestDatabases } from '@smartlink/embedded/test-databases';
import type { Pool } from 'pg';
import { listeningPort, startProcess } from '../../../services/management/test/start-process.js';
import { urlSmartlink } from '../../../services/management/test/start-service.js';

export type Management = {
  /** Creates a link through the API and returns its id. */
  readonly create: (slug: string, url: string) => Promise<string>;
  /** Changes a link's target through the API. Rejects when it is not answered. */
  readonly change: (id: string, url: string) => Promise<void>;
  /** As kill -9. Resolves when the process is gone. */
  readonly kill: () => Promise<void>;
};

/** Starts a management process with `redisUrl` as its Redis. The caller kills it. */
export async function startManagement(
  { databaseUrl, clickhouseUrl, redisKeyPrefix }: TestDatabases,
  redisUrl: string,
  apiKey: string,
): Promise<Management> {
  const management = startProcess({
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    CLICKHOUSE_URL: clickhouseUrl,
    REDIS_KEY_PREFIX: redisKeyPrefix,
    MANAGEMENT_PORT: '0',
    LOG_LEVEL: 'info',
  });
  const kill = async (): Promise<void> => {
    management.child.kill('SIGKILL');
    await management.ended;
  };
  const port = await listeningPort(management).catch(async (err: unknown) => {
    await kill();
    throw err;
  });
  const address = `http://127.0.0.1:${port}/api/v1/smartlink`;
  const call = async (method: string, body: object): Promise<{ data: { id: string } }> => {
    const response = await fetch(address, {
      method,
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const answer = await response.text();
    if (!response.ok) throw new Error(`${method} was answered ${response.status}: ${answer}`);
    return JSON.parse(answer) as { data: { id: string } };
  };
  return {
    create: async (slug, url) => (await call('POST', urlSmartlink({ smartlinkUrl: slug }, { url }))).data.id,
    async change(id, url) {
      await call('PATCH', { id, shortener: { url } });
    },
    kill,
  };
}

/** Adds a user who may call the API as often as they like, and returns their key. */
export async function addCaller(pool: Pool): Promise<string> {
  const userId = randomUUID();
  const apiKey = generateApiKey(randomInt);
  await pool.query(`update plans set requests_per_minute = 1000000 where name = 'Enterprise'`);
  await pool.query(`insert into users (id, email, plan) values ($1, $2, 'Enterprise')`, [
    userId,
    `${userId}@example.com`,
  ]);
  await pool.query(
    `insert into api_keys (id, user_id, key_sha256, display_prefix, name) values ($1, $2, $3, $4, 'test')`,
    [randomUUID(), userId, createHash('sha256').update(apiKey).digest(), apiKeyDisplayPrefix(apiKey)],
  );
  return apiKey;
}
