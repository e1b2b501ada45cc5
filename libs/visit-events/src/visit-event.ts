export const VISIT_SOURCES = ['click', 'scan'] as const;
/** How the visitor came: by the short address, or by a QR code (`/q/<slug>`). */
export type VisitSource = (typeof VISIT_SOURCES)[number];

export const VISIT_OUTCOMES = ['target', 'page', 'fallback', 'excluded'] as const;
/** What the visit ended in. `excluded` visits are tallied by reason and counted nowhere else. */
export type VisitOutcome = (typeof VISIT_OUTCOMES)[number];

export const EXCLUSION_REASONS = ['bot', 'head', 'prefetch', 'form', 'paused', 'deleted'] as const;
/** Why a visit does not count (decisions.md, Visits). */
export type ExclusionReason = (typeof EXCLUSION_REASONS)[number];

/** One visit to a known slug, as the redirect service records it. Its id is given when it is recorded. */
export type VisitEvent = {
  /** Milliseconds since 1970, UTC. */
  readonly timeMs: number;
  /** UUIDs in their text form. */
  readonly ownerId: string;
  readonly smartlinkId: string;
  /** The slug used, as its owner typed it; an alias when the visitor used one. */
  readonly slug: string;
  readonly source: VisitSource;
  readonly outcome: VisitOutcome;
  /** '' unless the outcome is `excluded`. */
  readonly exclusion: ExclusionReason | '';
  /** ISO 3166-1 alpha-2, `XX` when unknown. */
  readonly country: string;
  /** mobile, tablet, desktop, tv, wearable, console, other. */
  readonly device: string;
  readonly os: string;
  readonly browser: string;
  /** The first language of Accept-Language, '' when there is none. */
  readonly language: string;
  /** The host of Referer, '' when there is none. */
  readonly referrerHost: string;
  readonly utmSource: string;
  readonly utmMedium: string;
  readonly utmCampaign: string;
  readonly utmTerm: string;
  readonly utmContent: string;
  /** 64 bits; 0 when the visitor asked not to be recognised, or nothing is known. */
  readonly visitorId: bigint;
};
