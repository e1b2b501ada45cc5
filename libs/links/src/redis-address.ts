export type HostAndPort = { readonly host: string; readonly port: number };

/** Login at a Redis or sentinel; empty without authentication. */
export type Credentials = { readonly username?: string; readonly password?: string };

/** A parsed REDIS_URL. `isTls` applies to every connection, also to sentinels. */
export type RedisAddress = Credentials & { readonly isTls: boolean } & (
    | { readonly topology: 'single'; readonly node: HostAndPort; readonly database: number }
    | { readonly topology: 'cluster'; readonly nodes: readonly HostAndPort[] }
    | {
        readonly topology: 'sentinel';
        readonly sentinels: readonly HostAndPort[];
        readonly masterName: string;
        readonly database: number;
        readonly sentinel: Credentials;
      }
  );

/** The message states what was expected and never the given address, which holds a password. */
export class RedisAddressError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'RedisAddressError';
  }
}

/** All hosts and ports of an address, without the login. Throws RedisAddressError. */
export function redisPlaces(url: string): readonly string[] {
  const address = parseRedisAddress(url);
  const nodes =
    address.topology === 'single'
      ? [address.node]
      : address.topology === 'cluster'
        ? address.nodes
        : address.sentinels;
  return nodes.map(({ host, port }) => `${host.includes(':') ? `[${host}]` : host}:${port}`);
}

const SCHEMES = /^redis(?<tls>s?)(?:\+(?<topology>cluster|sentinel))?:\/\//;
const DEFAULT_PORT = 6379;
const DEFAULT_SENTINEL_PORT = 26_379;

/**
 * Throws RedisAddressError.
 *
 *     redis://[user:password@]host[:6379][/database]
 *     redis+cluster://[user:password@]host[:6379][,host…]
 *     redis+sentinel://[user:password@]host[:26379][,host…]/master[/database][?sentinelUsername=…&sentinelPassword=…]
 *
 * `rediss` instead of `redis` is TLS. Names and passwords are percent-encoded, except for letters, digits and -._~.
 */
export function parseRedisAddress(url: string): RedisAddress {
  const scheme = SCHEMES.exec(url);
  if (scheme === null) {
    fail(
      'expected an address that starts with redis://, redis+cluster:// or redis+sentinel:// (rediss… for TLS)',
    );
  }
  const { authority, path, query } = cut(url.slice(scheme[0].length));
  const at = authority.lastIndexOf('@');
  const hosts = authority.slice(at + 1).split(',');
  const access = {
    ...(at === -1 ? {} : readCredentials(authority.slice(0, at))),
    isTls: scheme.groups?.['tls'] === 's',
  };
  const topology = scheme.groups?.['topology'];
  if (topology !== 'sentinel' && query !== '') fail('expected nothing behind a question mark');
  if (topology === 'cluster') {
    if (path.length > 0) fail('expected no path: a cluster has database 0 alone');
    return { ...access, topology, nodes: hosts.map((text) => readHost(text, DEFAULT_PORT)) };
  }
  if (topology === 'sentinel') {
    const [masterName = '', database, ...more] = path.map(decode);
    if (masterName === '' || more.length > 0) {
      fail("expected the master's name behind the hosts, as in redis+sentinel://host:26379/mymaster");
    }
    return {
      ...access,
      topology,
      sentinels: hosts.map((text) => readHost(text, DEFAULT_SENTINEL_PORT)),
      masterName,
      database: readDatabase(database),
      sentinel: readSentinelAccess(query),
    };
  }
  const [first = '', ...others] = hosts;
  if (others.length > 0) fail('expected one host: several need redis+cluster:// or redis+sentinel://');
  if (path.length > 1) fail('expected a database number and nothing else behind the host');
  return {
    ...access,
    topology: 'single',
    node: readHost(first, DEFAULT_PORT),
    database: readDatabase(path[0]),
  };
}

/** Error message for a configuration variable; null if the address is valid. */
export function redisAddressProblem(url: string): string | null {
  try {
    parseRedisAddress(url);
    return null;
  } catch (err) {
    return err instanceof RedisAddressError ? err.message : 'expected an address of Redis';
  }
}

function cut(rest: string): { authority: string; path: readonly string[]; query: string } {
  const queryAt = rest.indexOf('?');
  const beforeQuery = queryAt === -1 ? rest : rest.slice(0, queryAt);
  const [authority = '', ...path] = beforeQuery.split('/');
  return {
    authority,
    path: path.at(-1) === '' ? path.slice(0, -1) : path,
    query: queryAt === -1 ? '' : rest.slice(queryAt + 1),
  };
}

// Also [::1]:6379.
const HOST = /^(?<host>\[[\da-fA-F:.]+\]|[\w.-]+)(?::(?<port>\d{1,5}))?$/;

function readHost(text: string, defaultPort: number): HostAndPort {
  const groups = HOST.exec(text)?.groups;
  const port = Number(groups?.['port'] ?? defaultPort);
  if (groups === undefined || port < 1 || port > 65_535) {
    fail('expected hosts as in name:6379, comma-separated where there are several');
  }
  return { host: (groups['host'] ?? '').replace(/^\[|\]$/g, ''), port };
}

function readCredentials(text: string): Credentials {
  const colon = text.indexOf(':');
  if (colon === -1) fail('expected user:password@, or :password@ of the default user, before the hosts');
  return credentials(decode(text.slice(0, colon)), decode(text.slice(colon + 1)));
}

function readSentinelAccess(query: string): Credentials {
  const values = new URLSearchParams(query);
  for (const name of values.keys()) {
    if (name !== 'sentinelUsername' && name !== 'sentinelPassword') {
      fail('expected nothing but sentinelUsername and sentinelPassword behind the question mark');
    }
  }
  return credentials(values.get('sentinelUsername') ?? '', values.get('sentinelPassword') ?? '');
}

function credentials(username: string, password: string): Credentials {
  return { ...(username === '' ? {} : { username }), ...(password === '' ? {} : { password }) };
}

function readDatabase(text: string | undefined): number {
  if (text === undefined) return 0;
  if (!/^\d{1,4}$/.test(text)) fail('expected the number of a database at the end');
  return Number(text);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return fail('expected % in front of two hexadecimal digits only');
  }
}

function fail(message: string): never {
  throw new RedisAddressError(message);
}
