import type { FastifyReply, FastifyRequest } from 'fastify';
import { isLoopback } from '@smartlink/process/config';
import { ApiError } from '../errors.js';
import { forbidden } from './access.js';

const NAME = 'smartlink_session';
const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

export type OwnSite = ReturnType<typeof createOwnSite>;

/**
 * The service as browsers see it: its origin, and the cookie of sessions. `baseUrl` is MANAGEMENT_BASE_URL. With https the
 * cookie has the prefix `__Host-` and is sent over https alone. Otherwise it is sent over plain http: to loopback hosts,
 * and to the host of `baseUrl`.
 */
export function createOwnSite(baseUrl: string) {
  const isSecure = baseUrl.startsWith('https:');
  const isLocal = isLoopback(new URL(baseUrl).hostname);
  const name = isSecure ? `__Host-${NAME}` : NAME;
  const attributes = `; Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;

  /** The origin of the host in the request; null: not over http. */
  function loopbackOrigin({ headers: { host = '' } }: FastifyRequest): string | null {
    const url = URL.canParse(`http://${host}`) ? new URL(`http://${host}`) : null;
    return !isSecure && url !== null && isLoopback(url.hostname) ? url.origin : null;
  }

  return {
    /** The value of the cookie; null without one. */
    readCookie({ headers: { cookie = '' } }: FastifyRequest): string | null {
      for (const pair of cookie.split(';')) {
        const [key, value] = pair.trim().split('=', 2);
        if (key === name) return value ?? '';
      }
      return null;
    },
    setCookie(reply: FastifyReply, token: string, maxAgeSeconds: number): void {
      reply.header('set-cookie', `${name}=${token}${attributes}; Max-Age=${maxAgeSeconds}`);
    },
    clearCookie(reply: FastifyReply): void {
      reply.header('set-cookie', `${name}=${attributes}; Max-Age=0`);
    },
    /**
     * Throws FORBIDDEN for a write that a page of another site may have sent. A request with neither Origin nor
     * Sec-Fetch-Site is none of a browser; it is refused if `needsProof`.
     */
    requireOwnOrigin(request: FastifyRequest, { needsProof }: { readonly needsProof: boolean }): void {
      if (SAFE_METHODS.has(request.method)) return;
      const { origin, 'sec-fetch-site': fetchSite } = request.headers;
      const isOwn = origin === undefined || origin === baseUrl || origin === loopbackOrigin(request);
      const isSameOrigin = fetchSite === undefined || fetchSite === 'same-origin';
      const hasProof = origin !== undefined || fetchSite !== undefined;
      if (!isOwn || !isSameOrigin || (needsProof && !hasProof)) {
        throw forbidden('Cross-site request', 'Needs the Origin of this service');
      }
    },
    /** Throws FORBIDDEN where the browser would not send the cookie back, or would send it unencrypted. */
    requireSafeSignIn(request: FastifyRequest): void {
      if (isSecure || !isLocal || loopbackOrigin(request) !== null) return;
      throw new ApiError('FORBIDDEN', {
        message: 'Sign-in needs https',
        details: [{ path: '', message: 'Set MANAGEMENT_BASE_URL to the https address of this service' }],
      });
    },
  };
}
