import { z } from 'zod';
import { buttonLink, destination, list, numberFromZero, optional } from '../fields.js';
import { multiLineText, oneLineText } from '../text.js';
import { commonShape, member } from './every-type.js';
import type { DocumentOptions } from './every-type.js';
import { BUTTONS_MAX, BUTTON_TITLE_LENGTH_MAX, buttonPreset, themeColor } from './page-fields.js';

const PRESETS = ['link', 'restaurant', 'delivery', 'phone', 'email', 'calendar', 'social'] as const;

/** QRTag: a page behind a printed code, with preset-labelled buttons. */
export function qrTagSchema(options: DocumentOptions) {
  return z.object({
    ...commonShape(options, ['QRTag']),
    qrTag: member({
      title: optional(oneLineText(256)),
      description: optional(multiLineText(256)),
      logoLink: optional(destination(options)),
      themeColor: optional(themeColor()),
    }),
    qrTagButtons: optional(
      list(
        member({
          title: oneLineText(BUTTON_TITLE_LENGTH_MAX, 'required'),
          link: buttonLink(options, ['tel', 'mailto', 'sms', 'geo', 'whatsapp']),
          preset: optional(buttonPreset(PRESETS)),
          position: optional(
            numberFromZero(Number.MAX_VALUE).meta({
              description: 'Shown in ascending order; without one, last.',
            }),
          ),
        }),
        BUTTONS_MAX,
      ),
    ),
  });
}
