import type { LinkAvailability } from './availability.js';
import type { StoreLinkName, UtmMember } from './model.js';
import type { RedirectOptions } from './redirect-options.js';
import type { Routing } from './routing-schema.js';
import type { DocumentOf } from './type-schemas.js';

/**
 * What the redirect tier knows of one slug, without clear passwords. `version` grows with every change of the row (int64
 * in Postgres, far below 2^53) and decides which of two snapshots is newer.
 */
export type LinkSnapshot = LiveLink | Tombstone;

/** A slug whose link is deleted. `ownerId` and `smartlinkId` stay, for the figures. */
export type Tombstone = SnapshotBase & { readonly status: 'Deleted' };

export type LiveLink = SnapshotBase & {
  readonly status: 'Active' | 'Paused';
  readonly openGraph?: OpenGraph;
  readonly routing?: Routing;
  readonly availability?: LinkAvailability;
} & (UrlContent | AppContent | PageContent);

export type UrlContent = {
  readonly type: 'Url';
  /** Normalised href of the destination. */
  readonly url: string;
  /** Present when the link is protected. `version` changes with the password and is bound into unlock cookies. */
  readonly password?: { readonly hash: string; readonly version: number };
  readonly utm?: Utm;
  readonly redirect?: RedirectOptions;
};

/** At least one member is set. */
export type Utm = Readonly<Partial<Record<UtmMember, string | undefined>>>;

export type AppContent = {
  readonly type: 'App';
  /** Normalised hrefs by the API's names. */
  readonly storeLinks: StoreLinks;
  readonly redirect?: RedirectOptions;
};

export type StoreLinks = Pick<DocumentOf<'App'>['configuration'], StoreLinkName>;

/**
 * A hosted page: the type's own objects and arrays as the API names them, unset members left out. `smartlinkName` is
 * its owner's private label and never shown, so no snapshot holds it: a page without a title takes openGraph.title,
 * a card's company, or a fixed word (Links, Menu, Card, Text).
 */
export type PageContent =
  | (PageOf<'Landing'> & WithAppearance)
  | (PageOf<'QRTag'> & WithAppearance)
  | (PageOf<'DigiCard'> & WithAppearance)
  | PageOf<'TxtBin'>
  | (PageOf<'QrMenu'> & WithAppearance);

type PageOf<Type extends 'Landing' | 'QRTag' | 'DigiCard' | 'TxtBin' | 'QrMenu'> = {
  readonly type: Type;
  readonly page: Omit<
    DocumentOf<Type>,
    'configuration' | 'openGraph' | 'routing' | 'availability' | 'appearance' | MetadataName
  >;
};

/** Members that no visitor sees. */
type MetadataName = 'tags' | 'folderId' | 'notes' | 'archived' | 'externalId';

type WithAppearance = { readonly appearance?: Appearance };

/** At least one member is set. */
export type Appearance = NonNullable<DocumentOf<'Landing'>['appearance']>;

export type OpenGraph = {
  readonly title?: string;
  readonly description?: string;
  readonly imageUrl?: string;
};

type SnapshotBase = {
  readonly version: number;
  readonly smartlinkId: string;
  readonly ownerId: string;
  /** The slug of this snapshot, as typed: the primary one or an alias. At an imported address the primary one. */
  readonly slug: string;
  /**
   * Imported addresses that differ from the slug only in case, with their keys: they may belong to other smartlinks of the
   * same owner. Only where there are any, of deleted smartlinks too.
   */
  readonly exact?: Readonly<Record<string, string>>;
};
