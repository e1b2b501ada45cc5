/** What a worker has counted so far; names are those of metrics.ts, values plain numbers. */
export type CounterReport = Readonly<Record<string, number>>;

/** What a worker tells its primary. */
export type WorkerMessage =
  | { readonly kind: 'listening' }
  /** It can serve: Redis or Postgres has answered once. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'report'; readonly counters: CounterReport; readonly gauges: CounterReport };

/**
 * What the primary tells a worker. `stop`: stop listening, finish, close the recorder, exit. `drain`: the same, but its
 * successor listens already, so there is time for every visitor to leave of their own accord first.
 */
export type PrimaryMessage = { readonly kind: 'stop' } | { readonly kind: 'drain' };
