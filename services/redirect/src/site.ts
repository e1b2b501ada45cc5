import type { ShareImageKind, Site } from '@smartlink/pages/site';

/** What a Site is made of, as it can be sent to a thread. */
export type SiteOptions = Omit<Site, 'shareImagePath'> & {
  readonly shareImagePaths: Readonly<Record<ShareImageKind, string>>;
};

/** Returns what pages say of this instance. */
export function createSite({ shareImagePaths, ...rest }: SiteOptions): Site {
  return { ...rest, shareImagePath: (kind) => shareImagePaths[kind] };
}
