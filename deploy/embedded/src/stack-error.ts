/** Something the person at the terminal can put right. The message is one line that says what is wrong and what to do. */
export class StackError extends Error {
  override readonly name = 'StackError';
}

/** Returns one line for anything thrown; connection errors of Node sometimes carry an empty message. */
export function describeFailure(err: unknown): string {
  if (err instanceof AggregateError && err.message === '') return err.errors.map(describeFailure).join('; ');
  if (err instanceof Error) return err.message || ((err as NodeJS.ErrnoException).code ?? err.name);
  return String(err);
}
