import type { Site } from './site.js';

/** The instance that the pages of tests are made for; no page that is served knows of it. */
export const TEST_SITE: Site = {
  publicBaseUrl: 'https://sl.example.com',
  abuseContactUrl: null,
  scriptPath: '/-/assets/p.js',
  shareImagePath: (kind) => `/-/assets/og-${kind}.png`,
};
