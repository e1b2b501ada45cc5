/** What the client needs from its platform; replaceable in tests. */
export type Environment = {
  /** Monotonic clock in ms. */
  readonly now: () => number;
  /** Ms since 1970, for a Retry-After that is a date. */
  readonly wallClock: () => number;
  /** Resolves after `ms`; rejects when the signal is aborted. */
  readonly wait: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
  /** From 0 up to 1. */
  readonly random: () => number;
  readonly newId: () => string;
};

/** An API key, or the session of the person who is signed in in this browser. */
type ClientCredential =
  | {
      /** Is sent only to `baseUrl` and never appears in errors. */
      readonly apiKey: string;
      readonly session?: undefined;
    }
  | {
      /** Requests carry the cookie of this site; `baseUrl` is its origin. */
      readonly session: true;
      readonly apiKey?: undefined;
      /** Called when a request finds the session ended. */
      readonly onSignedOut?: (() => void) | undefined;
    };

export type ClientOptions = ClientCredential & {
  /** Address of the management API, such as `https://api.example.com`; may have a path before /api/v1. */
  readonly baseUrl: string | URL;
  /** Sends the requests; the platform's `fetch` by default. */
  readonly fetch?: typeof fetch | undefined;
  /** Time limit of one request, including the body of its answer, in milliseconds; 10,000 by default. */
  readonly timeoutMs?: number | undefined;
  /** Time limit of a call, including retries and waits, in milliseconds; 120,000 by default. */
  readonly deadlineMs?: number | undefined;
  /** Maximum number of retries of a call, 0 to 10; 3 by default. */
  readonly retries?: number | undefined;
  /** Largest body of an answer, in decompressed bytes; 128 MiB by default, enough for a page of 100 full menus. */
  readonly answerBytesMax?: number | undefined;
  /** Replaces clock, waiting and randomness in tests. */
  readonly environment?: Partial<Environment> | undefined;
};

/** Options that one call can override. */
export type CallOptions = Partial<{ readonly [Name in keyof Limits]: number | undefined }> & {
  /** Ends the call, both a request in progress and a wait between two. */
  readonly signal?: AbortSignal | undefined;
};

export type Limits = { readonly timeoutMs: number; readonly deadlineMs: number; readonly retries: number };

export type Settings = {
  /** Without a final slash. */
  readonly baseUrl: string;
  /** Null: the session of the browser. */
  readonly apiKey: string | null;
  readonly onSignedOut: () => void;
  readonly fetch: typeof fetch;
  readonly limits: Limits;
  readonly answerBytesMax: number;
  readonly environment: Environment;
};

const DEFAULT_LIMITS: Limits = { timeoutMs: 10_000, deadlineMs: 120_000, retries: 3 };
const ANSWER_BYTES_MAX = 128 * 1024 * 1024;
const RETRIES_MAX = 10;
// A longer timer fires at once (HTML, timers: a delay is a signed 32-bit number).
const TIMER_MS_MAX = 2_147_483_647;

/** Throws TypeError on invalid options, without the key in its message. */
export function readSettings(options: ClientOptions): Settings {
  return {
    baseUrl: readBaseUrl(options.baseUrl),
    apiKey: options.session === true ? null : readApiKey(options.apiKey),
    onSignedOut: () => options.session === true && options.onSignedOut?.(),
    // A browser's fetch throws when called as a method of another object.
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    limits: readLimits(options, DEFAULT_LIMITS),
    answerBytesMax: wholeNumber('answerBytesMax', options.answerBytesMax ?? ANSWER_BYTES_MAX, 1),
    environment: { ...PLATFORM, ...options.environment },
  };
}

/** `limits` overridden by `options`. Throws TypeError on an invalid number. */
export function readLimits(options: CallOptions, limits: Limits): Limits {
  return {
    timeoutMs: wholeNumber('timeoutMs', options.timeoutMs ?? limits.timeoutMs, 1, TIMER_MS_MAX),
    deadlineMs: wholeNumber('deadlineMs', options.deadlineMs ?? limits.deadlineMs, 1, TIMER_MS_MAX),
    retries: wholeNumber('retries', options.retries ?? limits.retries, 0, RETRIES_MAX),
  };
}

function readApiKey(apiKey: unknown): string {
  // Only characters valid in a header: for others the platform's own error would contain the key.
  if (typeof apiKey !== 'string' || !/^[\x21-\x7e]{1,512}$/.test(apiKey)) {
    throw new TypeError('apiKey must be an API key: 1 to 512 visible ASCII characters');
  }
  return apiKey;
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

/** A UUID of version 4 (RFC 9562, 5.4). Pages served over plain HTTP have no `crypto.randomUUID`. */
function randomUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
