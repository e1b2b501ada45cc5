import { z } from 'zod';
import { buttonLink, destination, list, optional } from '../fields.js';
import { oneLineText } from '../text.js';
import { commonShape, member } from './every-type.js';
import type { DocumentOptions } from './every-type.js';
import { BUTTONS_MAX, BUTTON_TITLE_LENGTH_MAX, buttonPreset, themeColor } from './page-fields.js';

// decisions.md, Sizes: the specification does not show them.
const PRESETS = ['phone', 'email', 'website', 'location', 'calendar', 'social', 'whatsapp', 'link'] as const;

/** DigiCard: a business card with contact buttons. */
export function digiCardSchema(options: DocumentOptions) {
  return z.object({
    ...commonShape(options, ['DigiCard']),
    digiCard: member({
      title: optional(oneLineText(256)),
      jobTitle: optional(oneLineText(128)),
      company: optional(oneLineText(128)),
      logoLink: optional(destination(options)),
      bgLink: optional(destination(options).meta({ description: 'The picture behind the card.' })),
      ctaText: optional(
        oneLineText(32).meta({
          description: 'Words on the button that saves the contact; by default in the visitor’s language.',
        }),
      ),
      themeColor: optional(themeColor()),
    }),
    digiCardButtons: optional(
      list(
        member({
          title: oneLineText(BUTTON_TITLE_LENGTH_MAX, 'required'),
          link: buttonLink(options, ['tel', 'mailto', 'sms', 'geo', 'whatsapp']),
          preset: optional(buttonPreset(PRESETS)),
        }),
        BUTTONS_MAX,
      ),
    ),
  });
}
