import { z } from 'zod';
import type { Operation } from '../operation.js';

/** GET /validate, as the reference shows it. */
export function validateOperation(): Operation {
  return {
    operationId: 'validateKey',
    summary: 'Check an API key',
    description:
      'Says whether the key is valid. It counts towards the requests of the minute like any other call.',
    tag: 'Account',
    needsKey: true,
    success: {
      status: 200,
      description: 'The key is valid.',
      data: {
        schema: z.null(),
        examples: { valid: { summary: 'A valid key', message: 'API key is valid', data: null } },
      },
    },
    errors: {},
  };
}
