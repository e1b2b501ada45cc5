import { parseStrictJson } from '@smartlink/smartlink/strict-json';
import { faults } from './errors.js';

/** Returns the value of a JSON body. Throws VALIDATION_FAILED for whatever parseStrictJson refuses. */
export function parseJsonBody(body: Buffer): unknown {
  const result = parseStrictJson(body);
  if (result.ok) return result.value;
  throw faults(result.faults);
}
