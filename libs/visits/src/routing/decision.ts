import type { StoreLinks } from '@smartlink/smartlink/document';

/** The result of routing a visit. */
export type Decision =
  | Redirect
  /** The link's own page. */
  | { readonly kind: 'page' }
  /** A page that lists the stores of an App link without a fallback address. */
  | { readonly kind: 'chooser' }
  /** A page that asks whether the device is an iPad or a Mac, because their requests are identical. */
  | { readonly kind: 'ipad-or-mac' }
  /** A page for link previews, from the link's openGraph; never reveals a target behind a password. */
  | { readonly kind: 'share' }
  /** The password form. */
  | { readonly kind: 'locked' }
  | Closed
  /** A prefetch of a limited link, which browsers must discard. */
  | { readonly kind: 'prefetch' }
  | { readonly kind: 'paused' }
  | { readonly kind: 'gone' }
  /** The snapshot cannot be served by this build: for example, a link type added in a later version. */
  | { readonly kind: 'unsupported' };

/** A link that is not live: before its start, over, or used up. `location` is where visitors are led instead, if anywhere. */
export type Closed = {
  readonly kind: 'scheduled' | 'expired' | 'exhausted';
  readonly location: string | null;
};

export type Redirect = {
  readonly kind: 'redirect';
  readonly location: string;
  /** `fallback`: an App link has no store for the visitor's platform. */
  readonly outcome: 'target' | 'fallback';
  readonly rule: RedirectRule;
};

/** Which address of a link was taken: a Url link's own, one of an App link's by the API's name, or one of its rules. */
export type RedirectRule = 'url' | keyof StoreLinks | 'routing';
