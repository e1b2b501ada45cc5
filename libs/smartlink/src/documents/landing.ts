import { z } from 'zod';
import { buttonLink, destination, list, optional, withDefault } from '../fields.js';
import { multiLineText, oneLineText } from '../text.js';
import { commonShape, member } from './every-type.js';
import type { DocumentOptions } from './every-type.js';
import { BUTTONS_MAX, BUTTON_TITLE_LENGTH_MAX, layout, theme, themeColor } from './page-fields.js';

/** Landing: a page with action buttons. */
export function landingSchema(options: DocumentOptions) {
  return z.object({
    ...commonShape(options, ['Landing']),
    landing: member({
      title: optional(oneLineText(128)),
      description: optional(multiLineText(256)),
      logoLink: optional(destination(options)),
      themeColor: optional(themeColor()),
      layout: withDefault(layout(), 'List'),
      theme: withDefault(theme(), 'Auto'),
    }),
    landingButtons: optional(
      list(
        member({
          title: oneLineText(BUTTON_TITLE_LENGTH_MAX, 'required'),
          link: buttonLink(options, ['tel', 'mailto']),
          iconUrl: optional(destination(options)),
        }),
        BUTTONS_MAX,
      ),
    ),
  });
}
