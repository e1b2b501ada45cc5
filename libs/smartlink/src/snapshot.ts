/** The seven types, in the specification's spelling. */
export const SMARTLINK_TYPES = ['App', 'Url', 'Landing', 'QRTag', 'DigiCard', 'TxtBin', 'QrMenu'] as const;
export type SmartlinkType = (typeof SMARTLINK_TYPES)[number];

export type SmartlinkStatus = 'Active' | 'Paused' | 'Deleted';

/**
 * What the redirect tier knows of one slug. Written by management after a commit and by whoever misses; it holds
 * only what a visit needs, never a clear password. `version` grows with every change of the row (int64 in Postgres,
 * far below 2^53) and decides which of two snapshots is newer.
 */
export type LinkSnapshot = LiveLink | Tombstone;

/** A slug whose link is deleted. `ownerId` and `smartlinkId` stay, for the figures. */
export type Tombstone = SnapshotBase & { readonly status: 'Deleted' };

export type LiveLink = SnapshotBase & {
  readonly status: 'Active' | 'Paused';
  readonly openGraph?: OpenGraph;
} & UrlContent;

export type UrlContent = {
  readonly type: 'Url';
  /** Normalised href of the destination. */
  readonly url: string;
  /** Present when the link is protected. `version` changes with the password and is bound into unlock cookies. */
  readonly password?: { readonly hash: string; readonly version: number };
};

export type OpenGraph = {
  readonly title?: string;
  readonly description?: string;
  readonly imageUrl?: string;
};

type SnapshotBase = {
  readonly version: number;
  readonly smartlinkId: string;
  readonly ownerId: string;
  /** The slug under which this snapshot stands, as typed: the primary one or an alias. */
  readonly slug: string;
};
