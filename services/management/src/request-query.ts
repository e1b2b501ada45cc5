import { check } from '@smartlink/smartlink/validation';
import type { Fault } from '@smartlink/smartlink/validation';
import type { z } from 'zod';
import { faults } from './errors.js';
import { GIVEN_TWICE } from './query-fields.js';

/**
 * Returns a query string's parameters checked by `schema`; unknown ones are ignored. Throws VALIDATION_FAILED with
 * every fault: a parameter that is given twice, and one in the notation for arrays (`id[]=`), are faults and not
 * absent.
 */
export function parseQuery<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  query: unknown,
): z.output<z.ZodObject<Shape>> {
  const found: Fault[] = [];
  for (const name of Object.keys(query as object)) {
    const known = name.split('[', 1)[0] ?? '';
    const isTold = found.some(({ path }) => path === known);
    if (name !== known && Object.hasOwn(schema.shape, known) && !isTold) {
      found.push({ path: known, message: GIVEN_TWICE });
    }
  }
  const checked = check(schema, query);
  if (!checked.ok) {
    found.push(...checked.faults.filter((fault) => !found.some((other) => other.path === fault.path)));
  }
  if (!checked.ok || found.length > 0) throw faults(found);
  return checked.value;
}
