import type { LookupAddress } from 'node:dns';
import { Resolver, lookup } from 'node:dns/promises';
import type { ResolveName } from './send-message.js';

const TIMEOUT_MS = 2_000;
const TRIES = 2;

/**
 * Returns the look-up of names by the system's DNS servers, IPv4 before IPv6. Not by the system's own look-up: that
 * occupies a thread of the process's few until it ends, so names that answer slowly would hold up everything else that
 * connects. Where `alsoLocal`, a name that DNS does not know is looked for there all the same (hosts files, containers).
 * Rejects when the name is not found.
 */
export function createNameResolver(alsoLocal: boolean): ResolveName {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
  return async (hostname) => {
    const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const found: LookupAddress[] = [...toAddresses(ipv4, 4), ...toAddresses(ipv6, 6)];
    if (found.length > 0 || !alsoLocal) return found;
    return lookup(hostname, { all: true });
  };
}

function toAddresses(settled: PromiseSettledResult<string[]>, family: 4 | 6): LookupAddress[] {
  return settled.status === 'fulfilled' ? settled.value.map((address) => ({ address, family })) : [];
}
