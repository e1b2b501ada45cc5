import { createHmac } from 'node:crypto';
import { clientNetwork } from '@smartlink/process/client-address';
import { createLocalTries, createTries, type TryLimits } from '@smartlink/process/tries';

/** For a link and a client. */
const PAIR_LIMITS: TryLimits = { perMinute: 5, perHour: 20 };
// For a client over all links: far more than an office behind one address needs, but a client that has found a thousand
// protected links cannot occupy the argon2 thread.
const NETWORK_LIMITS: TryLimits = { perMinute: 60, perHour: 600 };
// For a link over all clients: an attacker may have thousands of addresses. At this rate, trying half of the passwords
// of six lower-case letters takes nine years; the price is that a crowd at one link has to wait.
const LINK_LIMITS: TryLimits = { perMinute: 120, perHour: 2_000 };

// Each process also counts by itself, in case Redis is away: for this many keys, some 2, 5 and 16 MB at most. Beyond that
// only Redis remembers.
const LOCAL_PAIRS_MAX = 10_000;
const LOCAL_NETWORKS_MAX = 1_000;
const LOCAL_LINKS_MAX = 1_000;

/** Whether a try may be made, or how long to wait, because of a limit of the link or of the client's network. */
type TryVerdict =
  | { readonly reason: null; readonly ms: 0; readonly giveBack: () => Promise<void> }
  | { readonly reason: 'link'; readonly ms: number }
  | { readonly reason: 'network'; readonly ms: number };

export type TryLimiter = ReturnType<typeof createTryLimiter>;

/** Limits tries at links. Addresses are stored only as an HMAC under `secret`. */
export function createTryLimiter(options: {
  redis: Parameters<typeof createTries>[0];
  keyPrefix: string;
  secret: string;
  /** Milliseconds since 1970. */
  now: () => number;
}) {
  const { redis, keyPrefix, secret, now } = options;
  const tries = createTries(redis, now);
  const pairs = createLocalTries(PAIR_LIMITS, LOCAL_PAIRS_MAX);
  const networks = createLocalTries(NETWORK_LIMITS, LOCAL_NETWORKS_MAX);
  const links = createLocalTries(LINK_LIMITS, LOCAL_LINKS_MAX);

  const hashOf = (network: string) =>
    createHmac('sha256', secret).update(`client\n${network}`).digest('base64url').slice(0, 22);

  return {
    /** Counts one try of the client at `address`. A refused try is not counted. Never rejects, nor does `giveBack`. */
    async take(smartlinkId: string, address: string): Promise<TryVerdict> {
      const client = hashOf(clientNetwork(address, 56));
      const network = hashOf(clientNetwork(address, 48));
      const taken = await tries.take([
        { reason: 'link', local: pairs, key: `${keyPrefix}unlock:1:${smartlinkId}:${client}` },
        { reason: 'network', local: networks, key: `${keyPrefix}unlock-network:1:${network}` },
        { reason: 'link', local: links, key: `${keyPrefix}unlock-link:1:${smartlinkId}` },
      ] as const);
      if (taken.refusedBy !== null) return { reason: taken.refusedBy.reason, ms: taken.ms };
      return { reason: null, ms: 0, giveBack: taken.giveBack };
    },
  };
}
