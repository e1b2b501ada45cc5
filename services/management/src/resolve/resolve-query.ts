import { countCodePoints } from '@smartlink/smartlink/text';
import { UNKNOWN_COUNTRY, isCountryCode } from '@smartlink/visit-routing/country-codes';
import { z } from 'zod';
import { textField } from '../query-fields.js';
import { smartlinkIdSchema } from '../smartlink-id.js';

// As much as the redirect service takes of a header.
const USER_AGENT_CHARACTERS_MAX = 8_192;
// The longest that a browser sends has 15, "Chromium OS" and its quotes among them.
const PLATFORM_HINT_CHARACTERS_MAX = 256;

const COUNTRY_FORM = /^[A-Za-z]{2}$/;

/** The query of GET /smartlink/resolve. */
export const resolveQuerySchema = z.object({
  id: smartlinkIdSchema,
  userAgent: headerField(USER_AGENT_CHARACTERS_MAX).meta({
    description: 'The visitor’s `User-Agent`; without one the visitor is a bot, as no browser comes so.',
  }),
  secChUaPlatform: headerField(PLATFORM_HINT_CHARACTERS_MAX).meta({
    description:
      'The visitor’s `Sec-CH-UA-Platform` as browsers of the Chromium family send it, quotes included: `"Android"`.',
  }),
  country: textField()
    .transform((code, context) => {
      // No other letters: an `ı` would become an I.
      const known = COUNTRY_FORM.test(code) ? code.toUpperCase() : '';
      if (known === UNKNOWN_COUNTRY || isCountryCode(known)) return known;
      context.addIssue({ code: 'custom', message: 'Must be an ISO 3166-1 alpha-2 country code' });
      return z.NEVER;
    })
    .prefault(UNKNOWN_COUNTRY)
    .meta({
      description:
        'Where the visitor is: an ISO 3166-1 alpha-2 code in upper or lower case; `XX` is unknown. It is counted by, and ' +
        'changes no route.',
      pattern: COUNTRY_FORM.source,
    }),
});

export type ResolveQuery = z.output<typeof resolveQuerySchema>;

function headerField(charactersMax: number) {
  return textField()
    .refine((text) => countCodePoints(text) <= charactersMax, `Must be at most ${charactersMax} characters`)
    .default('')
    .meta({ maxLength: charactersMax });
}
