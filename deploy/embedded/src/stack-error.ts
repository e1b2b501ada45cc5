/** A failure that the person at the terminal can put right: the message says what is wrong and what to do. */
export class StackError extends Error {
  override readonly name = 'StackError';
}

/** One line for anything thrown: connection errors of Node may have an empty message, and those of fetch a cause. */
export function describeFailure(err: unknown): string {
  if (err instanceof AggregateError && err.message === '') return err.errors.map(describeFailure).join('; ');
  if (err instanceof TypeError && err.message === 'fetch failed') return describeFailure(err.cause);
  if (err instanceof Error) return err.message || ((err as NodeJS.ErrnoException).code ?? err.name);
  return String(err);
}
