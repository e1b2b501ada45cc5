/** Samples of the redirect service's metrics, by name and label: `events_total accepted`. */
export type RedirectMetrics = ReadonlyMap<string, number>;

const TIMEOUT_MS = 5_000;
const PREFIX = 'smartlink_redirect_';

/** Returns the metrics at `url`. Rejects when they cannot be read. */
export async function readRedirectMetrics(url: string): Promise<RedirectMetrics> {
  const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  return parseRedirectMetrics(await response.text());
}

/** Returns the samples of a text in the Prometheus format, without the prefix of our names. */
export function parseRedirectMetrics(text: string): RedirectMetrics {
  const samples = new Map<string, number>();
  for (const [, name = '', label, value] of text.matchAll(/^(\w+)(?:\{\w+="([^"]*)"\})? (\S+)$/gm)) {
    const key = name.replace(PREFIX, '');
    samples.set(label === undefined ? key : `${key} ${label}`, Number(value));
  }
  return samples;
}

/** What of the events is still on its way to ClickHouse; null when nothing is. */
export function eventsOnTheirWay(metrics: RedirectMetrics, before: RedirectMetrics): string | null {
  const grown = (key: string) => (metrics.get(key) ?? 0) - (before.get(key) ?? 0);
  const accepted = grown('events_total accepted');
  const fates = ['delivered_events', 'quarantined_events', 'discarded_events', 'torn_events'];
  const settled = fates.reduce((sum, fate) => sum + grown(`shipper_total ${fate}`), 0);
  const reasons = [...metrics.keys()].filter((key) => key.startsWith('events_total dropped_'));
  const dropped = reasons.reduce((sum, reason) => sum + grown(reason), 0);
  const left = accepted - settled - dropped;
  return left > 0 ? `${left} events have not reached ClickHouse yet` : null;
}
