import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { failureCode } from '@smartlink/process/database';

/** The name of the TXT record that proves a host. */
export const txtName = (host: string): string => `_smartlink.${host}`;

/** Its value. */
export const txtValue = (token: string): string => `smartlink-verify=${token}`;

/** `absent`: the name or the record does not exist. `unknown`: no answer that says either. */
type Records =
  | { readonly kind: 'found'; readonly values: readonly string[] }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unknown'; readonly problem: string };

/** What the DNS has of a host. */
export type DomainLook = {
  readonly txt: Records;
  /** Whether its CNAME or an address is that of the instance; null: not known. */
  readonly pointsHere: boolean | null;
};

// Of the first try at a server; c-ares doubles it.
const TRY_MS_MAX = 1_500;
const TRIES_MAX = 2;
const LOOK_MS_MAX = 5_000;

/**
 * Looks up the records of hosts. `servers`: `ip[:port]`, the system's without any. `publicBaseUrl` is where hosts should
 * lead. A look takes 5 s at most and never rejects.
 */
export function createDomainLookup({
  servers,
  publicBaseUrl,
  limitMs = LOOK_MS_MAX,
}: {
  readonly servers: readonly string[];
  readonly publicBaseUrl: string;
  readonly limitMs?: number;
}): (host: string) => Promise<DomainLook> {
  const target = new URL(publicBaseUrl).hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  return async (host) => {
    // One for each look: `cancel` ends all queries of a resolver.
    const resolver = new Resolver({ timeout: TRY_MS_MAX, tries: TRIES_MAX });
    if (servers.length > 0) resolver.setServers(servers);
    const timer = setTimeout(() => {
      resolver.cancel();
    }, limitMs);
    try {
      const [txt, cname, own, wanted] = await Promise.all([
        resolveRecords(txtName(host), async (name) =>
          (await resolver.resolveTxt(name)).map((chunks) => chunks.join('').trim()),
        ),
        resolveRecords(host, (name) => resolver.resolveCname(name)),
        resolveAddresses(resolver, host),
        resolveAddresses(resolver, target),
      ]);
      return { txt, pointsHere: comparePlaces({ target, cname, own, wanted }) };
    } finally {
      clearTimeout(timer);
    }
  };
}

function comparePlaces(found: {
  readonly target: string;
  readonly cname: Records;
  readonly own: Records;
  readonly wanted: Records;
}): boolean | null {
  const { target, cname, own, wanted } = found;
  const names = cname.kind === 'found' ? cname.values : [];
  if (names.some((name) => name.toLowerCase().replace(/\.$/, '') === target)) return true;
  if (own.kind === 'found' && wanted.kind === 'found') {
    if (own.values.some((address) => wanted.values.includes(address))) return true;
  }
  return [cname, own, wanted].some(({ kind }) => kind === 'unknown') ? null : false;
}

async function resolveAddresses(resolver: Resolver, host: string): Promise<Records> {
  if (isIP(host) !== 0) return { kind: 'found', values: [host] };
  const both = await Promise.all([
    resolveRecords(host, (name) => resolver.resolve4(name)),
    resolveRecords(host, (name) => resolver.resolve6(name)),
  ]);
  const values = both.flatMap((records) => (records.kind === 'found' ? records.values : []));
  if (values.length > 0) return { kind: 'found', values };
  return both.find(({ kind }) => kind === 'unknown') ?? { kind: 'absent' };
}

/** NXDOMAIN, and an answer without records of the type. */
const ABSENT_CODES: ReadonlySet<string> = new Set(['ENOTFOUND', 'ENODATA']);

const PROBLEMS: Readonly<Record<string, string>> = {
  ETIMEOUT: 'did not answer in time',
  ECANCELLED: 'did not answer in time',
  ESERVFAIL: 'answered SERVFAIL',
  EREFUSED: 'refused to answer',
  ECONNREFUSED: 'cannot be reached',
  EBADNAME: 'cannot look up a name this long',
};

async function resolveRecords(
  name: string,
  resolve: (name: string) => Promise<readonly string[]>,
): Promise<Records> {
  try {
    const values = await resolve(name);
    return values.length === 0 ? { kind: 'absent' } : { kind: 'found', values };
  } catch (err) {
    const code = failureCode(err);
    if (ABSENT_CODES.has(code)) return { kind: 'absent' };
    return { kind: 'unknown', problem: `The DNS ${PROBLEMS[code] ?? `failed (${code})`}, asked for ${name}` };
  }
}
