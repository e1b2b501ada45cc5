import { createTryLimiter } from '../../src/unlock/try-limiter.js';
import { MAC_SAFARI as MAC_SAFARI_AGENT, PREVIEW_AGENT } from '../serve.js';
import type { Trial } from '../trial.js';
import type { StoredSample } from './stored-samples.js';

export const COOKIE_SECRET = 'a secret of 32 bytes or more for tests only';
/** An iPad that asks for the desktop's page. Chromium's own hint of its platform is taken back. */
export const MAC_SAFARI = {
  'User-Agent': MAC_SAFARI_AGENT,
  'Sec-CH-UA-Platform': '',
} as const;
const PREVIEW = { 'User-Agent': PREVIEW_AGENT } as const;

/** One page as visitors meet it. */
export type PageCase = {
  readonly name: string;
  readonly kind: string;
  /** Absolute. */
  readonly url: string;
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A password that is typed into the form at `url`: the page is the answer to it. */
  readonly password?: string;
  /** Done before each visit, by its address. */
  readonly prepare?: (visitor: string) => Promise<void>;
  /** The script goes on to another page at once. */
  readonly leadsAway?: boolean;
  readonly source?: StoredSample['source'];
};

const KINDS = {
  Landing: 'Landing',
  QRTag: 'QRTag',
  DigiCard: 'DigiCard',
  TxtBin: 'TxtBin',
  QrMenu: 'QrMenu',
  App: 'Stores',
  Url: 'Link',
} as const;

/** Returns a case for every page there is: each sample's own, its previews and forms, and the ones that lead nowhere. */
export function pageCases(
  samples: readonly StoredSample[],
  { url, trial }: { url: string; trial: Trial },
): readonly PageCase[] {
  const limiter = createTryLimiter({
    redis: trial.redis,
    keyPrefix: trial.databases.redisKeyPrefix,
    secret: COOKIE_SECRET,
    now: () => Date.now(),
  });
  const exhaust = async (visitor: string, linkIds: readonly string[]): Promise<void> => {
    for (const id of linkIds) await limiter.take(id, visitor);
  };
  const locked = samples.find(({ source }) => source.type === 'Url' && source.isProtected)!;
  const form = { kind: 'Password', url: `${url}/${locked.source.slug}`, password: 'wrong' };
  const system = (name: string, path: string, status: number): PageCase => {
    return { name, kind: 'System', url: `${url}/${path}`, status };
  };
  return [
    ...samples.flatMap((sample) => casesOf(sample, url)),
    { ...form, name: 'password-wrong', status: 401 },
    {
      ...form,
      name: 'password-too-many',
      status: 429,
      prepare: (visitor) => exhaust(visitor, Array<string>(5).fill(locked.id)),
    },
    {
      ...form,
      name: 'too-many-requests',
      kind: 'System',
      status: 429,
      prepare: (visitor) =>
        exhaust(
          visitor,
          Array.from({ length: 60 }, (_, index) => `link ${index}`),
        ),
    },
    system('not-found', 'nobodyhasthis', 404),
    system('paused', 'paused', 404),
    system('gone', 'deleted', 410),
    system('unavailable', 'unavailable', 503),
    system('root', '', 200),
    system('preview-not-found', '-/preview/nobodyhasthis', 404),
  ];
}

function casesOf({ name, source }: StoredSample, url: string): readonly PageCase[] {
  const kind = KINDS[source.type];
  const own = { name, kind, url: `${url}/${source.slug}`, status: 200, source };
  const preview = {
    ...own,
    name: `${name}-preview`,
    kind: 'Preview',
    url: `${url}/-/preview/${source.slug}`,
  };
  const share = { ...own, name: `${name}-share`, kind: 'Share', headers: PREVIEW };
  const isOneOfItsKind = !name.includes('-') && name === name.toLowerCase();
  switch (source.type) {
    case 'Url': {
      const shares = source.isProtected || source.openGraph !== undefined ? [share] : [];
      return source.isProtected ? [{ ...own, kind: 'Password' }, preview, ...shares] : [preview, ...shares];
    }
    case 'App':
      return [
        own,
        preview,
        ...(source.openGraph === undefined ? [] : [share]),
        ...(source.storeLinks.macOsAppLink !== undefined && source.storeLinks.appStoreLink !== undefined
          ? [{ ...own, name: `${name}-ipad-or-mac`, headers: MAC_SAFARI, leadsAway: true }]
          : []),
      ];
    default:
      return isOneOfItsKind ? [own, preview] : [own];
  }
}
