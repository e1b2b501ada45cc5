/** What pages say of the instance that serves them. */
export type Site = {
  /** Without a slash at its end: `https://sl.example.com`. */
  readonly publicBaseUrl: string;
  /** Where visitors report a page, an https or mailto address; null: the operator named none. */
  readonly abuseContactUrl: string | null;
  /** Path of the pages' script, `/-/assets/p.<hash>.js`. */
  readonly scriptPath: string;
  /** Path of a picture of ours for previews of links without one, 1200 by 630 pixels, image/png. */
  readonly shareImagePath: (kind: ShareImageKind) => string;
};

/** The pictures there are for previews: one for each kind of page. */
export const SHARE_IMAGE_KINDS = ['link', 'landing', 'tag', 'card', 'text', 'menu', 'app'] as const;
export type ShareImageKind = (typeof SHARE_IMAGE_KINDS)[number];

export const SHARE_IMAGE_WIDTH_PX = 1200;
export const SHARE_IMAGE_HEIGHT_PX = 630;
