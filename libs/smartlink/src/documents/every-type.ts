import { z } from 'zod';
import type { DestinationRules } from '../destination-url.js';
import { choice, destination, optional } from '../fields.js';
import { mustBe } from '../must-be.js';
import { RESERVED_SLUGS, SLUG_LENGTH_MAX, isSlug } from '../slug.js';
import type { SmartlinkType } from '../smartlink-type.js';
import { multiLineText, oneLineText } from '../text.js';

// Limits of management-api.md, in code points.
const NAME_LENGTH_MAX = 64;
const OPEN_GRAPH_TITLE_LENGTH_MAX = 128;
const OPEN_GRAPH_DESCRIPTION_LENGTH_MAX = 256;

/** What the schemas of one type are made for. */
export type DocumentOptions = DestinationRules & {
  /** A protected link must bring its password, unless the hash of an earlier one is stored. */
  readonly passwordRequired: boolean;
};

/** Returns the schema of an object of the API. Members that it does not name are dropped. */
export function member<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.object(shape, mustBe('an object'));
}

/** Returns the members that a smartlink of any of `types` has. */
export function commonShape<const Types extends readonly [SmartlinkType, ...SmartlinkType[]]>(
  rules: DestinationRules,
  types: Types,
) {
  return {
    configuration: member({
      smartlinkName: oneLineText(NAME_LENGTH_MAX, 'required').meta({
        description: 'What its owner calls it. Visitors do not see it.',
      }),
      smartlinkUrl: optional(slug()),
      smartlinkType: choice(types).meta({ description: 'Decides which objects the smartlink has.' }),
    }),
    openGraph: optional(openGraphSchema(rules)),
  };
}

function openGraphSchema(rules: DestinationRules) {
  return member({
    title: optional(oneLineText(OPEN_GRAPH_TITLE_LENGTH_MAX)),
    description: optional(multiLineText(OPEN_GRAPH_DESCRIPTION_LENGTH_MAX)),
    imageUrl: optional(destination(rules)),
  }).meta({
    description:
      'What messengers and social networks show of the link. Its `title` also heads a page that has none of its own. A ' +
      'link without it is followed by them, or shows its page; one with a password shows this and nothing of its target. ' +
      'They take an `imageUrl` over https that is no SVG, best 1200 by 630 pixels and below 300 kB.',
  });
}

function slug() {
  return z
    .string(mustBe('a string'))
    .refine(isSlugOrTooLong, 'Smartlink URL can only contain latin characters and numbers')
    .refine((text) => text.length <= SLUG_LENGTH_MAX, `Must be at most ${SLUG_LENGTH_MAX} characters`)
    .refine((text) => !RESERVED_SLUGS.has(text.toLowerCase()), 'This smartlink URL is reserved')
    .meta({
      description:
        'The last part of the address. Latin letters and digits, unique on the platform whatever the case, and none of ' +
        `${[...RESERVED_SLUGS].join(', ')}. A create without it is given one.`,
      pattern: '^[A-Za-z0-9]+$',
      minLength: 1,
      maxLength: SLUG_LENGTH_MAX,
    });
}

// A slug of 65 good characters has one fault, its length, and not two.
const isSlugOrTooLong = (text: string): boolean =>
  text.length > SLUG_LENGTH_MAX ? isSlug(text.slice(0, SLUG_LENGTH_MAX)) : isSlug(text);
