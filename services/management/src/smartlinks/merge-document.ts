import { isObject } from '@smartlink/smartlink/is-object';

/**
 * Returns `document` with the members of `patch` laid over it: objects merge field by field at every depth, anything
 * else (arrays, `null`, wrong types) replaces what was there. What is wrong in the result is for the validator to say.
 */
export function mergeDocument(
  document: Readonly<Record<string, unknown>>,
  patch: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const merged: Record<string, unknown> = { ...document };
  for (const [key, value] of Object.entries(patch)) {
    const known = Object.hasOwn(document, key) ? document[key] : undefined;
    merged[key] = isObject(known) && isObject(value) ? mergeDocument(known, value) : value;
  }
  return merged;
}
