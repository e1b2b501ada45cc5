export type Closers = {
  /** Closed in reverse order. */
  readonly add: (close: () => unknown) => void;
  /** Calls each once, even if others fail; rejects with the first failure. */
  readonly close: () => Promise<void>;
};

/** Closers of what a test has started. Add one right after each start: a later failure then leaves nothing running. */
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
