import { randomUUID } from 'node:crypto';
import { RedisAddressError, parseRedisAddress } from '@smartlink/link-resolver/redis-address';
import type { RedisAddress } from '@smartlink/link-resolver/redis-address';
import { addressSecretProblem } from '@smartlink/process/config-secrets';
import { Redis } from 'ioredis';
import type { RedisOptions } from 'ioredis';
import { ANSWER_LIMIT_MS, given, judgeClock, ok, problem, unknown, warning } from './doctor-check.js';
import type { DoctorCheck, DoctorContext, Finding } from './doctor-check.js';
import { adviseReaching, describeRedisFailure, placesIn } from './doctor-failure.js';
import { describe } from './session.js';

const VERSION_MIN = [6, 2] as const;

export const redisCheck: DoctorCheck = {
  name: 'Redis',
  async run(context) {
    const url = given(context.env, 'REDIS_URL');
    if (url === null)
      return [unknown('Redis', 'REDIS_URL (or REDIS_URL_FILE) is not set', 'Set it, or start npm start.')];
    let places: readonly Place[];
    try {
      places = placesOf(parseRedisAddress(url), placesIn(url));
    } catch (err) {
      if (!(err instanceof RedisAddressError)) throw err;
      return [problem('Redis', err.message, 'Correct REDIS_URL (docs/redis.md).')];
    }
    const seen = await Promise.all(places.map((place) => checkPlace(place, context)));
    return [...judgePassword(url), ...seen.flat()];
  },
};

/** As a service warns at its start. Of this machine alone an address may lack a password. */
export function judgePassword(url: string): readonly Finding[] {
  const fault = addressSecretProblem(url);
  const todo =
    'Give Redis one (docs/rotation.md), or be sure of its network: who reaches it decides where visitors go.';
  return fault === null ? [] : [warning('Redis password', `REDIS_URL ${fault}`, todo)];
}

/** Without what decides how replies are typed. */
type ConnectOptions = Omit<RedisOptions, 'replyMapping'>;
type Place = {
  readonly name: string;
  readonly at: string;
  readonly isCluster: boolean;
  readonly options: ConnectOptions;
};

/** Returns the servers to look at: one, the master that sentinels name, or each node of a cluster that is listed. */
function placesOf(address: RedisAddress, at: string): readonly Place[] {
  const { username, password, isTls } = address;
  const access: ConnectOptions = {
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    ...(isTls ? { tls: {} } : {}),
  };
  switch (address.topology) {
    case 'single':
      return [
        {
          name: 'Redis',
          at,
          isCluster: false,
          options: { ...access, ...address.node, db: address.database },
        },
      ];
    case 'cluster':
      return address.nodes.map((node) => ({
        name: `Redis ${node.host}:${node.port}`,
        at: `${node.host}:${node.port}`,
        isCluster: true,
        options: { ...access, ...node },
      }));
    case 'sentinel': {
      const { sentinel, sentinels, masterName, database } = address;
      const options: ConnectOptions = {
        ...access,
        sentinels: [...sentinels],
        name: masterName,
        db: database,
        enableTLSForSentinelMode: isTls,
        sentinelRetryStrategy: () => null,
        ...(sentinel.username === undefined ? {} : { sentinelUsername: sentinel.username }),
        ...(sentinel.password === undefined ? {} : { sentinelPassword: sentinel.password }),
      };
      return [{ name: 'Redis', at, isCluster: false, options }];
    }
  }
}

async function checkPlace(place: Place, context: DoctorContext): Promise<readonly Finding[]> {
  const redis = new Redis({
    ...place.options,
    lazyConnect: true,
    connectTimeout: ANSWER_LIMIT_MS,
    commandTimeout: ANSWER_LIMIT_MS,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  // The reason: what `connect` rejects with is only that the connection is closed.
  const faults: Error[] = [];
  // What is being waited for then rejects.
  context.signal.addEventListener(
    'abort',
    () => {
      redis.disconnect();
    },
    { once: true },
  );
  redis.on('error', (err: Error) => faults.push(err));
  try {
    try {
      await redis.connect();
    } catch (err) {
      const seen = describeRedisFailure(place.at, faults[0] ?? err);
      return [
        problem(
          place.name,
          seen,
          `${adviseReaching('REDIS_URL', faults[0] ?? err)} Visitors are served from Postgres.`,
        ),
      ];
    }
    const before = context.now();
    const [seconds = 0, microseconds = 0] = (await redis.time()).map(Number);
    const clock = judgeClock(
      `${place.name} clock`,
      seconds * 1_000 + microseconds / 1_000,
      before,
      context.now(),
    );
    const info = await readInfo(redis);
    return [
      judgeVersion(place, info),
      await judgePrivileges(redis, place, given(context.env, 'REDIS_KEY_PREFIX') ?? 'smartlink:'),
      clock,
      judgeEviction(place, info),
      await judgePersistence(redis, place, info),
    ];
  } finally {
    redis.disconnect();
  }
}

type Info = ReadonlyMap<string, string>;

async function readInfo(redis: Redis): Promise<Info> {
  const text = await redis.info();
  return new Map(
    text.split('\r\n').flatMap((line) => {
      const at = line.indexOf(':');
      return at > 0 ? [[line.slice(0, at), line.slice(at + 1)] as const] : [];
    }),
  );
}

function judgeVersion(place: Place, info: Info): Finding {
  const check = `${place.name} version`;
  const valkey = info.get('valkey_version');
  const version = info.get('redis_version') ?? '';
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [majorMin, minorMin] = VERSION_MIN;
  const seen = valkey === undefined ? version : `Valkey ${valkey}`;
  return valkey !== undefined || major > majorMin || (major === majorMin && minor >= minorMin)
    ? ok(check, seen)
    : problem(check, `${seen}, and ${VERSION_MIN.join('.')} is needed`, 'Upgrade it: it can start empty.');
}

/** Does what the services do, with a key of its own that is gone after a second. */
async function judgePrivileges(redis: Redis, place: Place, prefix: string): Promise<Finding> {
  const check = `${place.name} privileges`;
  const key = `${prefix}doctor:${randomUUID()}`;
  try {
    await redis.set(key, '1', 'PX', 1_000);
    await redis.eval(`return redis.call('get', KEYS[1])`, 1, key);
    await redis.publish(key, '1');
    return ok(check, `may read, write, run scripts and publish under ${prefix}`);
  } catch (err) {
    const text = describe(err);
    // The key belongs to another node, which this one says only to who may write.
    if (place.isCluster && text.startsWith('MOVED'))
      return ok(check, 'may write; the key is on another node');
    const todo = text.startsWith('NOPERM')
      ? 'Grant what docs/redis.md lists.'
      : 'It must be a master that takes writes (docs/redis.md).';
    return problem(check, text, todo);
  }
}

function judgeEviction(place: Place, info: Info): Finding {
  const check = `${place.name} memory`;
  const limit = Number(info.get('maxmemory') ?? 0);
  const used = Number(info.get('used_memory') ?? 0);
  const policy = info.get('maxmemory_policy') ?? '';
  const seen = `${mebibytes(used)} of ${limit === 0 ? 'no limit' : mebibytes(limit)}, ${policy}`;
  const isRight = policy === 'volatile-lru' || policy === 'allkeys-lru';
  if (limit > 0 && isRight) return ok(check, seen);
  const todo = isRight
    ? 'Set maxmemory, or it takes all of the host (docs/redis.md).'
    : 'Set maxmemory-policy volatile-lru: full, it would refuse changes (docs/redis.md).';
  return warning(check, seen, todo);
}

async function judgePersistence(redis: Redis, place: Place, info: Info): Promise<Finding> {
  const check = `${place.name} persistence`;
  const todo = 'Set save "" and appendonly no, or keep the files for a day at most (docs/redis.md).';
  if (info.get('aof_enabled') === '1') return warning(check, 'writes an append-only file', todo);
  try {
    const [, save = ''] = (await redis.config('GET', 'save')) as readonly string[];
    return save === ''
      ? ok(check, 'writes nothing to a disk')
      : warning(check, `saves a dump: ${save}`, todo);
  } catch {
    return unknown(check, 'no append-only file; whether it saves a dump this account may not ask');
  }
}

const mebibytes = (bytes: number): string => `${Math.round(bytes / 1024 / 1024)} MiB`;
