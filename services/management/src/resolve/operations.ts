import { relink } from '@smartlink/smartlink/relink';
import { EXAMPLE_ID } from '../envelope-schemas.js';
import type { Operation } from '../operation.js';
import { resolveQuerySchema } from './resolve-query.js';
import { resolvedVisitSchema } from './response-schemas.js';
import type { ResolvedVisit } from './response-schemas.js';

/** GET /smartlink/resolve, as the reference shows it. */
export function resolveOperation(publicBaseUrl: string): Operation {
  const address = { smartlinkId: EXAMPLE_ID, relink: relink(publicBaseUrl, 'k7m2pq') };
  return {
    operationId: 'resolveVisit',
    summary: 'Try where a visitor would go',
    description:
      'What a visitor with this `User-Agent` would get at the smartlink’s address, by which rule, and as what the visit ' +
      'would count. It is the redirect service’s own code, and nothing is counted. The first visit is tried: by the ' +
      'short address, without parameters, with nothing unlocked. Works for a smartlink in any status.',
    tag: 'Smartlinks',
    needsKey: true,
    query: resolveQuerySchema,
    success: {
      status: 200,
      description: 'What would happen.',
      data: {
        schema: resolvedVisitSchema(),
        examples: {
          android: {
            summary: 'An Android phone at an App',
            message: 'Visit resolved',
            data: { ...address, ...ANDROID_EXAMPLE },
          },
          ipadOrMac: {
            summary: 'Safari that says it is on a Mac, at the same App',
            message: 'Visit resolved',
            data: { ...address, ...IPAD_OR_MAC_EXAMPLE },
          },
        },
      },
    },
    errors: {
      VALIDATION_FAILED: {
        country: {
          summary: 'A country that is none',
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
