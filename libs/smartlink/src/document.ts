import { z } from 'zod';
import { parseDestination } from './destination-url.js';
import type { DestinationRules } from './destination-url.js';
import { RESERVED_SLUGS, SLUG_LENGTH_MAX, isSlug } from './slug.js';
import { SMARTLINK_TYPES } from './snapshot.js';
import { countCodePoints, oneLineText } from './text.js';

// Limits of management-api.md and of decisions.md (Sizes), in code points.
const NAME_LENGTH_MAX = 64;
const OPEN_GRAPH_TITLE_LENGTH_MAX = 128;
const OPEN_GRAPH_DESCRIPTION_LENGTH_MAX = 256;
const PASSWORD_LENGTH_MIN = 6;
const PASSWORD_LENGTH_MAX = 128;

export type DocumentOptions = DestinationRules & {
  /** A protected link must bring its password, unless the hash of an earlier one is stored. */
  readonly passwordRequired: boolean;
};

/** The types that can be created. A type is added by its schema here and its content in snapshot.ts. */
export type AvailableType = keyof ReturnType<typeof documentSchemas>;

/** A smartlink as a client writes it, checked, with defaults filled in. The keys are the API's own. */
export type SmartlinkDocument = z.output<ReturnType<typeof documentSchemas>[AvailableType]>;

/** Returns the schema of each type's whole document: what POST takes and what a merged PATCH must satisfy. */
export function documentSchemas(options: DocumentOptions) {
  const common = commonSchema(options);
  return { Url: common.extend({ shortener: shortenerSchema(options) }) };
}

/** Returns the schema of the members that every type has. Members that no schema names are dropped at every depth. */
export function commonSchema(rules: DestinationRules) {
  return z.object({
    configuration: z.object(
      {
        smartlinkName: oneLineText(NAME_LENGTH_MAX, 'required'),
        smartlinkUrl: optional(slugSchema()),
        smartlinkType: z.enum(SMARTLINK_TYPES, `Must be one of ${SMARTLINK_TYPES.join(', ')}`),
      },
      'Must be an object',
    ),
    openGraph: optional(
      z.object(
        {
          title: optional(oneLineText(OPEN_GRAPH_TITLE_LENGTH_MAX)),
          description: optional(oneLineText(OPEN_GRAPH_DESCRIPTION_LENGTH_MAX)),
          imageUrl: optional(destinationSchema(rules)),
        },
        'Must be an object',
      ),
    ),
  });
}

function shortenerSchema(options: DocumentOptions) {
  return z
    .object(
      {
        url: destinationSchema(options),
        protected: z
          .boolean('Must be true or false')
          .nullish()
          .transform((value) => value ?? false),
        password: optional(passwordSchema()),
      },
      'Must be an object',
    )
    .refine(
      // Unknown, because it runs beside other faults: `protected: "yes"` is one fault and asks for no password.
      ({ protected: isProtected, password }: { protected: unknown; password?: unknown }) =>
        !options.passwordRequired || isProtected !== true || (password !== undefined && password !== null),
      {
        path: ['password'],
        message: 'Required when protected is true',
        // Runs beside other faults of the same object too: every fault is listed at once.
        when: ({ value }) => typeof value === 'object' && value !== null,
      },
    );
}

function slugSchema() {
  return z
    .string('Must be a string')
    .refine(isSlugOrTooLong, 'Smartlink URL can only contain latin characters and numbers')
    .refine((slug) => slug.length <= SLUG_LENGTH_MAX, `Must be at most ${SLUG_LENGTH_MAX} characters`)
    .refine((slug) => !RESERVED_SLUGS.has(slug.toLowerCase()), 'This smartlink URL is reserved');
}

// A slug of 65 good characters has one fault, its length, and not two.
const isSlugOrTooLong = (slug: string): boolean =>
  slug.length > SLUG_LENGTH_MAX ? isSlug(slug.slice(0, SLUG_LENGTH_MAX)) : isSlug(slug);

function destinationSchema(rules: DestinationRules) {
  return z.string('Must be a string').transform((text, context) => {
    const href = parseDestination(text, rules);
    if (href !== null) return href;
    context.addIssue({ code: 'custom', message: 'Invalid URL format' });
    return z.NEVER;
  });
}

function passwordSchema() {
  return (
    z
      .string('Must be a string')
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
  );
}

/** `null` equals absent (decisions.md, Lengths; in a merged PATCH it is what clears a field). */
function optional<Schema extends z.ZodType>(schema: Schema) {
  return schema.nullish().transform((value) => value ?? undefined);
}
