import { check } from '@smartlink/smartlink/validation';
import type { z } from 'zod';
import { faults } from './errors.js';

/** Returns a body checked by `schema`. Throws VALIDATION_FAILED with every fault. */
export function parseBody<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const checked = check(schema, body ?? null);
  if (!checked.ok) throw faults(checked.faults);
  return checked.value;
}
