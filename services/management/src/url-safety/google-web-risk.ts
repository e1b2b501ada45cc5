import { z } from 'zod';
import { askInBatches } from './ask-in-batches.js';
import { readJsonAnswer } from './json-answer.js';
import { createProviderClient } from './provider-client.js';
import type { SafetyProvider } from './safety-provider.js';

/** https://cloud.google.com/web-risk/docs/reference/rest/v1/uris/search */
export const WEB_RISK_URL = 'https://webrisk.googleapis.com';

// SOCIAL_ENGINEERING_EXTENDED_COVERAGE, the fourth list, is left out: by Google's own words it is less certain, and
// a refused destination has no appeal here.
const THREAT_TYPES = ['MALWARE', 'SOCIAL_ENGINEERING', 'UNWANTED_SOFTWARE'];

// An empty object for a URL that is on no list, and nothing else: what some proxy says with 200 is no verdict. Types are
// not an enum: a new one is a threat too.
const answerSchema = z.union([
  z.strictObject({}),
  z.object({ threat: z.object({ threatTypes: z.array(z.string()).default([]) }) }),
]);

/**
 * Returns the Lookup API of Google Web Risk: one GET a URL, with the URL itself
 * (https://cloud.google.com/web-risk/docs/lookup-api). Google allows 6,000 a minute. The key travels in a header
 * (https://cloud.google.com/docs/authentication/api-keys-use), so that no log of addresses has it.
 */
export function createWebRisk(options: { baseUrl: string; apiKey: string }): SafetyProvider {
  const client = createProviderClient(options.baseUrl);
  const headers = { 'x-goog-api-key': options.apiKey };
  return {
    name: 'google-web-risk',
    findUnsafe: (urls, signal) =>
      askInBatches(urls, signal, async (url, either) => {
        const { body } = await client.ask({ method: 'GET', path: pathOf(url), headers }, either);
        const answer = readJsonAnswer(body, answerSchema);
        return 'threat' in answer && answer.threat.threatTypes.length > 0 ? [url] : [];
      }),
    close: client.close,
  };
}

function pathOf(url: string): string {
  const query = new URLSearchParams(THREAT_TYPES.map((type): [string, string] => ['threatTypes', type]));
  query.append('uri', url);
  return `/v1/uris:search?${query.toString()}`;
}
