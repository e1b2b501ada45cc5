/** The length of a SHA-256 digest. */
const SECRET_BYTES_MIN = 32;

// Defaults of installers, images and guides, which attackers try first.
const WELL_KNOWN: ReadonlySet<string> = new Set(
  `postgres postgresql clickhouse redis default smartlink admin administrator root user guest test testing demo example
   password passwd pass secret changeme letmein qwerty 1234 12345 123456 1234567 12345678 123456789`
    .split(/\s+/)
    .filter((word) => word !== ''),
);

const PLACEHOLDERS: readonly RegExp[] = [
  /^(?:please[-_ ]?)?(?:change|replace)[-_ ]?(?:me|this|it)\b/i,
  /^<.*>$/,
  /^\$\{?\w*\}?$/,
  /^\{\{.*\}\}$/,
  /^(?:your|my|insert|enter|put|some)[-_ ].*(?:password|secret|key|here)/i,
  /^(?:todo|tbd|fixme|none|null|undefined)$/i,
  // One repeated character.
  /^(.)\1*$/,
];

/** Checks a secret issued by a third party; null if it is not a placeholder. */
export function placeholderProblem(secret: string): string | null {
  return isPlaceholder(secret) ? 'is a placeholder' : null;
}

/** Checks a secret of this service; null if it is usable. Never names the secret. */
export function secretProblem(secret: string): string | null {
  if (isPlaceholder(secret)) return 'one of them is a placeholder: make one with openssl rand -hex 32';
  if (Buffer.byteLength(secret) < SECRET_BYTES_MIN) {
    return `each needs ${SECRET_BYTES_MIN} bytes or more: make one with openssl rand -hex 32`;
  }
  return null;
}

/**
 * Checks the password in an engine's address; null if it is usable. Loopback addresses may have any password or none.
 * Others need one that is not well known, unless `mayLackPassword` or a client certificate (`sslcert`) replaces it. Never
 * names the password, and ignores other faults of the address.
 */
export function addressSecretProblem(
  url: string,
  { mayLackPassword = false }: { readonly mayLackPassword?: boolean } = {},
): string | null {
  const address = readAuthority(url);
  if (address === null || address.hosts.every(isLoopback)) return null;
  const { user, password } = address;
  if (password === '') {
    const isOthersTask = mayLackPassword || /[?&]sslcert=/.test(url);
    return isOthersTask ? null : 'has no password, which only an address of this machine may lack';
  }
  if (isPlaceholder(password)) return 'has a placeholder for a password';
  if (password === user) return 'has a password that is the name of its user';
  if (WELL_KNOWN.has(password.toLowerCase())) return 'has a well-known password';
  return null;
}

export function isLoopback(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[|\]$/g, '');
  // An empty host, or a path, is a Unix socket.
  return (
    name === '' ||
    name === 'localhost' ||
    name.endsWith('.localhost') ||
    name === '::1' ||
    name.startsWith('/') ||
    name.startsWith('%2f') ||
    /^(?:::ffff:)?127(?:\.\d{1,3}){3}$/.test(name)
  );
}

type Authority = { readonly user: string; readonly password: string; readonly hosts: readonly string[] };

// Addresses of Redis may name several hosts, which URL refuses.
function readAuthority(url: string): Authority | null {
  const authority = /^[a-z][a-z+.-]*:\/\/([^/?#]*)/i.exec(url)?.[1];
  if (authority === undefined) return null;
  const at = authority.lastIndexOf('@');
  const [user = '', ...password] = (at === -1 ? '' : authority.slice(0, at)).split(':');
  // pg reads these too, and prefers them.
  const query = new URLSearchParams(url.startsWith('postgres') ? (/\?([^#]*)/.exec(url)?.[1] ?? '') : '');
  return {
    user: query.get('user') ?? decoded(user),
    password: query.get('password') ?? decoded(password.join(':')),
    hosts: (query.get('host') ?? authority.slice(at + 1)).split(',').map((host) => host.replace(/:\d*$/, '')),
  };
}

function isPlaceholder(text: string): boolean {
  return PLACEHOLDERS.some((pattern) => pattern.test(text));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
