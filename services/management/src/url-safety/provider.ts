import { setMaxListeners } from 'node:events';
import type { Pool } from 'undici';
import type { z } from 'zod';

/** A source of verdicts on URLs. It never fetches one. */
export type SafetyProvider = {
  readonly name: string;
  /**
   * The provider asks no other service, so it is never down and the size of a body bounds its work. It has no time limit
   * and no breaker: no document can switch it off for others.
   */
  readonly isLocal?: true;
  /**
   * The unsafe ones of `urls` (distinct, http or https). Rejects when it cannot judge them all, with a ProviderError where
   * more is known, and soon after `signal` is aborted. Yields to the event loop, whatever the number of URLs.
   */
  readonly findUnsafe: (urls: readonly string[], signal: AbortSignal) => Promise<ReadonlySet<string>>;
  /** Differs after each load of a local list, with which stored URLs are to be compared; absent without a list. */
  readonly listVersion?: () => number;
  /** Ends connections and timers; requests in progress reject. */
  readonly close: () => Promise<void>;
};

/** An incomplete check. The message holds no URL and no key. */
export class ProviderError extends Error {
  /** URLs found to be unsafe before the failure. */
  readonly unsafe: ReadonlySet<string>;
  /**
   * Whether the provider answered at all. It is not down then: a menu of ten thousand URLs that exceeds the time limit, or
   * one URL that the provider refuses to read, must not switch the check off for others.
   */
  readonly isProviderUp: boolean;

  constructor(
    message: string,
    known: {
      readonly unsafe?: ReadonlySet<string>;
      readonly isProviderUp: boolean;
      readonly cause?: unknown;
    },
  ) {
    super(message, { cause: known.cause });
    this.name = 'ProviderError';
    this.unsafe = known.unsafe ?? new Set();
    this.isProviderUp = known.isProviderUp;
  }
}

/** Requests in progress at once for one document. */
const CONCURRENCY = 8;

/**
 * Asks about each batch and resolves to the unsafe URLs. The first failure cancels the other requests and rejects with a
 * ProviderError that holds the URLs found until then.
 */
export async function askInBatches<T>(
  batches: readonly T[],
  signal: AbortSignal,
  ask: (batch: T, signal: AbortSignal) => Promise<Iterable<string>>,
): Promise<ReadonlySet<string>> {
  const unsafe = new Set<string>();
  const failure = new AbortController();
  const either = AbortSignal.any([signal, failure.signal]);
  // Each request adds two. Node warns above ten, and should still warn of a leak.
  setMaxListeners(4 * CONCURRENCY, either);
  let next = 0;
  let answers = 0;
  const askOn = async (): Promise<void> => {
    for (let batch = batches[next++]; batch !== undefined; batch = batches[next++]) {
      either.throwIfAborted();
      for (const url of await ask(batch, either)) unsafe.add(url);
      answers += 1;
    }
  };
  const failures: unknown[] = [];
  const asking = Array.from({ length: Math.min(CONCURRENCY, batches.length) }, () =>
    askOn().catch((err: unknown) => {
      failures.push(signal.aborted ? signal.reason : err);
      failure.abort();
    }),
  );
  await Promise.all(asking);
  if (failures.length === 0) return unsafe;
  // The others were cancelled because of the first.
  const [cause] = failures;
  throw new ProviderError(cause instanceof Error ? cause.message : 'the request failed', {
    unsafe,
    isProviderUp: answers > 0 || (cause instanceof ProviderError && cause.isProviderUp),
    cause,
  });
}

/** `items` in runs of at most `size`. */
export function batchesOf<T>(items: readonly T[], size: number): T[][] {
  const batches: T[][] = [];
  for (let i = 0; i < items.length; i += size) batches.push(items.slice(i, i + size));
  return batches;
}

type ProviderQuestion = {
  readonly method: 'GET' | 'POST';
  /** Appended to the base address; begins with a slash or is empty. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
};

export type ProviderAnswer = { readonly contentType: string; readonly body: Buffer };

const CONNECTIONS_MAX = 32;
const CONNECT_TIMEOUT_MS = 1_000;
const ANSWER_BYTES_MAX = 1024 * 1024;
// A provider that is silent for longer is down, however patient the caller.
const SILENCE_MAX_MS = 10_000;

/** An HTTP client of one provider. The caller closes it. */
export function createProviderClient(baseUrl: string) {
  const { origin, pathname, search } = new URL(baseUrl);
  const basePath = pathname.endsWith('/') ? pathname.slice(0, -1) : pathname;
  const options = {
    connections: CONNECTIONS_MAX,
    connect: { timeout: CONNECT_TIMEOUT_MS },
    headersTimeout: SILENCE_MAX_MS,
    bodyTimeout: SILENCE_MAX_MS,
    maxResponseSize: ANSWER_BYTES_MAX,
  };
  // undici takes a tenth of the processor time of a start, and most installations have no provider.
  let opened: Promise<Pool> | undefined;
  const openPool = () => (opened ??= import('undici').then((undici) => new undici.Pool(origin, options)));
  return {
    /**
     * The body of a 200. Rejects with ProviderError for every other status, redirects included, and with undici's error or
     * `signal`'s reason without a complete answer of at most 1 MiB.
     */
    async ask(
      { method, path, headers, body }: ProviderQuestion,
      signal: AbortSignal,
    ): Promise<ProviderAnswer> {
      const pool = await openPool();
      const answer = await pool.request({
        method,
        path: `${path === '' ? pathname : basePath + path}${search}`,
        headers: { 'user-agent': 'smartlink', ...headers },
        body: body ?? null,
        signal,
      });
      if (answer.statusCode !== 200) {
        await answer.body.dump({ limit: ANSWER_BYTES_MAX, signal });
        throw new ProviderError(`the provider answered with status ${answer.statusCode}`, {
          isProviderUp: isAboutTheQuestion(answer.statusCode),
        });
      }
      const bytes = Buffer.from(await answer.body.arrayBuffer());
      return { contentType: String(answer.headers['content-type'] ?? ''), body: bytes };
    },
    close: async () => (await opened)?.destroy(),
  };
}

/** 401, 403 and 429 are about the caller, and apply to the next request too. */
function isAboutTheQuestion(status: number): boolean {
  return status === 400 || status === 413 || status === 414 || status === 422;
}

/** The content of a JSON answer. Throws ProviderError when it does not match the schema. */
export function readJsonAnswer<Schema extends z.ZodType>(body: Buffer, schema: Schema): z.output<Schema> {
  let value: unknown;
  try {
    value = JSON.parse(body.toString('utf8'));
  } catch {
    throw new ProviderError('the answer is not JSON', { isProviderUp: false });
  }
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw unreadableAnswer();
  return parsed.data;
}

export function unreadableAnswer(): ProviderError {
  return new ProviderError('the answer is not of the documented shape', { isProviderUp: false });
}
