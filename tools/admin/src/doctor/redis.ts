import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import {
  nodesOf,
  openRedis,
  parseRedisAddress,
  redisAddressProblem,
  redisPlaces,
  whenReady,
} from '@smartlink/links/redis';
import { addressSecretProblem } from '@smartlink/process/config';
import { failureMessage, isTimeout } from '@smartlink/process/database';
import { isAtLeast } from '@smartlink/process/schema';
import { SILENT } from '../cache/redis.js';
import { given, valueOf } from '../config/config.js';
import {
  adviseReaching,
  ANSWER_LIMIT_MS,
  type DoctorCheck,
  type DoctorContext,
  judgeClock,
  mebibytes,
  notSet,
  ok,
  okOrWarning,
  problem,
  unknown,
  type Verdict,
  warning,
} from './check.js';

const VERSION_MIN = [6, 2] as const;

export const redisCheck: DoctorCheck = {
  name: 'Redis',
  async run(context) {
    const url = given(context.env, 'REDIS_URL');
    if (url === null) return { Redis: notSet('REDIS_URL') };
    const fault = redisAddressProblem(url);
    if (fault !== null) return { Redis: problem(fault, 'Correct REDIS_URL (docs/scale.md).') };
    const found = await Promise.all(serversOf(url).map((server) => checkServer(server, context)));
    return Object.assign({ 'Redis password': judgePassword(url) }, ...found) as Awaited<
      (typeof found)[number]
    >;
  },
};

/** As a service warns at its start. An address of this machine may lack a password. */
export function judgePassword(url: string): readonly Verdict[] {
  const fault = addressSecretProblem(url);
  const todo =
    'Give Redis one (docs/operate.md), or be sure of its network: who reaches it decides where visitors go.';
  return fault === null ? [] : [warning(`REDIS_URL ${fault}`, todo)];
}

type Server = { readonly name: string; readonly url: string; readonly isCluster: boolean };

/** The servers to check: one, the master that sentinels name, or each listed node of a cluster. */
export function serversOf(url: string): readonly Server[] {
  if (parseRedisAddress(url).topology !== 'cluster') return [{ name: 'Redis', url, isCluster: false }];
  const [, scheme, login = ''] = /^(rediss?)\+cluster:\/\/(.*@)?/.exec(url) ?? [];
  return redisPlaces(url).map((place) => ({
    name: `Redis ${place}`,
    url: `${scheme}://${login}${place}`,
    isCluster: true,
  }));
}

async function checkServer(
  { name, url, isCluster }: Server,
  { env, now, signal }: DoctorContext,
): Promise<Readonly<Record<string, Verdict>>> {
  const connection = openRedis({ url, log: SILENT, commandTimeoutMs: ANSWER_LIMIT_MS });
  const disconnect = () => {
    connection.disconnect();
  };
  // Pending commands then reject.
  signal.addEventListener('abort', disconnect, { once: true });
  try {
    await whenReady(connection, ANSWER_LIMIT_MS);
  } catch (err) {
    disconnect();
    const todo = `${adviseReaching('REDIS_URL', err)} Visitors are served from Postgres.`;
    return { [name]: problem(describeRedisFailure(url, err), todo) };
  }
  try {
    const [redis] = nodesOf(connection) as readonly [Redis];
    const clock = await judgeClock(now, async () => {
      const [seconds = 0, microseconds = 0] = (await redis.time()).map(Number);
      return seconds * 1_000 + microseconds / 1_000;
    });
    const lines = (await redis.info()).matchAll(/^(\w+):(.*?)\r?$/gm);
    const info: Info = new Map([...lines].map(([, key = '', value = '']) => [key, value]));
    return {
      [`${name} version`]: judgeVersion(info),
      [`${name} privileges`]: await judgePrivileges(
        redis,
        isCluster,
        valueOf('redirect', 'REDIS_KEY_PREFIX', env),
      ),
      [`${name} clock`]: clock,
      [`${name} memory`]: judgeEviction(info),
      [`${name} persistence`]: await judgePersistence(redis, info),
    };
  } finally {
    disconnect();
  }
}

export function describeRedisFailure(url: string, err: unknown): string {
  const at = `Redis at ${redisPlaces(url).join(', ')}`;
  if (isTimeout(err)) return `${at} does not answer within ${ANSWER_LIMIT_MS / 1_000} s`;
  return `${at} cannot be reached: ${failureMessage(err)}`;
}

type Info = ReadonlyMap<string, string>;

function judgeVersion(info: Info): Verdict {
  const valkey = info.get('valkey_version');
  const version = info.get('redis_version') ?? '';
  const seen = valkey === undefined ? version : `Valkey ${valkey}`;
  return valkey !== undefined || isAtLeast(version, VERSION_MIN)
    ? ok(seen)
    : problem(`${seen}, and ${VERSION_MIN.join('.')} is needed`, 'Upgrade it: it can start empty.');
}

/** Does what the services do, with a key that expires after a second. */
async function judgePrivileges(redis: Redis, isCluster: boolean, prefix = ''): Promise<Verdict> {
  const key = `${prefix}doctor:${randomUUID()}`;
  try {
    await redis.set(key, '1', 'PX', 1_000);
    await redis.eval(`return redis.call('get', KEYS[1])`, 1, key);
    await redis.publish(key, '1');
    return ok(`may read, write, run scripts and publish under ${prefix}`);
  } catch (err) {
    const text = failureMessage(err);
    // A node names the owner of a key only to a login that may write it.
    if (isCluster && text.startsWith('MOVED')) return ok('may write; the key is on another node');
    const todo = text.startsWith('NOPERM')
      ? 'Grant what docs/scale.md lists.'
      : 'It must be a master that takes writes (docs/scale.md).';
    return problem(text, todo);
  }
}

function judgeEviction(info: Info): Verdict {
  const limit = Number(info.get('maxmemory') ?? 0);
  const used = Number(info.get('used_memory') ?? 0);
  const policy = info.get('maxmemory_policy') ?? '';
  const isRight = policy === 'volatile-lru' || policy === 'allkeys-lru';
  const todo = isRight
    ? 'Set maxmemory, or it takes all of the host (docs/scale.md).'
    : 'Set maxmemory-policy volatile-lru: full, it would refuse changes (docs/scale.md).';
  const seen = `${mebibytes(used)} of ${limit === 0 ? 'no limit' : mebibytes(limit)}, ${policy}`;
  return okOrWarning(limit > 0 && isRight, seen, todo);
}

async function judgePersistence(redis: Redis, info: Info): Promise<Verdict> {
  const todo = 'Set save "" and appendonly no, or keep the files for a day at most (docs/scale.md).';
  if (info.get('aof_enabled') === '1') return warning('writes an append-only file', todo);
  try {
    const [, save = ''] = (await redis.config('GET', 'save')) as readonly string[];
    return save === '' ? ok('writes nothing to a disk') : warning(`saves a dump: ${save}`, todo);
  } catch {
    return unknown('no append-only file; this login may not ask whether it saves a dump');
  }
}
