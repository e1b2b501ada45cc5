import { z } from 'zod';
import type { Operation } from '../operation.js';
import { qrQuerySchema } from './qr-query.js';

/** GET /smartlink/qr, as the reference shows it. */
export function qrOperation(): Operation {
  return {
    operationId: 'drawQrCode',
    summary: 'Draw the QR code of a smartlink',
    description:
      'An image that leads where the smartlink leads and counts as a scan. Fetching it counts nothing. Works for a ' +
      'smartlink in any status.',
    tag: 'QR codes',
    needsKey: true,
    query: qrQuerySchema,
    success: {
      status: 200,
      description: 'The image.',
      headers: ['Content-Disposition'],
      otherContent: {
        'image/svg+xml': {
          schema: z.string(),
          examples: {
            svg: {
              summary: 'The beginning of an image',
              value: '<svg xmlns="http://www.w3.org/2000/svg" width="512" height="512"></svg>',
            },
          },
        },
        // Bytes, which no schema describes.
        'image/png': { schema: z.unknown(), examples: {} },
      },
    },
    errors: {
      VALIDATION_FAILED: {
        parameters: {
          summary: 'Bad parameters',
          details: [
            { path: 'format', message: 'Must be svg or png' },
            { path: 'size', message: 'Must be a whole number from 64 to 2048' },
          ],
        },
        contrast: {
          summary: 'Colours that no camera tells apart',
          details: [
            {
              path: 'color',
              message: 'Must be darker than background, with a contrast of at least 3:1',
            },
          ],
        },
      },
      NOT_FOUND: {},
    },
  };
}
