import { z } from 'zod';
import { destination, flag, optional, withDefault } from '../fields.js';
import { mustBe } from '../must-be.js';
import { countCodePoints } from '../text.js';
import { commonShape, member } from './every-type.js';
import type { DocumentOptions } from './every-type.js';

// management-api.md, Limits, and decisions.md, Sizes; in code points.
const PASSWORD_LENGTH_MIN = 6;
const PASSWORD_LENGTH_MAX = 128;

/** Url: the shortener, with a password if it is protected. */
export function urlSchema(options: DocumentOptions) {
  return z.object({ ...commonShape(options, ['Url']), shortener: shortenerSchema(options) });
}

function shortenerSchema(options: DocumentOptions) {
  return member({
    url: destination(options).meta({
      description: 'Where visitors are led. An http or https address with a public host other than our own.',
    }),
    protected: withDefault(flag(), false).meta({
      description: 'Whether visitors are asked for the password.',
    }),
    password: optional(password()),
  }).refine(
    // Unknown, because it runs beside other faults: `protected: "yes"` is one fault and asks for no password.
    ({ protected: isProtected, password: given }: { protected: unknown; password?: unknown }) =>
      !options.passwordRequired || isProtected !== true || (given !== undefined && given !== null),
    {
      path: ['password'],
      message: 'Required when protected is true',
      // Runs beside other faults of the same object too: every fault is listed at once.
      when: ({ value }) => typeof value === 'object' && value !== null,
    },
  );
}

function password() {
  return (
    z
      .string(mustBe('a string'))
      .refine(
        (text) => countCodePoints(text) >= PASSWORD_LENGTH_MIN,
        `Must be at least ${PASSWORD_LENGTH_MIN} characters`,
      )
      .refine(
        (text) => countCodePoints(text) <= PASSWORD_LENGTH_MAX,
        `Must be at most ${PASSWORD_LENGTH_MAX} characters`,
      )
      .refine((text) => text.isWellFormed(), 'Must be well-formed Unicode')
      // What no password field of a browser can send would lock everybody out.
      .refine((text) => !/\p{Cc}/u.test(text), 'Must not contain line breaks or control characters')
      .meta({
        description:
          'Required when `protected` is true; without, it is kept and not asked for. Never returned. A PATCH without it ' +
          'leaves the password as it is.',
        format: 'password',
        minLength: PASSWORD_LENGTH_MIN,
        maxLength: PASSWORD_LENGTH_MAX,
        writeOnly: true,
      })
  );
}
