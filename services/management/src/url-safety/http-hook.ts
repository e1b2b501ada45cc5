import { z } from 'zod';
import { askInBatches, batchesOf } from './ask-in-batches.js';
import { readJsonAnswer } from './json-answer.js';
import { createProviderClient } from './provider-client.js';
import { ProviderError } from './safety-provider.js';
import type { SafetyProvider } from './safety-provider.js';

// A URL has 2,048 characters at most, so that a question stays below 1 MiB.
const URLS_MAX = 500;

const answerSchema = z.object({ unsafe: z.array(z.string()) });

/**
 * Returns a service of the operator's own: `POST {"urls": […]}` with a bearer token, answered by 200 and
 * `{"unsafe": […]}`, each URL letter by letter as it was sent. One that was not asked about makes the answer unusable:
 * a hook that rewrites URLs would otherwise call everything safe, and nobody would notice.
 */
export function createHttpHook(options: { url: string; token: string }): SafetyProvider {
  const client = createProviderClient(options.url);
  const headers = { authorization: `Bearer ${options.token}`, 'content-type': 'application/json' };
  return {
    name: 'http',
    findUnsafe: (urls, signal) =>
      askInBatches(batchesOf(urls, URLS_MAX), signal, async (batch, either) => {
        const question = {
          method: 'POST',
          path: '',
          headers,
          body: JSON.stringify({ urls: batch }),
        } as const;
        const { body } = await client.ask(question, either);
        const { unsafe } = readJsonAnswer(body, answerSchema);
        const asked = new Set(batch);
        if (!unsafe.every((url) => asked.has(url))) {
          throw new ProviderError('the answer names URLs that were not asked about', { isProviderUp: false });
        }
        return unsafe;
      }),
    close: client.close,
  };
}
