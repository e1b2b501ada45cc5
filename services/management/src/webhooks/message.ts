import { relink } from '@smartlink/smartlink/relink';
import type { ClaimedDelivery } from './delivery-queries.js';
import type { OutgoingMessage } from './send-message.js';
import { signedHeaders } from './sign-message.js';

const USER_AGENT = 'Smartlink-Webhooks/1';

/** Returns a delivery as it is sent at `nowMs`: the body is the same at every attempt, the headers are new. */
export function toMessage(
  delivery: Pick<ClaimedDelivery, 'id' | 'eventType' | 'occurredAt' | 'data' | 'url' | 'secrets'>,
  publicBaseUrl: string,
  nowMs: number,
): OutgoingMessage {
  const { id, eventType, occurredAt, data, url, secrets } = delivery;
  const { smartlinkUrl } = data;
  const body = JSON.stringify({
    type: eventType,
    timestamp: occurredAt.toISOString(),
    data: typeof smartlinkUrl === 'string' ? { ...data, relink: relink(publicBaseUrl, smartlinkUrl) } : data,
  });
  return {
    url,
    headers: {
      'content-type': 'application/json',
      'user-agent': USER_AGENT,
      ...signedHeaders({ id, timestampSeconds: Math.floor(nowMs / 1_000), body }, secrets),
    },
    body,
  };
}
