import { randomUUID } from 'node:crypto';
import { Redis, type RedisOptions } from 'ioredis';
import { parseRedisAddress, type RedisAddress, RedisAddressError, redisPlaces } from '@smartlink/links/redis';
import { addressSecretProblem } from '@smartlink/process/config';
import { failureMessage, isTimeout } from '@smartlink/process/database';
import { given } from '../config/config.js';
import {
  adviseReaching,
  ANSWER_LIMIT_MS,
  type DoctorCheck,
  type DoctorContext,
  type Finding,
  isAtLeast,
  judgeClock,
  mebibytes,
  notSet,
  ok,
  problem,
  unknown,
  warning,
} from './check.js';

const VERSION_MIN = [6, 2] as const;

export const redisCheck: DoctorCheck = {
  name: 'Redis',
  async run(context) {
    const url = given(context.env, 'REDIS_URL');
    if (url === null) return notSet('Redis', 'REDIS_URL');
    let places: readonly Place[];
    try {
      places = placesOf(parseRedisAddress(url), placesIn(url));
    } catch (err) {
      if (!(err instanceof RedisAddressError)) throw err;
      return [problem('Redis', err.message, 'Correct REDIS_URL (docs/scale.md).')];
    }
    const seen = await Promise.all(places.map((place) => checkPlace(place, context)));
    return [...judgePassword(url), ...seen.flat()];
  },
};

export const placesIn = (redisUrl: string): string => redisPlaces(redisUrl).join(', ');

/** As a service warns at its start. An address of this machine may lack a password. */
export function judgePassword(url: string): readonly Finding[] {
  const fault = addressSecretProblem(url);
  const todo =
    'Give Redis one (docs/operate.md), or be sure of its network: who reaches it decides where visitors go.';
  return fault === null ? [] : [warning('Redis password', `REDIS_URL ${fault}`, todo)];
}

/** Without the option on which the types of replies depend. */
type ConnectOptions = Omit<RedisOptions, 'replyMapping'>;
type Place = {
  readonly name: string;
  readonly at: string;
  readonly isCluster: boolean;
  readonly options: ConnectOptions;
};

/** The servers to check: one, the master that sentinels name, or each listed node of a cluster. */
function placesOf(address: RedisAddress, at: string): readonly Place[] {
  const { username, password, isTls } = address;
  const access: ConnectOptions = {
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    ...(isTls ? { tls: {} } : {}),
  };
  const single = { name: 'Redis', at, isCluster: false };
  switch (address.topology) {
    case 'single':
      return [{ ...single, options: { ...access, ...address.node, db: address.database } }];
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
      return [{ ...single, options }];
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
  const disconnect = () => {
    redis.disconnect();
  };
  // Pending commands then reject.
  context.signal.addEventListener('abort', disconnect, { once: true });
  // The reasons: `connect` itself only rejects with a closed connection.
  const faults: Error[] = [];
  redis.on('error', (err: Error) => faults.push(err));
  try {
    const failure = await redis.connect().then(
      () => null,
      (err: unknown) => ({ cause: faults[0] ?? err }),
    );
    if (failure !== null) {
      const todo = `${adviseReaching('REDIS_URL', failure.cause)} Visitors are served from Postgres.`;
      return [problem(place.name, describeRedisFailure(place.at, failure.cause), todo)];
    }
    const clock = await judgeClock(`${place.name} clock`, context.now, async () => {
      const [seconds = 0, microseconds = 0] = (await redis.time()).map(Number);
      return seconds * 1_000 + microseconds / 1_000;
    });
    const info = await readInfo(redis);
    return [
      judgeVersion(place, info),
      await judgePrivileges(redis, place, given(context.env, 'REDIS_KEY_PREFIX') ?? 'smartlink:'),
      clock,
      judgeEviction(place, info),
      await judgePersistence(redis, place, info),
    ];
  } finally {
    disconnect();
  }
}

export function describeRedisFailure(places: string, err: unknown): string {
  const at = `Redis at ${places}`;
  if (isTimeout(err)) return `${at} does not answer within ${ANSWER_LIMIT_MS / 1_000} s`;
  return `${at} cannot be reached: ${failureMessage(err)}`;
}

type Info = ReadonlyMap<string, string>;

async function readInfo(redis: Redis): Promise<Info> {
  const lines = (await redis.info()).split('\r\n').filter((line) => line.indexOf(':') > 0);
  return new Map(lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]));
}

function judgeVersion(place: Place, info: Info): Finding {
  const check = `${place.name} version`;
  const valkey = info.get('valkey_version');
  const version = info.get('redis_version') ?? '';
  const seen = valkey === undefined ? version : `Valkey ${valkey}`;
  return valkey !== undefined || isAtLeast(version, VERSION_MIN)
    ? ok(check, seen)
    : problem(check, `${seen}, and ${VERSION_MIN.join('.')} is needed`, 'Upgrade it: it can start empty.');
}

/** Does what the services do, with a key that expires after a second. */
async function judgePrivileges(redis: Redis, place: Place, prefix: string): Promise<Finding> {
  const check = `${place.name} privileges`;
  const key = `${prefix}doctor:${randomUUID()}`;
  try {
    await redis.set(key, '1', 'PX', 1_000);
    await redis.eval(`return redis.call('get', KEYS[1])`, 1, key);
    await redis.publish(key, '1');
    return ok(check, `may read, write, run scripts and publish under ${prefix}`);
  } catch (err) {
    const text = failureMessage(err);
    // A node names the owner of a key only to a login that may write it.
    if (place.isCluster && text.startsWith('MOVED'))
      return ok(check, 'may write; the key is on another node');
    const todo = text.startsWith('NOPERM')
      ? 'Grant what docs/scale.md lists.'
      : 'It must be a master that takes writes (docs/scale.md).';
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
    ? 'Set maxmemory, or it takes all of the host (docs/scale.md).'
    : 'Set maxmemory-policy volatile-lru: full, it would refuse changes (docs/scale.md).';
  return warning(check, seen, todo);
}

async function judgePersistence(redis: Redis, place: Place, info: Info): Promise<Finding> {
  const check = `${place.name} persistence`;
  const todo = 'Set save "" and appendonly no, or keep the files for a day at most (docs/scale.md).';
  if (info.get('aof_enabled') === '1') return warning(check, 'writes an append-only file', todo);
  try {
    const [, save = ''] = (await redis.config('GET', 'save')) as readonly string[];
    return save === ''
      ? ok(check, 'writes nothing to a disk')
      : warning(check, `saves a dump: ${save}`, todo);
  } catch {
    return unknown(check, 'no append-only file; this login may not ask whether it saves a dump');
  }
}
