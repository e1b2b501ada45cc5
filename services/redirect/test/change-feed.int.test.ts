import { followChanges, sendHeartbeats } from '@smartlink/link-resolver/change-feed';
import { openFeedRedis } from '@smartlink/link-resolver/redis-connection';
import { createLogger } from '@smartlink/process/logger';
import { until } from '@smartlink/test-support/until';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTrial } from './trial.js';
import type { Trial } from './trial.js';

const log = createLogger({ service: 'test', level: 'silent' });

let trial: Trial;
let keyPrefix: string;

beforeAll(async () => {
  trial = await openTrial();
  keyPrefix = trial.databases.redisKeyPrefix;
});

afterAll(() => trial.close());

test('a refused subscription is logged once, and so are the beginning and the end of a silence', async () => {
  const user = `feed-${process.pid}`;
  const rules = ['on', '>secret', 'allchannels', '+@all'];
  await trial.redis.call('acl', 'setuser', user, ...rules, '-subscribe');
  const url = new URL(trial.databases.redisUrl);
  [url.username, url.password] = [user, 'secret'];
  const lines: string[] = [];
  const feedLog = createLogger({
    service: 'test',
    level: 'info',
    destination: { write: (line) => lines.push(line) },
  });
  const logged = (text: string) => lines.filter((line) => line.includes(text)).length;
  const feedRedis = openFeedRedis({ url: url.href, log });
  const feed = followChanges({
    redis: feedRedis,
    keyPrefix,
    log: feedLog,
    onChange: () => undefined,
    onGap: () => undefined,
  });
  const heartbeats = sendHeartbeats(trial.redis, keyPrefix, 'host');
  try {
    await until(() => logged('no changes and no heartbeats come') === 1, 'the silence is logged');
    await trial.redis.call('acl', 'setuser', user, '+subscribe');
    await until(() => feed.isLive(), 'the feed is live');
    expect(logged('redis refuses the subscription')).toBe(1);
    expect(logged('no changes and no heartbeats come')).toBe(1);
    expect(logged('changes and heartbeats come again')).toBe(1);
  } finally {
    heartbeats.close();
    feed.close();
    feedRedis.disconnect();
    await trial.redis.call('acl', 'deluser', user);
  }
});
