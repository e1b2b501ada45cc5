import type { During } from './during.js';
import { readRedirectMetrics } from './redirect-metrics.js';

const LOOKS_MAX = 12;
const APART_SECONDS_MIN = 5;
const MEBIBYTE = 1024 * 1024;

/** Says, twelve times over a run but every five seconds at most, how much memory the redirect processes take, where their metrics can be read. */
export const watchMemory: During = async ({ target, settings, at, say }) => {
  const { metricsUrl } = target;
  if (metricsUrl === null) return;
  const seconds = settings.number('DURATION_SECONDS');
  const looks = Math.max(1, Math.min(LOOKS_MAX, Math.floor(seconds / APART_SECONDS_MIN) - 1));
  for (let look = 1; look <= looks; look += 1) {
    await at((seconds * look) / (looks + 1));
    const metrics = await readRedirectMetrics(metricsUrl);
    const mebibytes = (metrics.get('resident_memory_bytes') ?? 0) / MEBIBYTE;
    say(`The redirect processes take ${mebibytes.toFixed(0)} MiB`);
  }
};
