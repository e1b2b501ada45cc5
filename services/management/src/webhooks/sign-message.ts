import { createHmac, randomBytes } from 'node:crypto';

// Standard Webhooks, Signature scheme: HMAC-SHA256, secrets of 24 to 64 random bytes in Base64 after this prefix.
const SECRET_PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** Returns a new secret. */
export function newSecret(): string {
  return `${SECRET_PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`;
}

export type Message = {
  /** Holds no full stop, as the parts of what is signed are divided by them. */
  readonly id: string;
  readonly timestampSeconds: number;
  readonly body: string;
};

/** Returns the three headers of a message (Standard Webhooks, Webhook headers): one signature by each secret. */
export function signedHeaders(message: Message, secrets: readonly string[]): Record<string, string> {
  const { id, timestampSeconds, body } = message;
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestampSeconds}.${body}`).digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': signatures.join(' '),
  };
}
