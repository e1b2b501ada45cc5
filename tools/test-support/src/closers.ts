export type Closers = {
  /** What was added last is closed first. */
  readonly add: (close: () => unknown) => void;
  /** Calls each once, whether or not others threw or rejected; rejects afterwards with the first that did. */
  readonly close: () => Promise<void>;
};

/**
 * Returns a list of what a test has started and must end. Added to as soon as something runs, it leaves nothing running
 * when the next start fails.
 */
export function createClosers(): Closers {
  const closers: (() => unknown)[] = [];
  return {
    add: (close) => {
      closers.push(close);
    },
    async close() {
      const errors: unknown[] = [];
      for (let close = closers.pop(); close; close = closers.pop()) {
        try {
          await close();
        } catch (err) {
          errors.push(err);
        }
      }
      if (errors.length > 0) throw errors[0];
    },
  };
}
