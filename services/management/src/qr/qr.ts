import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import {
  type Color,
  CONTRAST_MIN,
  type Drawing,
  drawPng,
  drawSvg,
  encodeSymbol,
  ERROR_CORRECTIONS,
  isReadable,
  parseColor,
  qrAddress,
  widthModules,
} from '@smartlink/pages/qr-code';
import type { Queryable } from '@smartlink/process/database';
import { HEX_COLOR } from '@smartlink/smartlink/document';
import { baseUrlOf, PAGE_OBJECTS, relink } from '@smartlink/smartlink/model';
import { DOMAIN_COLUMN } from '@smartlink/smartlink/store';
import { type Principal, principalOf } from '../accounts/accounts.js';
import { ApiError, fault } from '../errors.js';
import type { Operation } from '../operation.js';
import { isSmartlinkId, parseQuery, smartlinkIdSchema, textField, wholeNumberField } from '../requests.js';

/** GET /smartlink/qr. */
export function qrRoutes(app: FastifyInstance, options: { publicBaseUrl: string }, done: () => void): void {
  const deps = { pg: app.pg, publicBaseUrl: options.publicBaseUrl };

  app.get(
    '/smartlink/qr',
    { config: { operation: qrOperation, access: { scope: 'links:read', role: 'Viewer' } } },
    async (request, reply) => {
      const query = parseQuery(qrQuerySchema, request);
      const image = await drawQrImage(deps, principalOf(request), query);
      return reply
        .type(image.mediaType)
        .header('content-disposition', `inline; filename="${image.fileName}"`)
        .header('content-security-policy', image.contentSecurityPolicy)
        .send(image.content);
    },
  );
  done();
}

function qrOperation(): Operation {
  return {
    operationId: 'drawQrCode',
    summary: 'Draw the QR code of a smartlink',
    description:
      'An image of a code that leads to the smartlink; a visit through it counts as a scan. Fetching the image counts ' +
      'nothing. Works for a smartlink in any status.',
    tag: 'QR codes',
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
          summary: 'Invalid parameters',
          details: [
            { path: 'format', message: 'Must be svg or png' },
            { path: 'size', message: 'Must be a whole number from 64 to 2048' },
          ],
        },
        contrast: {
          summary: 'Too little contrast',
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

// At 64, a module of a small code is two pixels wide. 2,048 pixels take about 2 ms and print 17 cm wide at 300 dpi; SVG
// scales further.
const SIZE_PX_MIN = 64;
const SIZE_PX_MAX = 2048;
const SIZE_PX = 512;

// The quiet zone of ISO/IEC 18004:2024, 5.3.8; less if the surrounding page provides it.
const MARGIN_MODULES = 4;
const MARGIN_MODULES_MAX = 16;

export const qrQuerySchema = z
  .object({
    id: smartlinkIdSchema.meta({ description: 'Identifier of the smartlink.' }),
    format: z
      .enum(['svg', 'png'], 'Must be svg or png')
      .default('svg')
      .meta({ description: 'Format of the image.' }),
    size: wholeNumberField(SIZE_PX_MIN, SIZE_PX_MAX)
      .default(SIZE_PX)
      .meta({ description: 'Width and height in pixels.', default: SIZE_PX }),
    margin: wholeNumberField(0, MARGIN_MODULES_MAX)
      .default(MARGIN_MODULES)
      .meta({ description: 'Width of the quiet zone in modules.', default: MARGIN_MODULES }),
    ecc: z
      .enum(ERROR_CORRECTIONS, `Must be one of ${ERROR_CORRECTIONS.join(', ')}`)
      .optional()
      .meta({
        description: 'Level of error correction: M by default, H with a logo. A logo needs Q or H.',
      }),
    color: color('#000000').meta({
      description: `Colour of the modules: # and 3, 4, 6 or 8 hexadecimal digits (write # as %23). Must be darker than the background, with a contrast of at least ${CONTRAST_MIN}:1.`,
    }),
    background: color('#ffffff').meta({ description: 'Colour of the background, in the same form.' }),
    logo: z
      .enum(['true', 'false'], 'Must be true or false')
      .default('false')
      .transform((text) => text === 'true')
      .meta({
        description:
          "Whether the image of the smartlink's own logoLink is in the middle. SVG only, and by its URL: browsers show it if the SVG is a document or part of a page, not in <img>.",
      }),
  })
  .refine(
    ({ color, background }: { color: unknown; background: unknown }) =>
      !isColor(color) || !isColor(background) || isReadable(color, background),
    {
      path: ['color'],
      message: `Must be darker than background, with a contrast of at least ${CONTRAST_MIN}:1`,
      when: besideOtherFaults,
    },
  )
  .refine(
    ({ ecc, logo }: { ecc?: unknown; logo: unknown }) => logo !== true || (ecc !== 'L' && ecc !== 'M'),
    {
      path: ['ecc'],
      message: 'Must be Q or H with a logo, which hides modules',
      when: besideOtherFaults,
    },
  )
  .refine(({ format, logo }: { format: unknown; logo: unknown }) => logo !== true || format !== 'png', {
    path: ['logo'],
    message: 'A PNG cannot hold the logo, which is never fetched: use format=svg',
    when: besideOtherFaults,
  });

type QrQuery = z.output<typeof qrQuerySchema>;

// All faults are listed at once, so the rules above also get values that already have faults.
function besideOtherFaults(): boolean {
  return true;
}

function color(fallback: string) {
  // For the API's reference: the transform that checks a colour leaves no trace in a JSON Schema.
  return textField()
    .meta({ pattern: HEX_COLOR.source })
    .transform((text, context) => {
      const parsed = parseColor(text);
      if (parsed !== null) return parsed;
      context.addIssue({ code: 'custom', message: 'Must be # and 3, 4, 6 or 8 hexadecimal digits' });
      return z.NEVER;
    })
    .prefault(fallback);
}

function isColor(value: unknown): value is Color {
  return typeof value === 'object' && value !== null && 'red' in value;
}

type QrImage = {
  readonly fileName: string;
  readonly mediaType: string;
  readonly contentSecurityPolicy: string;
  readonly content: string | Buffer;
};

/**
 * In any status: a paused link may be activated again. Rejects with NOT_FOUND, and with VALIDATION_FAILED if the
 * smartlink has no logo or its code has more modules than the PNG has pixels.
 */
async function drawQrImage(
  { pg, publicBaseUrl }: { pg: Queryable; publicBaseUrl: string },
  { userId }: Principal,
  query: QrQuery,
): Promise<QrImage> {
  const source = isSmartlinkId(query.id) ? await findQrSource(pg, query.id, userId) : null;
  if (source === null) throw new ApiError('NOT_FOUND');
  const { slug, domain, logo_url: logoUrl } = source;
  if (query.logo && logoUrl === null) throw fault('logo', 'The smartlink has no logoLink');
  const drawing: Drawing = {
    symbol: encodeSymbol(
      qrAddress(baseUrlOf(publicBaseUrl, domain), slug),
      query.ecc ?? (query.logo ? 'H' : 'M'),
    ),
    sizePx: query.size,
    marginModules: query.margin,
    color: query.color,
    background: query.background,
  };
  if (query.format === 'png') return pngImage(slug, drawing);
  const title = `QR code of ${relink(publicBaseUrl, slug, domain)}`;
  return svgImage(slug, drawSvg(drawing, { title, logoUrl: query.logo ? logoUrl : null }), query.logo);
}

const POLICY = "default-src 'none'; frame-ancestors 'none'";

// Opened as a document, the SVG may load its logo and nothing else.
function svgImage(slug: string, content: string, hasLogo: boolean): QrImage {
  return {
    fileName: `${slug}.svg`,
    mediaType: 'image/svg+xml; charset=utf-8',
    contentSecurityPolicy: `${POLICY}${hasLogo ? '; img-src http: https:' : ''}`,
    content,
  };
}

function pngImage(slug: string, drawing: Drawing): QrImage {
  const content = drawPng(drawing);
  if (content === null) {
    throw fault('size', `Must be at least ${widthModules(drawing)}: the code has that many modules`);
  }
  return {
    fileName: `${slug}.png`,
    mediaType: 'image/png',
    contentSecurityPolicy: POLICY,
    content,
  };
}

type QrSource = {
  readonly slug: string;
  /** Host of its custom domain. */
  readonly domain: string | null;
  /** The logoLink of the smartlink's present type, an http or https URL. */
  readonly logo_url: string | null;
};

// $3 names, by type, the object that may hold logoLink. No other content is read: a menu may be a MiB.
const FIND_QR_SOURCE = `
select slug, ${DOMAIN_COLUMN}, content #>> array[type, $3::jsonb ->> type, 'logoLink'] as logo_url
from smartlinks where id = $1 and user_id = $2`;

async function findQrSource(db: Queryable, id: string, userId: string): Promise<QrSource | null> {
  const { rows } = await db.query(FIND_QR_SOURCE, [id, userId, PAGE_OBJECTS]);
  return (rows[0] as QrSource | undefined) ?? null;
}
