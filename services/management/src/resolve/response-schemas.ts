import { STORE_LINK_NAMES } from '@smartlink/smartlink/store-links';
import { EXCLUSION_REASONS, VISIT_OUTCOMES, VISIT_SOURCES } from '@smartlink/visit-events/visit-event';
import { DEVICES } from '@smartlink/visit-routing/device';
import { PLATFORMS } from '@smartlink/visit-routing/platform';
import { z } from 'zod';

const DECISIONS = [
  'redirect',
  'page',
  'storeList',
  'ipadOrMac',
  'passwordForm',
  'openGraph',
  'paused',
  'deleted',
] as const;

const RULES = [
  'url',
  ...STORE_LINK_NAMES,
  'noStore',
  'ipadSaysMac',
  'type',
  'password',
  'linkPreview',
  'status',
] as const;

const counted = z
  .strictObject({
    source: z
      .enum(VISIT_SOURCES)
      .meta({ description: 'Always `click`: the address of a QR code is not tried.' }),
    outcome: z.enum(VISIT_OUTCOMES).meta({
      description:
        '`target`, `page` and `fallback` count; `excluded` is tallied by reason and counts nowhere else.',
    }),
    excluded: z.enum(EXCLUSION_REASONS).nullable().meta({
      description: 'Why the visit does not count, as in the `excluded` of analytics; null when it does.',
    }),
  })
  .nullable()
  .meta({ description: 'What the visit would count as; null when nothing would be recorded.' });

const route = {
  decision: z.enum(DECISIONS).meta({
    description:
      'What the visitor gets: a `redirect`, the smartlink’s own `page`, the list of its stores (`storeList`), a page that ' +
      'tells iPads from Macs (`ipadOrMac`), the `passwordForm`, the tags that a link preview is made of (`openGraph`), ' +
      'or a page that says it is `paused` or `deleted`.',
  }),
  location: z.string().nullable().meta({
    description:
      'Where a redirect leads, without the visitor’s own parameters; null for every other decision.',
  }),
  rule: z.enum(RULES).meta({
    description:
      'What decided. For a redirect the field it leads to: `url` or one of the store links. `noStore`: no store fits and ' +
      'there is no `fallBackLink`. `ipadSaysMac`: iPads say they are Macs, and theirs is another store. `type`: it is a ' +
      'page. `password`: it is protected. `linkPreview`: a messenger asks. `status`: it is not Active.',
  }),
  counted,
};

const routeSchema = z.strictObject(route).meta({ id: 'VisitRoute' });

export type Route = z.output<typeof routeSchema>;

const resolution = {
  ...route,
  ifIpad: routeSchema.optional().meta({ description: 'With `ipadOrMac`: what follows for an iPad.' }),
  ifMac: routeSchema.optional().meta({ description: 'With `ipadOrMac`: what follows for a Mac.' }),
};

const visitor = z.strictObject({
  isBot: z.boolean().meta({ description: 'A program, or who sends no `User-Agent`.' }),
  isPreview: z
    .boolean()
    .meta({ description: 'A bot that makes the preview of a link for a message or a post.' }),
  mayBeIpad: z.boolean().meta({ description: 'Says it is a Mac, and may be an iPad.' }),
  platform: z.enum(PLATFORMS).meta({ description: 'Whose store fits; `other` has none.' }),
  device: z.enum(DEVICES).meta({ description: 'Class of device.', example: 'mobile' }),
  os: z.string().meta({ description: 'Operating system; `other` is unknown.', example: 'Android' }),
  browser: z.string().meta({ description: 'Browser; `other` is unknown.', example: 'Chrome' }),
  country: z.string().meta({ description: 'The country given; `XX` is unknown.', example: 'AZ' }),
});

const resolvedVisit = z
  .strictObject({
    smartlinkId: z.string(),
    relink: z.string().meta({ description: 'The address that is visited.' }),
    visitor,
    ...resolution,
  })
  .meta({ id: 'ResolvedVisit' });

export type ResolvedVisit = z.output<typeof resolvedVisit>;
export type Resolution = Omit<ResolvedVisit, 'smartlinkId' | 'relink' | 'visitor'>;

/** Returns the schema of what a visit would come to. */
export function resolvedVisitSchema() {
  return resolvedVisit;
}
