import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@smartlink/test-support/until';
import { urlSmartlink } from '../../../services/management/test/start-service.js';
import type { Redirect } from '../../../services/redirect/test/start-redirect.js';
import type { callApi } from './changes-harness.js';

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';
const RETRY_MS = 20;
const ENDED_DEADLINE_MS = 30_000;

export type Visited = { readonly status: number; readonly retryAfter: string | null };

/** A visit of a person; status 0 if its connection broke. */
export async function visitOnce(redirect: Redirect, slug: string): Promise<Visited> {
  try {
    const headers = { 'user-agent': BROWSER };
    const answer = await fetch(`${redirect.url}/${slug}`, { redirect: 'manual', headers });
    await answer.arrayBuffer();
    return { status: answer.status, retryAfter: answer.headers.get('retry-after') };
  } catch {
    return { status: 0, retryAfter: null };
  }
}

/**
 * Visitors that visit each service until the link is used up there, whatever happens; `onFirst` is called at the first redirect.
 * Returns the redirects that arrived.
 */
export async function visitUntilUsedUp(
  redirects: readonly Redirect[],
  slug: string,
  visitors: number,
  onFirst: () => Promise<void>,
): Promise<number> {
  const endsAt = performance.now() + ENDED_DEADLINE_MS;
  let granted = 0;
  let event: Promise<void> | undefined;
  const visitOn = async (redirect: Redirect): Promise<void> => {
    for (;;) {
      if (performance.now() > endsAt) throw new Error(`${slug} is not used up: ${granted} got in`);
      const { status } = await visitOnce(redirect, slug);
      if (status === 410) return;
      if (status === 302) {
        granted += 1;
        event ??= onFirst();
      } else await sleep(RETRY_MS);
    }
  };
  await Promise.all(
    redirects.flatMap((redirect) => Array.from({ length: visitors }, () => visitOn(redirect))),
  );
  await event;
  return granted;
}

/** Creates limited links and reads what is used of them. */
export function limitedLinksBy(call: ReturnType<typeof callApi>) {
  return {
    /** Waits until the API takes `availability`, and resolves to the id. */
    create: (slug: string, target: string, availability: object): Promise<string> =>
      until(async () => {
        const body = urlSmartlink({ smartlinkUrl: slug }, { url: target }, { availability });
        return (await call('POST', 'smartlink', body).catch(() => undefined))?.data.id;
      }, `${slug} is created`),
    /** Asks again while Postgres restarts. */
    used: (id: string): Promise<unknown> =>
      until(async () => {
        const answer = await call('GET', `smartlink?id=${id}`).catch(() => undefined);
        return answer && { ...(answer.data['availability'] as object) };
      }, 'the API answers').then((availability) => (availability as { visitsUsed?: number }).visitsUsed),
  };
}
