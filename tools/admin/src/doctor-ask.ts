import { ANSWER_LIMIT_MS } from './doctor-check.js';

export type Answer = { readonly status: number; readonly body: string };

/**
 * Returns what is answered, `refused` where nobody listens, null for anything that is no answer of HTTP. Of the body it
 * keeps `charactersMax`.
 */
export async function ask(
  url: string,
  signal: AbortSignal,
  charactersMax = 1_000,
): Promise<Answer | 'refused' | null> {
  try {
    const response = await fetch(url, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_LIMIT_MS)]),
      redirect: 'manual',
    });
    return { status: response.status, body: (await response.text()).slice(0, charactersMax) };
  } catch (err) {
    const cause = err instanceof Error ? err.cause : undefined;
    return cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED' ? 'refused' : null;
  }
}

/** Returns the address at which a service that listens on `host` is asked from this host. */
export function baseUrlOf(host: string, port: number): string {
  // Who listens on all addresses answers at this one.
  const asked =
    host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host.includes(':') ? `[${host}]` : host;
  return `http://${asked}:${port}`;
}
