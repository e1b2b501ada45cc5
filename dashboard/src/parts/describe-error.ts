import { isSmartlinkError } from '@smartlink/client';
import { faultText } from './fault-text.js';
import type { words as english } from './words/en.js';

export type ErrorText = {
  readonly heading: string;
  readonly text: string;
  readonly requestId: string | null;
};

/** What an error means to a person. Faults of single fields belong at the fields. */
export function describeError(error: unknown, words: typeof english): ErrorText {
  const { errors } = words;
  if (!isSmartlinkError(error)) return { ...errors.unknown, requestId: null };
  const requestId = 'requestId' in error ? error.requestId : null;
  if (error.kind === 'network' || error.kind === 'timeout') return { ...errors.unreachable, requestId };
  if (error.kind !== 'api') return { ...errors.unknown, requestId };
  if (error.code === 'VALIDATION_FAILED') {
    const text = (error.details ?? []).map(({ message }) => faultText(message, words)).join('; ');
    return { heading: errors.invalid.heading, text: text === '' ? errors.invalid.text : text, requestId };
  }
  return { ...(errors.codes[error.code] ?? errors.unknown), requestId };
}
