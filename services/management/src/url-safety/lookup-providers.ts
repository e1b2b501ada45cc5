import { z } from 'zod';
import {
  askInBatches,
  batchesOf,
  createProviderClient,
  ProviderError,
  readJsonAnswer,
  type SafetyProvider,
} from './provider.js';

// The providers that are sent the URLs themselves.

/** https://cloud.google.com/web-risk/docs/reference/rest/v1/uris/search */
export const WEB_RISK_URL = 'https://webrisk.googleapis.com';

// Without SOCIAL_ENGINEERING_EXTENDED_COVERAGE: by Google's documentation it is less certain, and there is no appeal
// against a refused destination here.
const THREAT_TYPES = ['MALWARE', 'SOCIAL_ENGINEERING', 'UNWANTED_SOFTWARE'];

// The answer about an unlisted URL is exactly `{}`: a proxy's 200 is no verdict. Types are strings: a new one is a threat too.
const webRiskSchema = z.union([
  z.strictObject({}),
  z.object({ threat: z.object({ threatTypes: z.array(z.string()).default([]) }) }),
]);

/**
 * The Lookup API of Google Web Risk: one GET a URL, at most 6,000 a minute
 * (https://cloud.google.com/web-risk/docs/lookup-api). The key is sent in a header, so access logs do not hold it.
 */
export function createWebRisk(options: { baseUrl: string; apiKey: string }): SafetyProvider {
  const client = createProviderClient(options.baseUrl);
  const headers = { 'x-goog-api-key': options.apiKey };
  return {
    name: 'google-web-risk',
    findUnsafe: (urls, signal) =>
      askInBatches(urls, signal, async (url, either) => {
        const { body } = await client.ask({ method: 'GET', path: webRiskPath(url), headers }, either);
        const answer = readJsonAnswer(body, webRiskSchema);
        return 'threat' in answer && answer.threat.threatTypes.length > 0 ? [url] : [];
      }),
    close: client.close,
  };
}

function webRiskPath(url: string): string {
  const query = new URLSearchParams(THREAT_TYPES.map((type): [string, string] => ['threatTypes', type]));
  query.append('uri', url);
  return `/v1/uris:search?${query.toString()}`;
}

// At 2,048 characters a URL a request stays below 1 MiB.
const HOOK_URLS_MAX = 500;

const hookSchema = z.object({ unsafe: z.array(z.string()) });

/**
 * A service of the operator: `POST {"urls": […]}` with a bearer token, answered by 200 and `{"unsafe": […]}` with URLs
 * exactly as sent. An answer with any other URL is unusable: a hook that rewrites URLs would otherwise silently call
 * everything safe.
 */
export function createHttpHook(options: { url: string; token: string }): SafetyProvider {
  const client = createProviderClient(options.url);
  const headers = { authorization: `Bearer ${options.token}`, 'content-type': 'application/json' };
  return {
    name: 'http',
    findUnsafe: (urls, signal) =>
      askInBatches(batchesOf(urls, HOOK_URLS_MAX), signal, async (batch, either) => {
        const body = JSON.stringify({ urls: batch });
        const answer = await client.ask({ method: 'POST', path: '', headers, body }, either);
        const { unsafe } = readJsonAnswer(answer.body, hookSchema);
        const asked = new Set(batch);
        if (!unsafe.every((url) => asked.has(url))) {
          throw new ProviderError('the answer names URLs that were not sent', { isProviderUp: false });
        }
        return unsafe;
      }),
    close: client.close,
  };
}
