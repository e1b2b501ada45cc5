import autocannon from 'autocannon';

export type LoadRequest = {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
};

export type LoadOptions = {
  readonly url: string;
  readonly connections: number;
  /** What each connection sends, one after another and again from the start; `connection` counts from 0. */
  readonly requestsOf: (connection: number) => readonly LoadRequest[];
  readonly expectedStatus: number;
  /** How many requests to make, over all connections. */
  readonly requests: number;
  readonly signal: AbortSignal;
  /** Called about once a second with the requests answered so far. */
  readonly onProgress?: (answered: number) => void;
};

export type Load = { readonly latenciesMs: readonly number[]; readonly elapsedMs: number };

// autocannon looks this often whether it is done, in ms; its own figures, which are per look, are not used.
const LOOK_INTERVAL_MS = 20;
const LOAD_LIMIT_MS = 180_000;

/**
 * Sends requests over `connections` connections, each waiting for its answer before the next. Rejects when an answer
 * has another status than the expected one, when a connection breaks, when it takes over 3 minutes, or on `signal`.
 */
export async function runLoad(options: LoadOptions): Promise<Load> {
  const { connections, expectedStatus, requests, signal } = options;
  signal.throwIfAborted();
  let connection = 0;
  const latenciesMs: number[] = [];
  const faults = new Map<string, number>();
  const addFault = (fault: string) => faults.set(fault, (faults.get(fault) ?? 0) + 1);
  const startedAt = performance.now();
  let lastAnswerAt = startedAt;
  await new Promise<void>((resolve, reject) => {
    const instance = autocannon(
      {
        url: options.url,
        connections,
        sampleInt: LOOK_INTERVAL_MS,
        amount: requests,
        setupClient: (client) => {
          // Copies: autocannon writes into what it is given.
          client.setRequests(options.requestsOf(connection++).map((request) => ({ ...request })));
        },
      },
      (err: unknown) => {
        clearTimeout(limit);
        signal.removeEventListener('abort', stop);
        if (err) reject(err instanceof Error ? err : new Error('the load could not be made'));
        else resolve();
      },
    );
    const stop = () => {
      instance.stop();
    };
    const limit = setTimeout(() => {
      addFault('took too long');
      stop();
    }, LOAD_LIMIT_MS);
    signal.addEventListener('abort', stop, { once: true });
    instance.on('response', (_client, status, _bytes, responseTimeMs) => {
      latenciesMs.push(responseTimeMs);
      lastAnswerAt = performance.now();
      if (status !== expectedStatus) addFault(`answered ${status}`);
    });
    instance.on('reqError', (err: unknown) => addFault(err instanceof Error ? err.message : 'broke off'));
    instance.on('tick', () => options.onProgress?.(latenciesMs.length));
  });
  signal.throwIfAborted();
  if (faults.size > 0 || latenciesMs.length === 0)
    throw new Error(describeFaults(faults, latenciesMs.length));
  return { latenciesMs, elapsedMs: lastAnswerAt - startedAt };
}

function describeFaults(faults: ReadonlyMap<string, number>, answered: number): string {
  const seen = [...faults].map(([fault, count]) => `${count} × ${fault}`).join(', ');
  return `Of ${answered} requests not all were answered as they should be: ${seen || 'none was'}`;
}
