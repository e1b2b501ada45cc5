/** What the client takes from its surroundings; a test puts its own in their place. */
export type Environment = {
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
  /** Milliseconds since 1970, which a Retry-After that is a date is compared with. */
  readonly wallClock: () => number;
  /** Resolves after `ms`; rejects at once when the signal aborts. */
  readonly wait: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
  /** From 0 up to 1. */
  readonly random: () => number;
  /** A new UUID. */
  readonly newId: () => string;
};

export type ClientOptions = {
  /** Address of the management API, as `https://api.example.com`; it may have a path, which /api/v1 comes after. */
  readonly baseUrl: string | URL;
  /** An API key. It is sent to `baseUrl` alone and is in no error. */
  readonly apiKey: string;
  /** Sends the requests; the platform's `fetch` by default. */
  readonly fetch?: typeof fetch | undefined;
  /** How long one request may take, its answer's body included, in milliseconds; 10,000 by default. */
  readonly timeoutMs?: number | undefined;
  /** How long a call may take, retries and waiting included, in milliseconds; 120,000 by default. */
  readonly deadlineMs?: number | undefined;
  /** How many more requests a call may send after the first, 0 to 10; 3 by default. */
  readonly retries?: number | undefined;
  /** The largest body of an answer, in bytes once unpacked; 128 MiB by default, which a page of a hundred full menus fits. */
  readonly answerBytesMax?: number | undefined;
  /** Clock, waiting and randomness, for tests. */
  readonly environment?: Partial<Environment> | undefined;
};

/** What one call may have otherwise than the client. */
export type CallOptions = Pick<ClientOptions, 'timeoutMs' | 'deadlineMs' | 'retries'> & {
  /** Ends the call: a request under way, and a wait between two. */
  readonly signal?: AbortSignal | undefined;
};

export type Limits = { readonly timeoutMs: number; readonly deadlineMs: number; readonly retries: number };

export type Settings = {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly fetch: typeof fetch;
  readonly limits: Limits;
  readonly answerBytesMax: number;
  readonly environment: Environment;
};

const DEFAULT_LIMITS: Limits = { timeoutMs: 10_000, deadlineMs: 120_000, retries: 3 };
const ANSWER_BYTES_MAX = 128 * 1024 * 1024;
const RETRIES_MAX = 10;
// A timer for longer fires at once (HTML, timers: a delay is a signed 32-bit number).
const TIMER_MS_MAX = 2_147_483_647;

/** Returns the settings of a client. Throws TypeError on options that cannot be meant, without the key in its message. */
export function readSettings(options: ClientOptions): Settings {
  const { apiKey } = options;
  // What a header may hold: anything else would come back inside the platform's own complaint.
  if (typeof apiKey !== 'string' || !/^[\x21-\x7e]{1,512}$/.test(apiKey)) {
    throw new TypeError('apiKey must be an API key: 1 to 512 visible ASCII characters');
  }
  return {
    baseUrl: readBaseUrl(options.baseUrl),
    apiKey,
    // Called as a method of anything but the global object, a browser's fetch throws.
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    limits: readLimits(options, DEFAULT_LIMITS),
    answerBytesMax: wholeNumber('answerBytesMax', options.answerBytesMax ?? ANSWER_BYTES_MAX, 1),
    environment: { ...PLATFORM, ...options.environment },
  };
}

/** Returns limits with what `options` have in their place. Throws TypeError on a number that is none of them. */
export function readLimits(options: CallOptions, limits: Limits): Limits {
  return {
    timeoutMs: wholeNumber('timeoutMs', options.timeoutMs ?? limits.timeoutMs, 1, TIMER_MS_MAX),
    deadlineMs: wholeNumber('deadlineMs', options.deadlineMs ?? limits.deadlineMs, 1, TIMER_MS_MAX),
    retries: wholeNumber('retries', options.retries ?? limits.retries, 0, RETRIES_MAX),
  };
}

function readBaseUrl(given: string | URL): string {
  let url: URL;
  try {
    url = new URL(given);
  } catch {
    throw new TypeError('baseUrl must be an absolute URL');
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new TypeError('baseUrl must be an http or https URL');
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new TypeError('baseUrl must have no user name, password, query or fragment');
  }
  const path = url.pathname.replace(/\/+$/, '');
  if (path.endsWith('/api/v1')) throw new TypeError('baseUrl must end before /api/v1, which the client adds');
  return `${url.origin}${path}`;
}

function wholeNumber(name: string, value: number, min: number, max = Number.MAX_SAFE_INTEGER): number {
  if (!Number.isInteger(value) || value < min || value > max) {
    throw new TypeError(`${name} must be a whole number from ${min} to ${max}`);
  }
  return value;
}

const PLATFORM: Environment = {
  now: () => performance.now(),
  wallClock: () => Date.now(),
  wait: (ms, signal) =>
    new Promise((resolve, reject) => {
      const end = (): void => {
        clearTimeout(timer);
        reject(new Error('aborted'));
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', end);
        resolve();
      }, ms);
      if (signal?.aborted === true) end();
      else signal?.addEventListener('abort', end, { once: true });
    }),
  random: () => Math.random(),
  newId: randomUuid,
};

/** Returns a UUID of version 4 (RFC 9562, 5.4). Pages that came over plain HTTP have no `crypto.randomUUID`. */
function randomUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
