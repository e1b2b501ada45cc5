import { CONTRAST_MIN, isReadable, parseColor } from '@smartlink/qr-code/color';
import type { Color } from '@smartlink/qr-code/color';
import { ERROR_CORRECTIONS } from '@smartlink/qr-code/qr-symbol';
import { z } from 'zod';
import { textField, wholeNumberField } from '../query-fields.js';
import { smartlinkIdSchema } from '../smartlink-id.js';

// A module of a small code is two pixels wide at 64. 2,048 pixels are drawn in some 2 ms (ADR 10) and print 17 cm wide
// at 300 dpi; for more there is the SVG.
const SIZE_PX_MIN = 64;
const SIZE_PX_MAX = 2048;
const SIZE_PX = 512;

// The quiet zone of ISO/IEC 18004:2024, 5.3.8, unless the page around the image already leaves it.
const MARGIN_MODULES = 4;
const MARGIN_MODULES_MAX = 16;

// For the API's reference: the transform that checks a colour leaves no trace in a JSON Schema.
const HEX_COLOR = '^#(?:[0-9A-Fa-f]{3,4}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})$';

/** The query of GET /smartlink/qr. */
export const qrQuerySchema = z
  .object({
    id: smartlinkIdSchema.meta({ description: 'id of the smartlink' }),
    format: z
      .enum(['svg', 'png'], 'Must be svg or png')
      .default('svg')
      .meta({ description: 'form of the image' }),
    size: wholeNumberField(SIZE_PX_MIN, SIZE_PX_MAX)
      .default(SIZE_PX)
      .meta({ description: 'width and height in pixels', default: SIZE_PX }),
    margin: wholeNumberField(0, MARGIN_MODULES_MAX)
      .default(MARGIN_MODULES)
      .meta({ description: 'empty modules on each side', default: MARGIN_MODULES }),
    ecc: z
      .enum(ERROR_CORRECTIONS, `Must be one of ${ERROR_CORRECTIONS.join(', ')}`)
      .optional()
      .meta({
        description: 'level of error correction: M, or H with a logo, unless given; a logo takes Q or H',
      }),
    color: color('#000000').meta({
      description: `colour of the modules, # and 3, 4, 6 or 8 hexadecimal digits (write # as %23); darker than background, with a contrast of at least ${CONTRAST_MIN}:1`,
    }),
    background: color('#ffffff').meta({ description: 'colour of everything else, in the same form' }),
    logo: z
      .enum(['true', 'false'], 'Must be true or false')
      .default('false')
      .transform((text) => text === 'true')
      .meta({
        description:
          "whether the picture of the smartlink's own logoLink stands in the middle; only in an SVG, as its address: a browser shows it where the SVG is a document or part of a page, not in <img>",
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

export type QrQuery = z.output<typeof qrQuerySchema>;

// Every fault is listed at once, so values reach the rules above that have faults of their own.
function besideOtherFaults(): boolean {
  return true;
}

function color(fallback: string) {
  return textField()
    .meta({ pattern: HEX_COLOR })
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
