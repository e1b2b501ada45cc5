import { z } from 'zod';
import { availabilitySchema } from './availability.js';
import { type DestinationRules, isOwnHost, parseDomainHost } from './destinations.js';
import {
  choice,
  member,
  metadataShape,
  multiLineText,
  mustBe,
  oneLineText,
  optional,
  pageLink,
} from './fields.js';
import { isSlug, RESERVED_SLUGS, SLUG_LENGTH_MAX, type SmartlinkType } from './model.js';
import { routingSchema } from './routing-schema.js';

// In code points.
const NAME_LENGTH_MAX = 64;
const OPEN_GRAPH_TITLE_LENGTH_MAX = 128;
const OPEN_GRAPH_DESCRIPTION_LENGTH_MAX = 256;

/** Options of the document schemas. */
export type DocumentOptions = DestinationRules & {
  /** A protected link must bring its password, unless the hash of an earlier one is stored. */
  readonly passwordRequired: boolean;
};

export type SchemaOptions = DocumentOptions & { readonly common: ReturnType<typeof commonMembers> };

/** The members that are the same in all types, which share their schemas: those of `routing` alone take 5 ms to build. */
export function commonMembers(rules: DestinationRules) {
  return {
    openGraph: optional(openGraphSchema(rules)),
    routing: optional(routingSchema(rules)),
    availability: optional(availabilitySchema(rules)),
    ...metadataShape(),
  };
}

/** The members that a smartlink of any of `types` has. */
export function commonShape<const Types extends readonly [SmartlinkType, ...SmartlinkType[]]>(
  { common, publicBaseUrl }: SchemaOptions,
  types: Types,
) {
  return {
    configuration: member(
      {
        smartlinkName: oneLineText(NAME_LENGTH_MAX, 'required').meta({
          description: 'Name of the smartlink. Visitors do not see it.',
        }),
        smartlinkUrl: optional(slug()),
        smartlinkType: smartlinkType(types),
        domain: domain(publicBaseUrl),
      },
      'Required, with smartlinkName and smartlinkType',
    ),
    ...common,
  };
}

export function smartlinkType<const Types extends readonly [SmartlinkType, ...SmartlinkType[]]>(
  types: Types,
) {
  return choice(types).meta({ description: 'Decides which objects the smartlink has.' });
}

function openGraphSchema(rules: DestinationRules) {
  return member({
    title: optional(oneLineText(OPEN_GRAPH_TITLE_LENGTH_MAX)),
    description: optional(multiLineText(OPEN_GRAPH_DESCRIPTION_LENGTH_MAX)),
    imageUrl: optional(pageLink(rules)),
  }).meta({
    description:
      'The preview in messengers and social networks. A page without a title uses its `title`. Without it, the preview is ' +
      'that of the destination or of the page; a link with a password never shows its destination. `imageUrl` must use ' +
      'https and must not be an SVG; best are 1200 by 630 pixels and less than 300 kB.',
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
        'The last part of the address: Latin letters and digits, unique on the platform regardless of case, and not ' +
        `${[...RESERVED_SLUGS].join(', ')}. Without it, a create assigns one.`,
      pattern: '^[A-Za-z0-9]+$',
      minLength: 1,
      maxLength: SLUG_LENGTH_MAX,
    });
}

/** null, which differs from left out, and the host of the instance are null. */
function domain(publicBaseUrl: string) {
  return z
    .string(mustBe('a string'))
    .transform((text, context) => {
      const host = parseDomainHost(text, publicBaseUrl);
      if (host !== null || isOwnHost(text.toLowerCase(), publicBaseUrl)) return host;
      context.addIssue({ code: 'custom', message: 'No such domain' });
      return z.NEVER;
    })
    .nullish()
    .meta({
      description:
        'Host of the address: a verified domain of the account. Left out on a create, the default domain of the account; ' +
        '`null`: the host of this service. Absent from answers for the host of this service.',
      example: 'go.example.com',
    });
}

// A slug of 65 good characters has one fault, its length, and not two.
const isSlugOrTooLong = (text: string): boolean =>
  text.length > SLUG_LENGTH_MAX ? isSlug(text.slice(0, SLUG_LENGTH_MAX)) : isSlug(text);
