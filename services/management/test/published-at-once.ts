import { until } from '@smartlink/test-support/until';
import type { FastifyInstance } from 'fastify';
import type {} from '../src/plugins/metrics.js';

/**
 * Makes a change, and another one for as long as its request has left the publishing to the relay: a request waits for it
 * no longer than 150 ms, which a busy machine may need for less. Returns what came of the last change, whose request has
 * published it.
 */
export async function publishedAtOnce<T>(app: FastifyInstance, change: () => Promise<T>): Promise<T> {
  const { made } = await until(async () => {
    const before = await countLeftToRelay(app);
    const outcome = await change();
    return (await countLeftToRelay(app)) === before && { made: outcome };
  }, 'a request publishes its change');
  return made;
}

async function countLeftToRelay(app: FastifyInstance): Promise<number> {
  const published = await app.metrics.registry.getSingleMetric('smartlink_published_slugs_total')?.get();
  const failed = published?.values.find(({ labels }) => labels['outcome'] === 'failed');
  if (failed === undefined) throw new Error('The metrics do not tell what is left to the relay');
  return failed.value;
}
