const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/**
 * Returns text that others have made, with a mark in place of what could steer the terminal of whoever reads it:
 * control characters of both kinds, line separators, and what turns the direction of writing.
 */
export function toPrintable(text: string): string {
  return text.replace(UNPRINTABLE, '\ufffd');
}

/** Returns a value as JSON on one line; what toPrintable would mark is escaped, so that it reads back the same. */
export function toPrintableJson(value: unknown): string {
  return JSON.stringify(value).replace(
    UNPRINTABLE,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
