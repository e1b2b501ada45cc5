import { z } from 'zod';

/** The id of a smartlink in a request: any string but the empty one may be an id. */
export const smartlinkIdSchema = z
  .string({ error: ({ input }) => (input === undefined ? 'Required' : 'Must be given once, as a string') })
  .refine((id) => id !== '', 'Must not be empty')
  .meta({ description: 'Identifier of the smartlink.', minLength: 1 });

/** Returns whether `id` could be one of ours. Everything else is an unknown id, whatever its form or length. */
export function isSmartlinkId(id: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(id);
}
