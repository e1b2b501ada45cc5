/** A key of ours has at least so many bytes: as many as its SHA-256 gives back. */
export const SECRET_BYTES_MIN = 32;

// What installers, images and guides begin with. All of them are tried first by whoever finds a port open.
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
  // One character over and over.
  /^(.)\1*$/,
];

/** Returns that a secret which others have given us was left at a placeholder, null when it was not. */
export function placeholderProblem(secret: string): string | null {
  return isPlaceholder(secret) ? 'is a placeholder' : null;
}

/** Returns what is wrong with a key of ours, null when nothing is. Never names the key. */
export function secretProblem(secret: string): string | null {
  if (isPlaceholder(secret)) return 'one of them is a placeholder: make one with openssl rand -hex 32';
  if (Buffer.byteLength(secret) < SECRET_BYTES_MIN) {
    return `each needs ${SECRET_BYTES_MIN} bytes or more: make one with openssl rand -hex 32`;
  }
  return null;
}

/**
 * Returns what is wrong with the password in the address of an engine, null when nothing is. Addresses of this machine
 * alone may have any password or none: whoever reaches those is here already, and a developer's engines work as they
 * are. Beyond it there must be one, unless `mayLackPassword` or a client's certificate (`sslcert`) stands for it, and it
 * must be none that everybody knows. Never names the password. Other faults of an address are not looked at.
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
  if (WELL_KNOWN.has(password.toLowerCase())) return 'has a password that everybody tries first';
  return null;
}

/** Whether an address that engines are reached at, or that we listen on, is of this machine alone. */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[|\]$/g, '');
  // An empty host, or one that is a path, is a socket in the file system.
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

// By hand, since addresses of Redis may name several hosts, which URL refuses.
function readAuthority(url: string): Authority | null {
  const authority = /^[a-z][a-z+.-]*:\/\/([^/?#]*)/i.exec(url)?.[1];
  if (authority === undefined) return null;
  const at = authority.lastIndexOf('@');
  const [user = '', ...password] = (at === -1 ? '' : authority.slice(0, at)).split(':');
  // pg reads these too, and lets them win.
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
