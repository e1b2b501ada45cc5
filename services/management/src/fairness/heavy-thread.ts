import type { AddressInfo } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';
import { whenReady } from '@smartlink/links/redis';
import { createLogger } from '@smartlink/process/lifecycle';
import { lowerThreadPriority } from '@smartlink/process/thread';
import { buildApp } from '../app.js';
import {
  cannotBeChecked,
  NO_URL_SAFETY,
  type SafetyVerdict,
  type UrlSafety,
} from '../url-safety/url-safety.js';
import type { FromThread, HeavyThreadData, ToThread } from './heavy-requests.js';

// The thread of heavy requests. Its priority is low, so that the event loop of all other requests comes first.
const port = parentPort;
if (port === null) throw new Error('This is a thread of the management service');
lowerThreadPriority();

const REDIS_WAIT_MS = 1_000;
const { config, token, checksUrls } = workerData as HeavyThreadData;
const log = createLogger({ service: 'management', level: config.LOG_LEVEL }).child({ thread: 'heavy' });
const post = (message: FromThread): void => {
  port.postMessage(message);
};

// The blocklist may hold millions of URLs: the process checks them for the thread.
const checks = new Map<number, (verdict: SafetyVerdict | null) => void>();
let lastCheck = 0;
const urlSafetyOfProcess: UrlSafety = {
  async check(urls, options) {
    lastCheck += 1;
    const id = lastCheck;
    const answered = new Promise<SafetyVerdict | null>((resolve) => checks.set(id, resolve));
    post({ kind: 'check', id, urls, options });
    const verdict = await answered;
    checks.delete(id);
    if (verdict === null) throw cannotBeChecked();
    return verdict;
  },
};

const app = await buildApp(config, log, {
  urlSafety: checksUrls ? urlSafetyOfProcess : NO_URL_SAFETY,
  heavyToken: token,
});
port.on('message', (message: ToThread) => {
  if (message.kind === 'verdict') checks.get(message.id)?.(message.verdict);
  else {
    void app.close().finally(() => {
      post({ kind: 'stopped' });
    });
  }
});
// The work of this start may outlast the first attempt to connect, which fails then.
const redisReady = () => whenReady(app.redis, REDIS_WAIT_MS);
await redisReady()
  .catch(redisReady)
  .catch(() => undefined);
await app.listen({ host: '127.0.0.1', port: 0 });
post({ kind: 'listening', port: (app.server.address() as AddressInfo).port });
