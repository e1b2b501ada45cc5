import { isSmartlinkError } from '@smartlink/client';
import { apiError } from '../app/api.js';
import type { words as english } from './words/en.js';

type Words = typeof english;

/** Translates a validation message of the API; unknown ones stay as they are. */
export function faultText(message: string, words: Words): string {
  const known = words.faults[message];
  if (known !== undefined) return known;
  if (message.startsWith('Must be one of ')) return words.faults['Must be one of the names'] ?? message;
  const [, least, most] = /^Must have (\d+) to (\d+) characters$/.exec(message) ?? [];
  if (least !== undefined && most !== undefined) return words.between(least, most);
  const [, min, max] = /^Must be a whole number from (\d+) to (\d+)$/.exec(message) ?? [];
  if (min !== undefined && max !== undefined) return words.whole(min, max);
  const [, limit, count] = /^Must (?:have|be) at (least|most) (\d+) characters$/.exec(message) ?? [];
  if (limit === undefined || count === undefined) return message;
  return limit === 'least' ? words.atLeast(count) : words.atMost(count);
}

/** Translated validation faults of a request by path; empty for other errors. */
export function faultsByPath(error: unknown, words: Words): ReadonlyMap<string, string> {
  const failure = apiError(error);
  const details = (failure?.details ?? []) as readonly { readonly path: string; readonly message: string }[];
  return new Map(details.map(({ path, message }) => [path, faultText(message, words)]));
}

export type ErrorText = {
  readonly heading: string;
  readonly text: string;
  readonly requestId: string | null;
};

/** Heading and text of an error. Faults of fields are shown at the fields instead. */
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
