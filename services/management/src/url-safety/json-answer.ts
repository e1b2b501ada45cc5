import type { z } from 'zod';
import { ProviderError } from './safety-provider.js';

/** Returns what an answer holds. Throws ProviderError when it is not JSON of that shape: such a provider says nothing. */
export function readJsonAnswer<Schema extends z.ZodType>(body: Buffer, schema: Schema): z.output<Schema> {
  let value: unknown;
  try {
    value = JSON.parse(body.toString('utf8'));
  } catch {
    throw new ProviderError('the answer is not JSON', { isProviderUp: false });
  }
  const parsed = schema.safeParse(value);
  if (!parsed.success) {
    throw new ProviderError('the answer is not of the documented shape', { isProviderUp: false });
  }
  return parsed.data;
}
