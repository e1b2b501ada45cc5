import { z } from 'zod';
import {
  type ContactScheme,
  type DestinationRules,
  parseContactLink,
  parseDestination,
  parsePageLink,
  URL_LENGTH_MAX,
} from './destinations.js';
import {
  countCodePoints,
  isAcceptedTime,
  PASSWORD_LENGTH_MAX,
  TAGS_MAX,
  UTM_PARAMETERS,
  type UtmMember,
} from './model.js';

// The kinds of field that several types have. What each says of itself by `.meta` is what the API's reference shows:
// a refinement is code and leaves no trace in a JSON Schema. JSON Schema counts lengths in code points, as we do.

/** `null` equals absent; in a PATCH it clears a field. */
export function optional<Schema extends z.ZodType>(schema: Schema) {
  return schema.nullish().transform((value) => value ?? undefined);
}

/** Optional; `fallback` if missing or null. */
export function withDefault<Schema extends z.ZodType>(schema: Schema, fallback: z.output<Schema>) {
  return schema
    .nullish()
    .transform((value) => value ?? fallback)
    .meta({ default: fallback });
}

/** A web address that visitors are redirected to, returned as its normalised href. */
export function destination(rules: DestinationRules) {
  return addressBy((text) => parseDestination(text, rules)).meta({
    description: `${PUBLIC_ADDRESS} other than that of this service; stored and returned as a browser normalises it.`,
  });
}

/** A web address on a hosted page or in a preview, such as a picture. */
export function pageLink(rules: DestinationRules) {
  return addressBy((text) => parsePageLink(text, rules)).meta({
    description: `${PUBLIC_ADDRESS}, or of this service; stored and returned as a browser normalises it.`,
  });
}

/** Destination of a button: a web address, or an address in one of `schemes`. */
export function buttonLink(rules: DestinationRules, schemes: readonly ContactScheme[]) {
  return addressBy((text) => parsePageLink(text, rules) ?? parseContactLink(text, schemes)).meta({
    description: `${PUBLIC_ADDRESS}, or of this service, or one of: ${schemes.map((scheme) => `\`${scheme}:\``).join(', ')}.`,
  });
}

const PUBLIC_ADDRESS = 'An http or https address with a public host';

function addressBy(parse: (text: string) => string | null) {
  return z
    .string(mustBe('a string'))
    .meta({ format: 'uri', maxLength: URL_LENGTH_MAX })
    .transform((text, context) => {
      const href = parse(text);
      if (href !== null) return href;
      context.addIssue({ code: 'custom', message: 'Invalid URL format' });
      return z.NEVER;
    });
}

export const HEX_COLOR = /^#(?:[0-9A-Fa-f]{3,4}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})$/;

/** A colour as `#` and 3, 4, 6 or 8 hexadecimal digits, kept as typed. */
export function hexColor() {
  return z
    .string(mustBe('a string'))
    .regex(HEX_COLOR, 'Must be a hex color such as #1a2b3c')
    .meta({ description: '`#` and 3, 4, 6 or 8 hexadecimal digits.', example: '#1a2b3c' });
}

/** One of `values`, in their spelling. */
export function choice<const Values extends readonly [string, ...string[]]>(values: Values) {
  return z.enum(values, `Must be one of ${values.join(', ')}`);
}

export function flag() {
  return z.boolean('Must be true or false');
}

const NOT_INSTANT = 'Must be an ISO 8601 time with a time zone';

/** A time as ISO 8601 with `Z` or an offset, in the years 2000 to 2199 (UTC). */
export function instant() {
  return z
    .string(mustBe('an ISO 8601 time with a time zone'))
    .regex(z.regexes.datetime({ offset: true }), { error: NOT_INSTANT, abort: true })
    .transform((text) => new Date(text))
    .refine(isAcceptedTime, { error: NOT_INSTANT, abort: true });
}

/** The same, as ISO 8601 in UTC. */
export function moment() {
  return instant().transform((time) => time.toISOString());
}

/** Whether both are times and `until` is not after `from`. */
export const isReversed = (from: unknown, until: unknown): boolean =>
  typeof from === 'string' && typeof until === 'string' && Date.parse(until) <= Date.parse(from);

/** The schema of an object of the API. Members that it does not name are dropped. `missing`: the fault if it is absent. */
export function member<Shape extends z.ZodRawShape>(shape: Shape, missing?: string) {
  return z.object(shape, mustBe('an object', missing));
}

/** The look of a page's buttons and background; a missing member has its default. */
export function appearance() {
  return member({
    buttonStyle: optional(
      choice(['filled', 'outline', 'soft']).meta({
        description:
          'Buttons filled with the colour of the page, outlined with it, or with a soft tint of it; by default `filled`.',
      }),
    ),
    buttonShape: optional(
      choice(['rounded', 'pill', 'square']).meta({
        description: 'Corners of the buttons: rounded, fully round, or none; by default `rounded`.',
      }),
    ),
    background: optional(
      choice(['plain', 'tint', 'gradient']).meta({
        description:
          'Background of the page: white or nearly black, a slight tint of the colour of the page, or a gradient from a ' +
          'stronger tint; by default `tint`.',
      }),
    ),
  }).meta({
    description:
      'The look of the page. All colours are derived from its `themeColor`, so that every text is legible in light and dark.',
  });
}

const UTM_LENGTH_MAX = 255;

/** Campaign parameters. */
export function utm() {
  const fields = Object.entries(UTM_PARAMETERS).map(([name, parameter]) => [
    name,
    optional(
      oneLineText(UTM_LENGTH_MAX, 'required').meta({
        description: `Value of the parameter \`${parameter}\`.`,
      }),
    ),
  ]);
  return member(Object.fromEntries(fields) as Record<UtmMember, UtmField>);
}

type UtmField = ReturnType<typeof optional<z.ZodString>>;

// In code points.
const PASSWORD_LENGTH_MIN = 6;

/** The password of a link. */
export function password() {
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
      // A browser's password field cannot send these: the link could not be unlocked.
      .refine((text) => !/\p{Cc}/u.test(text), 'Must not contain line breaks or control characters')
      .meta({
        description:
          'Required if `protected` is true; otherwise it is stored but not used. Never returned. A PATCH without it does ' +
          'not change the password.',
        format: 'password',
        minLength: PASSWORD_LENGTH_MIN,
        maxLength: PASSWORD_LENGTH_MAX,
        writeOnly: true,
      })
  );
}

// In code points.
export const TAG_LENGTH_MAX = 50;
export const NOTES_LENGTH_MAX = 2_000;
const FOLDER_LENGTH_MAX = 64;
const EXTERNAL_ID_LENGTH_MAX = 255;

/** What the owner files a smartlink under, of every type. */
export function metadataShape() {
  return {
    tags: optional(
      tagList().meta({
        description:
          'Names of tags; those that do not exist are created. Two spellings in other letter case are one tag, and the ' +
          'first spelling stays. Visitors do not see them.',
      }),
    ),
    folderId: optional(
      z
        .string(mustBe('a string'))
        .refine((id) => id !== '', 'Must not be empty')
        .meta({ description: 'The folder it is in.', minLength: 1 }),
    ),
    notes: optional(
      multiLineText(NOTES_LENGTH_MAX, 'required').meta({
        description: 'Notes of the owner. Visitors do not see them.',
      }),
    ),
    archived: optional(
      flag().meta({
        description:
          'An archived smartlink works and counts against the plan like any other; default lists leave it out. Only ' +
          '`true` is returned.',
      }),
    ),
    externalId: optional(
      oneLineText(EXTERNAL_ID_LENGTH_MAX, 'required').meta({
        description:
          'Your own identifier of the smartlink, unique among your smartlinks that are not deleted. `GET ' +
          '/smartlink?externalId=` fetches it.',
      }),
    ),
  };
}

/** The name of a tag. Commas separate names in queries. */
export function tagName() {
  return oneLineText(TAG_LENGTH_MAX, 'required').refine(
    (name) => !name.includes(','),
    'Must not contain commas',
  );
}

export function folderName() {
  return oneLineText(FOLDER_LENGTH_MAX, 'required');
}

export function tagList() {
  return list(tagName(), TAGS_MAX);
}

/** A finite number; −0 becomes 0. */
export function finiteNumber() {
  return z.number(mustBe('a number')).transform(withoutNegativeZero);
}

/** A finite number from 0 to `max`. */
export function numberFromZero(max: number) {
  return z
    .number(mustBe('a number'))
    .min(0, 'Must be 0 or more')
    .max(max, `Must be at most ${max}`)
    .transform(withoutNegativeZero);
}

function withoutNegativeZero(value: number): number {
  return value === 0 ? 0 : value;
}

/** Faults listed of one request: a MiB of empty objects has half a million. */
export const FAULTS_MAX = 1_000;

/** The context of a zod validation by `check`. */
export type CheckContext = z.core.ParseContext<z.core.$ZodIssue> & {
  /** How many more faults the elements of arrays may add. */
  faultsLeft: number;
};

/**
 * An array of at most `lengthMax` elements. One that is too long has that fault alone: a body of a mebibyte has room
 * for half a million elements, each of them wrong.
 */
export function list<Schema extends z.ZodType>(element: Schema, lengthMax: number) {
  const tooLong = `Must have at most ${lengthMax} elements`;
  return z.preprocess(
    (value, context) => {
      if (Array.isArray(value) && value.length > lengthMax) {
        context.addIssue({ code: 'custom', message: tooLong, input: value });
      }
      return value;
    },
    z.array(untilFaultsMax(element), 'Must be an array').max(lengthMax, tooLong),
  );
}

/**
 * `element`, which accepts anything once the validation has no faults left: the document is refused anyway, and all
 * 500,000 faults of a mebibyte took more than a second of the event loop. `_zod.run` is internal to zod, so package.json
 * pins zod's minor version; a test with half a million faults fails if it stops working.
 */
export function untilFaultsMax<Schema extends z.ZodType>(element: Schema): Schema {
  const limited = element.clone();
  limited._zod.run = (payload, context: Partial<CheckContext>) => {
    const before = context.faultsLeft ?? FAULTS_MAX;
    if (before <= 0) return payload;
    const result = element._zod.run(payload, context);
    if (result instanceof Promise) throw new Error('A field of a smartlink is checked at once');
    // The element's own arrays have counted theirs, which are among these.
    context.faultsLeft = before - result.issues.length;
    return result;
  };
  return limited;
}

/** Zod's message for a value that is not `kind`; `missing` for one that is absent. */
export function mustBe(
  kind: string,
  missing = 'Required',
): { readonly error: (issue: { readonly input?: unknown }) => string } {
  return { error: ({ input }) => (input === undefined ? missing : `Must be ${kind}`) };
}

// Control characters, line and paragraph separators. Tab is among them: a one-line field holds none of these.
const CONTROL = /[\p{Cc}\u2028\u2029]/u;
// The same, without tab, line feed and carriage return.
const CONTROL_BUT_LAYOUT = /(?![\t\n\r])\p{Cc}/u;
// Something a reader can see: neither white space nor control, format (zero width, bidi), filler or unassigned.
const VISIBLE = /(?![\u115f\u1160\u2800\u3164\uffa0]|\u034f)[^\s\p{C}]/u;

/** A string of one line with at most `max` code points. `required`: at least one of them visible. */
export function oneLineText(max: number, required: 'required' | 'optional' = 'optional'): z.ZodString {
  const text = limitedText(max).refine(
    (value) => !CONTROL.test(value),
    'Must not contain line breaks or control characters',
  );
  return required === 'required' ? visible(text) : text;
}

/** As oneLineText, with tabs and line breaks allowed. */
export function multiLineText(max: number, required: 'required' | 'optional' = 'optional'): z.ZodString {
  const text = limitedText(max).refine(
    (value) => !CONTROL_BUT_LAYOUT.test(value),
    'Must not contain control characters',
  );
  return required === 'required' ? visible(text) : text;
}

/** Text that is stored unchanged, including terminal codes, with at least one visible of at most `max` code points. */
export function snippetText(max: number): z.ZodString {
  return visible(textWithin(max));
}

function visible(text: z.ZodString): z.ZodString {
  return text.refine((value) => VISIBLE.test(value), 'Must not be empty').meta({ minLength: 1 });
}

/** A string of at most `max` code points, of any but NUL, which Postgres cannot hold in jsonb. */
export function textWithin(max: number, required: 'required' | 'optional' = 'optional'): z.ZodString {
  const text = limitedText(max).refine((value) => !value.includes('\0'), 'Must not contain NUL');
  return required === 'required'
    ? text.refine((value) => value !== '', 'Must not be empty').meta({ minLength: 1 })
    : text;
}

function limitedText(max: number): z.ZodString {
  return (
    z
      .string(mustBe('a string'))
      .refine((value) => countCodePoints(value) <= max, `Must be at most ${max} characters`)
      // A lone surrogate is no text: Postgres refuses it in jsonb, and no UTF-8 can carry it.
      .refine((value) => value.isWellFormed(), 'Must be well-formed Unicode')
      // JSON Schema counts in code points too.
      .meta({ maxLength: max })
  );
}
