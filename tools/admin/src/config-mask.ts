// Of texts only what stands here is printed; a variable that is added, and thought of by nobody, is taken for a secret.
const SHOWN: Readonly<Record<string, 'whole' | 'address' | 'origin'>> = {
  ABUSE_CONTACT_URL: 'whole',
  APPLE_APP_SITE_ASSOCIATION: 'whole',
  ASSET_LINKS: 'whole',
  CLICKHOUSE_CLUSTER: 'whole',
  CLICKHOUSE_ENGINE_PREFIX: 'whole',
  CLICKHOUSE_LOCAL_DATABASE: 'whole',
  CLICKHOUSE_URL: 'address',
  CORS_ORIGINS: 'whole',
  COUNTRY_DATABASE: 'whole',
  COUNTRY_HEADER: 'whole',
  DATABASE_REPLICA_URL: 'address',
  DATABASE_URL: 'address',
  DEFAULT_LANGUAGE: 'whole',
  LOG_LEVEL: 'whole',
  MANAGEMENT_HOST: 'whole',
  METRICS_HOST: 'whole',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'origin',
  OTEL_SERVICE_NAME: 'whole',
  PUBLIC_BASE_URL: 'address',
  REDIRECT_HOST: 'whole',
  REDIS_KEY_PREFIX: 'whole',
  REDIS_URL: 'address',
  ROOT_REDIRECT_URL: 'origin',
  SAFETY_API_BASE_URL: 'origin',
  SAFETY_BLOCKLIST_FILES: 'whole',
  SAFETY_HTTP_URL: 'origin',
  SAFETY_PROVIDER: 'whole',
  SPOOL_DIR: 'whole',
  TRUSTED_PROXIES: 'whole',
  WEBHOOK_ALLOWED_NETWORKS: 'whole',
};

/** The variables of which a text is printed, for the test that none of them is a secret. */
export const SHOWN_NAMES: readonly string[] = Object.keys(SHOWN);

export type Printed = {
  /** What may be shown of the value; null when there is none. */
  readonly text: string | null;
  /** The value, or a part of it, is left out. */
  readonly isMasked: boolean;
};

/** Returns of a variable's value what anybody may read. Numbers, true and false are no secrets; texts are unless listed. */
export function printValue(name: string, value: unknown): Printed {
  if (value === undefined || value === null) return { text: null, isMasked: false };
  if (typeof value === 'number' || typeof value === 'boolean')
    return { text: String(value), isMasked: false };
  const kind = Object.hasOwn(SHOWN, name) ? SHOWN[name] : undefined;
  const text = Array.isArray(value) ? value.join(',') : typeof value === 'string' ? value : null;
  if (text === '' || isEmptyObject(value)) return { text: null, isMasked: false };
  if (kind === undefined || text === null) return { text: describeSecret(value), isMasked: true };
  if (kind === 'whole') return { text, isMasked: false };
  const mask = kind === 'address' ? maskAddress : originOf;
  // Each of a list by itself, since what follows a comma would else be taken for a path.
  const shown = Array.isArray(value) ? value.map((one) => mask(String(one))).join(',') : mask(text);
  return { text: shown, isMasked: shown !== text };
}

const isEmptyObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;

/** Returns how long a secret is, in bytes, and how many there are. */
function describeSecret(value: unknown): string {
  const parts = Array.isArray(value) ? value : [value];
  const lengths = parts.map((part) => (typeof part === 'string' ? Buffer.byteLength(part) : null));
  if (lengths.length === 0 || lengths.includes(null)) {
    const count = typeof value === 'object' && value !== null ? Object.keys(value).length : 0;
    return `set, ${count} values`;
  }
  return `set, ${lengths.join(' and ')} bytes`;
}

// Said of a connection, and no secrets; of the rest of a query the names alone are shown.
const PLAIN_PARAMETERS: ReadonlySet<string> = new Set([
  'sslmode',
  'application_name',
  'target_session_attrs',
]);

/**
 * Returns an address without what proves who we are: passwords, and parameters other than well-known ones. By hand,
 * since addresses of Redis may name several hosts. An address that cannot be read, or whose password has characters that
 * end it early, is left out whole.
 */
export function maskAddress(url: string): string {
  const [, scheme = '', authority = '', rest = ''] =
    /^([a-z][a-z\d+.-]*:\/\/)([^/?#]*)(.*)$/is.exec(url) ?? [];
  if (scheme === '' || rest.includes('@')) return `set, ${Buffer.byteLength(url)} bytes`;
  const at = authority.lastIndexOf('@');
  const login = at === -1 ? '' : authority.slice(0, at);
  const colon = login.indexOf(':');
  // Without a colon it may be a token that stands for both.
  const shownLogin = at === -1 ? '' : `${colon === -1 ? '***' : `${login.slice(0, colon)}:***`}@`;
  const [beforeFragment = ''] = rest.split('#');
  const [path = '', ...query] = beforeFragment.split('?');
  const parameters = query
    .join('?')
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const [name = '', value = ''] = pair.split('=');
      return PLAIN_PARAMETERS.has(name) ? `${name}=${value}` : `${name}=***`;
    });
  const shownQuery = parameters.length === 0 ? '' : `?${parameters.join('&')}`;
  return `${scheme}${shownLogin}${authority.slice(at + 1)}${path}${shownQuery}`;
}

/** Returns scheme and host: paths of web hooks and collectors often are what proves who calls. */
function originOf(url: string): string {
  const masked = maskAddress(url);
  const [origin = masked] = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i.exec(masked) ?? [];
  return origin === url || `${origin}/` === url ? url : origin.includes('://') ? `${origin}/…` : origin;
}
