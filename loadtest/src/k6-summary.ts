/** What a k6 script's handleSummary has written. */
export type K6Summary = {
  readonly state: { readonly testRunDurationMs: number };
  readonly metrics: Readonly<Record<string, K6Metric | undefined>>;
};

export type K6Metric = {
  readonly values: Readonly<Record<string, number>>;
  readonly thresholds?: Readonly<Record<string, { readonly ok: boolean }>>;
};

/** Returns a counter of k6, 0 when nothing was counted. */
export function countOf({ metrics }: K6Summary, name: string): number {
  return metrics[name]?.values['count'] ?? 0;
}
