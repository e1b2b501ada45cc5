import type { During } from './during.js';
import { readRedirectMetrics } from './redirect-metrics.js';

const LOOKS = 12;
const MEBIBYTE = 1024 * 1024;

/** Says, twelve times over a run, how much memory the redirect processes take, where their metrics can be read. */
export const watchMemory: During = async ({ target, settings, at, say }) => {
  const { metricsUrl } = target;
  if (metricsUrl === null) return;
  const seconds = settings.number('DURATION_SECONDS');
  for (let look = 1; look <= LOOKS; look += 1) {
    await at((seconds * look) / (LOOKS + 1));
    const metrics = await readRedirectMetrics(metricsUrl);
    const mebibytes = (metrics.get('resident_memory_bytes') ?? 0) / MEBIBYTE;
    say(`The redirect processes take ${mebibytes.toFixed(0)} MiB`);
  }
};
