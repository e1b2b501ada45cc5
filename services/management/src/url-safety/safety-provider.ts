/** Somebody who knows unsafe URLs. None of them ever fetches one. */
export type SafetyProvider = {
  readonly name: string;
  /**
   * It asks nobody: it is never down, and its answer to any document is a matter of computing, which the size of a body
   * bounds. Neither time limit nor breaker stands before it, so that no document makes it say nothing to others.
   */
  readonly isLocal?: true;
  /**
   * Returns those of `urls` (each once, http or https) that are unsafe. Rejects, with a ProviderError where more is
   * known, when it cannot judge them all, and soon after `signal` is aborted. Never holds the event loop for long,
   * however many they are.
   */
  readonly findUnsafe: (urls: readonly string[], signal: AbortSignal) => Promise<ReadonlySet<string>>;
  /** Ends what is open; what is under way rejects. */
  readonly close: () => Promise<void>;
};

/** A question that was not answered whole. The message holds no URL and no key. */
export class ProviderError extends Error {
  /** What was known to be unsafe by then. */
  readonly unsafe: ReadonlySet<string>;
  /**
   * Whether the provider did answer something. It is not down then: a menu of ten thousand URLs that does not fit into
   * the time, or one URL that it refuses to read, must not switch the check off for everybody else.
   */
  readonly isProviderUp: boolean;

  constructor(
    message: string,
    known: {
      readonly unsafe?: ReadonlySet<string>;
      readonly isProviderUp: boolean;
      readonly cause?: unknown;
    },
  ) {
    super(message, { cause: known.cause });
    this.name = 'ProviderError';
    this.unsafe = known.unsafe ?? new Set();
    this.isProviderUp = known.isProviderUp;
  }
}
