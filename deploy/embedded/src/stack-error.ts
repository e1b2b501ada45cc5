import { failureMessage } from '@smartlink/process/database';

/** A failure that the person at the terminal can put right: the message says what is wrong and what to do. */
export class StackError extends Error {
  override readonly name = 'StackError';
}

/** One line for anything thrown; errors of fetch have a cause. */
export function describeFailure(err: unknown): string {
  return failureMessage(err instanceof TypeError && err.cause !== undefined ? err.cause : err);
}
