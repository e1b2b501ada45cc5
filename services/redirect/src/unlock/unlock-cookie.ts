import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { CompiledLink } from '@smartlink/visits/routing';
import { type Header, headerValue } from '../http/reply.js';

/** How long a link stays unlocked. */
export const UNLOCK_SECONDS = 30 * 60;

export type UnlockCookies = ReturnType<typeof createUnlockCookies>;

/**
 * Cookies of unlocked links: `<expiry>.<HMAC-SHA256 over link, password version and expiry>`, one cookie a link. The
 * first secret signs, all verify, so that secrets can be rotated. `isSecure`: the public base is https. `now`:
 * milliseconds since 1970.
 */
export function createUnlockCookies(options: {
  secrets: readonly string[];
  isSecure: boolean;
  now: () => number;
}) {
  const { secrets, isSecure, now } = options;
  const [signingSecret] = secrets;
  if (signingSecret === undefined) throw new Error('Unlock cookies need a secret');
  const attributes = `; Path=/; Max-Age=${UNLOCK_SECONDS}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;

  // The name differs by link without revealing it.
  const nameOf = (link: CompiledLink): string => {
    const digest = createHash('sha256').update(link.smartlinkId).digest('hex').slice(0, 16);
    return `${isSecure ? '__Host-' : ''}unlock-${digest}`;
  };

  return {
    /** The Set-Cookie header that proves the password of `link`. */
    issue(link: CompiledLink): Header {
      const expiry = String(Math.floor(now() / 1000) + UNLOCK_SECONDS);
      const value = `${expiry}.${sign(signingSecret, link, expiry)}`;
      return ['Set-Cookie', headerValue(`${nameOf(link)}=${value}${attributes}`)];
    },
    /** Whether a Cookie header proves the current password of `link`. */
    isUnlocked(cookie: string, link: CompiledLink) {
      if (cookie === '' || link.password === null) return false;
      const value = readCookie(cookie, nameOf(link));
      const [, expiry, signature] = /^(\d{10,12})\.([\w-]{43})$/.exec(value) ?? [];
      if (expiry === undefined || signature === undefined) return false;
      if (Number(expiry) * 1000 <= now()) return false;
      return secrets.some((secret) => isSame(signature, sign(secret, link, expiry)));
    },
  };
}

function sign(secret: string, link: CompiledLink, expiry: string): string {
  const text = `unlock\n${link.smartlinkId}\n${link.password?.version ?? 0}\n${expiry}`;
  return createHmac('sha256', secret).update(text).digest('base64url');
}

// Compares texts, not the bytes they decode to: the last character of 32 bytes in base64 has two unused bits, so four
// spellings would pass.
function isSame(given: string, expected: string): boolean {
  return given.length === expected.length && timingSafeEqual(Buffer.from(given), Buffer.from(expected));
}

function readCookie(cookie: string, name: string): string {
  for (const pair of cookie.split(';')) {
    const equals = pair.indexOf('=');
    if (equals !== -1 && pair.slice(0, equals).trim() === name) return pair.slice(equals + 1).trim();
  }
  return '';
}
