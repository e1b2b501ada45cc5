import { z } from 'zod';
import type { Operation } from '../operation.js';

/** GET /openapi.json, as the reference shows it. */
export function readReferenceOperation(): Operation {
  return {
    operationId: 'readReference',
    summary: 'Read this document',
    description:
      'The OpenAPI 3.1 document of the API, made from the schemas that check requests. It needs no key and counts ' +
      'towards no limit.',
    tag: 'Reference',
    needsKey: false,
    headers: z.object({
      'If-None-Match': z.string().optional().meta({ description: 'An `ETag` of this document.' }),
    }),
    success: {
      status: 200,
      description: 'The document.',
      headers: ['ETag'],
      otherContent: {
        'application/json': {
          schema: z.looseObject({
            openapi: z.string(),
            info: z.looseObject({ title: z.string(), version: z.string() }),
            paths: z.looseObject({}),
          }),
          examples: {
            document: {
              summary: 'The head of it',
              value: {
                openapi: '3.1.1',
                info: { title: 'Smartlink Management API', version: '1' },
                paths: {},
              },
            },
          },
        },
      },
      isRevalidated: true,
    },
    // Of the other methods of the path, which are no operations of their own.
    errors: { METHOD_NOT_ALLOWED: {} },
  };
}
