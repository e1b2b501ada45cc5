import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { trialSize } from '@smartlink/test-support/trial-size';
import { useTrial } from './serve.js';
import { startRedirect } from './start-redirect.js';

// A page that is not made within 20 s is answered 503, and a busy machine takes a second for each of these.
const LARGE = trialSize(4, 100);
const SMALL = 100;

const trial = useTrial({ clickhouse: 'shared' }, [
  ...Array.from({ length: LARGE }, (_, place) => ({
    slug: `menu${place}`,
    type: 'QrMenu' as const,
    content: largeMenu(place % 2 === 0),
  })),
  ...Array.from({ length: SMALL }, (_, place) => ({ slug: `small${place}`, url: 'https://example.org/' })),
]);

/** About a megabyte of JSON: of one description over and over, or of ones that cannot be compressed. */
function largeMenu(isRandom: boolean): object {
  const items = Array.from({ length: 110 }, () => ({
    name: 'Tea',
    price: 2,
    active: true,
    description: isRandom ? randomBytes(300).toString('base64') : `it's `.repeat(80),
  }));
  return {
    qrMenu: { currency: '₼', categories: Array.from({ length: 20 }, () => ({ name: 'Hot', items })) },
  };
}

// Cold in this process and, the second time, known to Redis: what was found in Postgres has been handed to it.
test.each(trialSize(['postgres'], ['postgres', 'redis']))(
  `${LARGE} large links that are cold delay no small one, and all are served (from %s)`,
  async (tier) => {
    const redirect = await startRedirect(trial.databases);
    try {
      const statuses = new Map<string, number>();
      let largeDone = 0;
      let largeDoneBeforeSmall = 0;
      const visit = async (slug: string): Promise<void> => {
        const response = await fetch(`${redirect.url}/${slug}`, { redirect: 'manual' });
        await response.arrayBuffer();
        const key = `${slug.replace(/\d+/, '')} ${response.status}`;
        statuses.set(key, (statuses.get(key) ?? 0) + 1);
      };
      const from = performance.now();
      const large = Array.from({ length: LARGE }, (_, i) => visit(`menu${i}`).then(() => (largeDone += 1)));
      await Promise.all(Array.from({ length: SMALL }, (_, i) => visit(`small${i}`)));
      largeDoneBeforeSmall = largeDone;
      const smallMs = performance.now() - from;
      await Promise.all(large);
      process.stdout.write(
        `from ${tier}: small links after ${smallMs.toFixed(0)} ms, when ${largeDoneBeforeSmall} large ones were served, ` +
          `all after ${(performance.now() - from).toFixed(0)} ms\n`,
      );
      expect(Object.fromEntries(statuses)).toEqual({ 'menu 200': LARGE, 'small 302': SMALL });
      expect(largeDoneBeforeSmall).toBeLessThan(LARGE);
      expect(await redirect.metric('smartlink_redirect_visits_total{outcome="unavailable"}')).toBe(0);
    } finally {
      await redirect.stop();
    }
  },
  180_000,
);
