import { z } from 'zod';
import { LIST_LIMIT_MAX, objectId, pageParameters } from '../collections/collection.js';
import { EXAMPLE_TIME, onFirstCall, type Operation, timestamp } from '../operation.js';
import { PICTURE_UPLOAD } from './read-picture.js';

export const listQuerySchema = z.object(pageParameters);
export const removeBodySchema = z.object({ mediaId: objectId('picture') }, 'Must be an object');

export const EXAMPLE_MEDIA_ID = '019aa5c4-c000-7000-8000-0000000000f7';
const EXAMPLE_HASH = '5d41402abc4b2a76b9719d911017c592';
const address = (width: number, extension: string): string =>
  `https://sl.example.com/-/media/${EXAMPLE_HASH}-${width}.${extension}`;

const pixels = (what: string) =>
  z
    .int()
    .min(1)
    .meta({ description: `${what}, in pixels.` });

const mediaSchema = onFirstCall(() =>
  z
    .strictObject({
      id: z.string().meta({ description: 'Identifier of the picture.', example: EXAMPLE_MEDIA_ID }),
      url: z.string().meta({
        description: 'Address of the largest size, as JPEG or PNG; give it to a smartlink.',
        example: address(500, 'jpg'),
      }),
      width: pixels('Width of the largest size'),
      height: pixels('Height of the largest size'),
      bytes: z.int().min(1).meta({ description: 'Size of all files, which counts against the plan.' }),
      sizes: z
        .array(
          z.strictObject({
            width: pixels('Width'),
            url: z.string().meta({ description: 'Address of this size, as WebP.' }),
          }),
        )
        .meta({ description: 'The sizes, smallest first.' }),
      createdAt: timestamp('When it was uploaded, in UTC.'),
    })
    .meta({ id: 'Media' }),
);

const EXAMPLE_MEDIA = {
  id: EXAMPLE_MEDIA_ID,
  url: address(500, 'jpg'),
  width: 500,
  height: 400,
  bytes: 51_200,
  sizes: [96, 192, 384, 500].map((width) => ({ width, url: address(width, 'webp') })),
  createdAt: EXAMPLE_TIME,
};

const NOT_FOUND = { notFound: { summary: 'Unknown picture', message: 'Media not found' } };

export const mediaOperations = () => ({ list, create, remove });

const list = (): Operation => ({
  operationId: 'listMedia',
  summary: 'List pictures',
  description:
    'The uploaded pictures, newest first. In pages: follow `Link: rel="next"`, or send `X-Next-Cursor` as `cursor`.',
  tag: 'Media',
  query: listQuerySchema,
  success: {
    status: 200,
    description: 'A page of the list.',
    headers: ['Link', 'X-Next-Cursor'],
    data: {
      schema: z.array(mediaSchema()),
      examples: { list: { summary: 'One picture', message: 'Media retrieved', data: [EXAMPLE_MEDIA] } },
    },
  },
  errors: {
    VALIDATION_FAILED: {
      limit: {
        summary: 'A limit that is too high',
        details: [{ path: 'limit', message: `Must be a whole number from 1 to ${LIST_LIMIT_MAX}` }],
      },
    },
  },
});

const create = (): Operation => ({
  operationId: 'uploadMedia',
  summary: 'Upload a picture',
  description:
    'The body is one picture, JPEG, PNG, WebP, AVIF or GIF, or a form with it as `file`: at most 10 MiB and 40 megapixels. It is ' +
    're-encoded, upright and without metadata, in widths of 96, 192, 384, 768 and 1600 pixels up to its own. Pages offer all ' +
    'of them to browsers. The same bytes twice are one picture. A picture that no smartlink has for 30 days is removed.',
  tag: 'Media',
  upload: PICTURE_UPLOAD.types,
  success: {
    status: 201,
    description: 'Stored, and served at its addresses.',
    data: {
      schema: mediaSchema(),
      examples: { stored: { summary: 'Stored', message: 'Media stored', data: EXAMPLE_MEDIA } },
    },
  },
  errors: {
    VALIDATION_FAILED: {
      noPicture: { summary: 'No picture', details: [{ path: 'file', message: 'Must be a picture' }] },
      animated: {
        summary: 'Several frames',
        details: [{ path: 'file', message: 'Animated pictures are not kept' }],
      },
    },
    SUBSCRIPTION_LIMIT_REACHED: {},
    PAYLOAD_TOO_LARGE: {
      pixels: { summary: 'Too many pixels', message: 'A picture has at most 40 megapixels' },
    },
    UNSUPPORTED_MEDIA_TYPE: {
      type: {
        summary: 'Another type',
        message: `Content-Type must be one of ${PICTURE_UPLOAD.types.join(', ')}`,
      },
    },
  },
});

const remove = (): Operation => ({
  operationId: 'deleteMedia',
  summary: 'Delete a picture',
  description:
    'Its addresses stop working within a minute, and for those who have it cached within a year. Refused while an Active or ' +
    'Paused smartlink has one of its addresses.',
  tag: 'Media',
  body: {
    schema: removeBodySchema,
    examples: { delete: { summary: 'Delete', value: { mediaId: EXAMPLE_MEDIA_ID } } },
  },
  success: {
    status: 200,
    description: 'Deleted.',
    data: {
      schema: z.null(),
      examples: { deleted: { summary: 'Deleted', message: 'Media deleted', data: null } },
    },
  },
  errors: {
    VALIDATION_FAILED: {
      missingId: { summary: 'No mediaId', details: [{ path: 'mediaId', message: 'Required' }] },
    },
    NOT_FOUND,
    MEDIA_IN_USE: {},
  },
});
