import { Pool } from 'undici';
import { ProviderError } from './safety-provider.js';

export type ProviderQuestion = {
  readonly method: 'GET' | 'POST';
  /** Behind the base address; begins with a slash, or is empty. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
};

export type ProviderAnswer = { readonly contentType: string; readonly body: Buffer };

export type ProviderClient = {
  /**
   * Returns the body of a 200. Rejects with ProviderError for every other status, a redirect too, and with undici's
   * error or `signal`'s reason when there is no whole answer of at most 1 MiB.
   */
  readonly ask: (question: ProviderQuestion, signal: AbortSignal) => Promise<ProviderAnswer>;
  readonly close: () => Promise<void>;
};

const CONNECTIONS_MAX = 32;
const CONNECT_TIMEOUT_MS = 1_000;
const ANSWER_BYTES_MAX = 1024 * 1024;
// A provider whose check takes longer than this is one that does not answer, however patient the caller.
const SILENCE_MAX_MS = 10_000;

/** Returns a client of one address. The caller closes it. */
export function createProviderClient(baseUrl: string): ProviderClient {
  const { origin, pathname, search } = new URL(baseUrl);
  const basePath = pathname.endsWith('/') ? pathname.slice(0, -1) : pathname;
  const pool = new Pool(origin, {
    connections: CONNECTIONS_MAX,
    connect: { timeout: CONNECT_TIMEOUT_MS },
    headersTimeout: SILENCE_MAX_MS,
    bodyTimeout: SILENCE_MAX_MS,
    maxResponseSize: ANSWER_BYTES_MAX,
  });
  return {
    async ask({ method, path, headers, body }, signal) {
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
    close: () => pool.destroy(),
  };
}

/** 401, 403 and 429 are about who asks, and stay so for the next question. */
function isAboutTheQuestion(status: number): boolean {
  return status === 400 || status === 413 || status === 414 || status === 422;
}
