import { z } from 'zod';
import { instant, URL_LENGTH_MAX } from '@smartlink/smartlink/document';
import {
  countCodePoints,
  DEVICES,
  isCountryCode,
  relink,
  STORE_LINK_NAMES,
  UNKNOWN_COUNTRY,
  VISIT_SOURCES,
} from '@smartlink/smartlink/model';
import { EXCLUSION_REASONS, VISIT_OUTCOMES } from '@smartlink/visits/event';
import { PLATFORMS } from '@smartlink/visits/routing';
import { EXAMPLE_ID, type Operation } from '../operation.js';
import { smartlinkIdSchema, textField } from '../requests.js';

// The limit of the redirect service for a header.
const USER_AGENT_CHARACTERS_MAX = 8_192;
// The longest value that browsers send has 15 ("Chromium OS" with its quotes).
const PLATFORM_HINT_CHARACTERS_MAX = 256;

const LANGUAGE_CHARACTERS_MAX = 1_024;
const QUERY_CHARACTERS_MAX = 4_096;

const COUNTRY_FORM = /^[A-Za-z]{2}$/;

export const resolveQuerySchema = z.object({
  id: smartlinkIdSchema,
  userAgent: headerField(USER_AGENT_CHARACTERS_MAX).meta({
    description:
      'The visitor’s `User-Agent`. Without one the visitor counts as a bot: every browser sends one.',
  }),
  secChUaPlatform: headerField(PLATFORM_HINT_CHARACTERS_MAX).meta({
    description:
      'The visitor’s `Sec-CH-UA-Platform` as Chromium browsers send it, including quotes: `"Android"`.',
  }),
  country: textField()
    .transform((code, context) => {
      // ASCII only: an `ı` would become an I.
      const known = COUNTRY_FORM.test(code) ? code.toUpperCase() : '';
      if (known === UNKNOWN_COUNTRY || isCountryCode(known)) return known;
      context.addIssue({ code: 'custom', message: 'Must be an ISO 3166-1 alpha-2 country code' });
      return z.NEVER;
    })
    .prefault(UNKNOWN_COUNTRY)
    .meta({
      description:
        'The visitor’s country: an ISO 3166-1 alpha-2 code in upper or lower case; `XX` is unknown.',
      pattern: COUNTRY_FORM.source,
    }),
  language: headerField(LANGUAGE_CHARACTERS_MAX).meta({
    description: 'The visitor’s `Accept-Language`; its first language counts.',
    example: 'de-AT',
  }),
  referrer: headerField(URL_LENGTH_MAX).meta({
    description: 'The address, or the host, from which the visitor comes; without it, directly.',
  }),
  query: headerField(QUERY_CHARACTERS_MAX).meta({
    description: 'The parameters of the visit, with or without `?`, as in the address: percent-encoded.',
  }),
  source: z
    .enum(VISIT_SOURCES, `Must be one of ${VISIT_SOURCES.join(', ')}`)
    .default('click')
    .meta({ description: 'By the short address, or by a QR code.' }),
  at: textField().pipe(instant()).optional().meta({
    description: 'Time of the visit: ISO 8601 with a time zone; now by default.',
    format: 'date-time',
  }),
});

export type ResolveQuery = z.output<typeof resolveQuerySchema>;

function headerField(charactersMax: number) {
  return textField()
    .refine((text) => countCodePoints(text) <= charactersMax, `Must be at most ${charactersMax} characters`)
    .default('')
    .meta({ maxLength: charactersMax });
}

export function resolveOperation(publicBaseUrl: string): Operation {
  const address = { smartlinkId: EXAMPLE_ID, relink: relink(publicBaseUrl, 'k7m2pq', null) };
  return {
    operationId: 'resolveVisit',
    summary: 'Show where a visitor would go',
    description:
      'What a visitor with this `User-Agent` would get at the smartlink’s address, by which rule, and how the visit would ' +
      'be counted. The redirect service’s own code decides, and nothing is counted. The visit is not unlocked. Of rules ' +
      'it names the one that fits, and the conditions of those before that do not; of a split the variants with their ' +
      'shares. Works for a smartlink in any status.',
    tag: 'Smartlinks',
    query: resolveQuerySchema,
    success: {
      status: 200,
      description: 'The decision.',
      data: {
        schema: resolvedVisit,
        examples: {
          android: {
            summary: 'An Android phone visits an App',
            message: 'Visit resolved',
            data: { ...address, ...ANDROID_EXAMPLE },
          },
          ipadOrMac: {
            summary: 'Safari, apparently on a Mac, visits the same App',
            message: 'Visit resolved',
            data: { ...address, ...IPAD_OR_MAC_EXAMPLE },
          },
        },
      },
    },
    errors: {
      VALIDATION_FAILED: {
        country: {
          summary: 'An unknown country',
          details: [{ path: 'country', message: 'Must be an ISO 3166-1 alpha-2 country code' }],
        },
        missingId: {
          summary: 'No id',
          details: [{ path: 'id', message: 'Required' }],
        },
      },
      NOT_FOUND: {},
    },
  };
}

const PERSON = {
  isBot: false,
  isPreview: false,
  mayBeIpad: false,
};
const FIRST_VISIT = { language: '', referrer: 'direct', source: 'click' } as const;
const APP_STORE = 'https://apps.apple.com/app/id000000000';
const GOOGLE_PLAY = 'https://play.google.com/store/apps/details?id=com.example.app';
const FALLBACK = 'https://www.example.com/app';

type Example = Omit<ResolvedVisit, 'smartlinkId' | 'relink'>;

const ANDROID_EXAMPLE: Example = {
  visitor: {
    ...PERSON,
    platform: 'android',
    device: 'mobile',
    os: 'Android',
    browser: 'Chrome',
    country: 'AZ',
    ...FIRST_VISIT,
  },
  decision: 'redirect',
  location: GOOGLE_PLAY,
  rule: 'googlePlayLink',
  counted: { source: 'click', outcome: 'target', excluded: null },
};

const IPAD_OR_MAC_EXAMPLE: Example = {
  visitor: {
    ...PERSON,
    mayBeIpad: true,
    platform: 'mac',
    device: 'desktop',
    os: 'macOS',
    browser: 'Safari',
    country: 'XX',
    ...FIRST_VISIT,
  },
  decision: 'ipadOrMac',
  location: null,
  rule: 'ipadSaysMac',
  counted: null,
  ifIpad: {
    decision: 'redirect',
    location: APP_STORE,
    rule: 'appStoreLink',
    counted: { source: 'click', outcome: 'target', excluded: null },
  },
  ifMac: {
    decision: 'redirect',
    location: FALLBACK,
    rule: 'fallBackLink',
    counted: { source: 'click', outcome: 'fallback', excluded: null },
  },
};

const DECISIONS = [
  'redirect',
  'split',
  'page',
  'storeList',
  'ipadOrMac',
  'passwordForm',
  'openGraph',
  'paused',
  'deleted',
  'scheduled',
  'expired',
  'exhausted',
] as const;

const RULES = [
  'url',
  ...STORE_LINK_NAMES,
  'routing',
  'noStore',
  'ipadSaysMac',
  'type',
  'password',
  'linkPreview',
  'status',
  'startsAt',
  'expiresAt',
  'maxVisits',
] as const;

const counted = z
  .strictObject({
    source: z.enum(VISIT_SOURCES),
    outcome: z.enum(VISIT_OUTCOMES).meta({
      description: '`target`, `page` and `fallback` count; `excluded` visits are only counted by reason.',
    }),
    excluded: z.enum(EXCLUSION_REASONS).nullable().meta({
      description: 'Why the visit does not count, as in `excluded` of analytics; null if it counts.',
    }),
  })
  .nullable()
  .meta({
    description: 'How the visit would be counted; null if nothing would be recorded, and of a `split`.',
  });

const route = {
  decision: z.enum(DECISIONS).meta({
    description:
      'What the visitor gets: a `redirect`, one of the variants of a `split`, the smartlink’s own `page`, the list of its stores (`storeList`), a page that ' +
      'distinguishes iPads from Macs (`ipadOrMac`), the `passwordForm`, the tags for a link preview (`openGraph`), or a ' +
      'page that says the smartlink is `paused`, `deleted`, `scheduled`, `expired` or `exhausted`. The last two lead to ' +
      '`location` instead, where it is set.',
  }),
  location: z.string().nullable().meta({
    description:
      'Destination of a redirect, without the visitor’s own parameters, or `expiredUrl`; null for other decisions.',
  }),
  rule: z.enum(RULES).meta({
    description:
      'Why. For a redirect the field with the destination: `url`, one of the store links, or `routing`. `noStore`: no store fits and ' +
      'there is no `fallBackLink`. `ipadSaysMac`: iPads identify as Macs, and their store is a different one. `type`: it is ' +
      'a page. `password`: it is protected. `linkPreview`: a messenger requests it. `status`: it is not Active. ' +
      '`startsAt`, `expiresAt`, `maxVisits`: its availability; with `openGraph`, a bot at a limited smartlink.',
  }),
  counted,
};

const routeSchema = z.strictObject(route).meta({ id: 'VisitRoute' });

export type Route = z.output<typeof routeSchema>;

const conditionName = z.string().meta({ example: 'countries' });

const routing = z
  .strictObject({
    rule: z.string().nullable().meta({ description: 'Id of the first rule that fits; null if none does.' }),
    passed: z
      .array(z.strictObject({ id: z.string(), unfit: z.array(conditionName) }))
      .meta({ description: 'The rules before, in their order, each with its conditions that do not fit.' }),
    variants: z
      .array(
        z.strictObject({
          id: z.string(),
          share: z.number().min(0).max(1).meta({ description: 'Its weight divided by those of all.' }),
          location: z.string().nullable().meta({ description: 'null: the smartlink’s own answer.' }),
        }),
      )
      .optional()
      .meta({ description: 'Variants among which visitors are split. A bot gets the first.' }),
  })
  .meta({ id: 'RouteExplanation' });

const resolution = {
  ...route,
  routing: routing.optional().meta({ description: 'Of an Active smartlink with rules or variants.' }),
  ifIpad: routeSchema.optional().meta({ description: 'With `ipadOrMac`: the route of an iPad.' }),
  ifMac: routeSchema.optional().meta({ description: 'With `ipadOrMac`: the route of a Mac.' }),
};

const visitor = z.strictObject({
  isBot: z.boolean().meta({ description: 'A program, or no `User-Agent`.' }),
  isPreview: z.boolean().meta({ description: 'A bot that creates link previews for messages or posts.' }),
  mayBeIpad: z.boolean().meta({ description: 'Identifies as a Mac, but may be an iPad.' }),
  platform: z.enum(PLATFORMS).meta({ description: 'Decides which store fits; `other` has none.' }),
  device: z.enum(DEVICES).meta({ description: 'Class of device.', example: 'mobile' }),
  os: z.string().meta({ description: 'Operating system; `other` is unknown.', example: 'Android' }),
  browser: z.string().meta({ description: 'Browser; `other` is unknown.', example: 'Chrome' }),
  country: z.string().meta({ description: 'The country given; `XX` is unknown.', example: 'AZ' }),
  language: z.string().meta({ description: 'As it is recorded; empty without one.', example: 'de-AT' }),
  referrer: z.string().meta({ description: 'Host, or `direct`.', example: 'direct' }),
  source: z.enum(VISIT_SOURCES),
});

const resolvedVisit = z
  .strictObject({
    smartlinkId: z.string(),
    relink: z.string().meta({ description: 'The visited address.' }),
    visitor,
    ...resolution,
  })
  .meta({ id: 'ResolvedVisit' });

export type ResolvedVisit = z.output<typeof resolvedVisit>;
export type Resolution = Omit<ResolvedVisit, 'smartlinkId' | 'relink' | 'visitor'>;
