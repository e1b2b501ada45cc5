import type { BenchStack } from '@smartlink/bench/bench-stack';
import { withRedis } from './fill-redis.js';
import { startRedirect } from './redirect-process.js';
import type { RedirectProcess } from './redirect-process.js';
import type { StackRun } from './stack-bench.js';

export type ServiceSettings = {
  readonly env?: Readonly<Record<string, string>>;
  /** A database of Redis that is its own, so that it can be emptied alone. */
  readonly redisDatabase?: number;
  readonly nodeArgs?: readonly string[];
};

/** The database of Redis that is emptied, beside the one of the other services. */
export const EMPTIED_DATABASE = 1;

/** Starts a service for each of `settings`, on the core for servers, does `work` with them, and stops them. */
export async function withServices<Name extends string, Result>(
  { stack, cores, searchPath }: Pick<StackRun<object>, 'stack' | 'cores' | 'searchPath'>,
  settings: Readonly<Record<Name, ServiceSettings>>,
  work: (services: Readonly<Record<Name, RedirectProcess>>) => Promise<Result>,
): Promise<Result> {
  const services = new Map<string, RedirectProcess>();
  try {
    for (const [name, one] of Object.entries<ServiceSettings>(settings)) {
      const { env, redisDatabase = 0, nodeArgs = [] } = one;
      const service = await startRedirect({
        ...{ name, stack, searchPath, nodeArgs },
        root: null,
        core: cores.server,
        env: { REDIS_URL: databaseUrl(stack, redisDatabase), ...env },
      });
      services.set(name, service);
    }
    return await work(Object.fromEntries(services) as Record<Name, RedirectProcess>);
  } finally {
    for (const service of services.values()) await service.stop();
  }
}

/** Empties one database of the run's own Redis. */
export async function emptyRedis(stack: BenchStack, database: number): Promise<void> {
  await withRedis(databaseUrl(stack, database), (redis) => redis.flushdb());
}

const databaseUrl = ({ redisUrl }: BenchStack, database: number): string => `${redisUrl}/${database}`;
