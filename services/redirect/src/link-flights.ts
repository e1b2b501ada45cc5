import type { Resolution } from '@smartlink/link-resolver/link-resolver';
import type { LinkSnapshot } from '@smartlink/smartlink/snapshot';
import type { ServedLink } from './served-link.js';

/** How often a fill that a change has overtaken is done again before its visitor gets what it found. */
const FILLS_MAX = 3;

/** When a fill began. */
export type FillStart = {
  /** Monotonic milliseconds. */
  readonly at: number;
  /** The count of gaps in the feed of changes at that moment. */
  readonly gaps: number;
};

export type LinkFlightsOptions = {
  /** Looks a slug up beyond this process; rejects when nobody can say. What is older than `minVersion` is no answer. */
  readonly resolve: (slugKey: string, minVersion: number) => Promise<Resolution>;
  readonly prepare: (snapshot: LinkSnapshot) => ServedLink;
  readonly start: () => FillStart;
  /** The link that is held already, null for none: an engine may hold an older one, restored from its disk say. */
  readonly held: (slugKey: string) => ServedLink | null;
  /** Keeps what a flight brought. */
  readonly keep: (slugKey: string, link: ServedLink | null, start: FillStart) => void;
  /** Returns what to serve after a failed flight, or throws `err`. */
  readonly recover: (slugKey: string, err: unknown) => ServedLink | null;
  /** What came is older than what is held. Returns what to serve instead. */
  readonly onOlder: (slugKey: string) => ServedLink | null;
  readonly onOvertaken: () => void;
};

export type LinkFlights = {
  /** Returns what the flight of a slug brings; all who ask meanwhile share it. Rejects when `recover` throws. */
  readonly fly: (slugKey: string) => Promise<ServedLink | null>;
  readonly isUnderWay: (slugKey: string) => boolean;
  /** A version was published: a flight that brings an older one must ask again. */
  readonly announce: (slugKey: string, version: number) => void;
};

type Flight = {
  promise: Promise<ServedLink | null>;
  /** The newest version that was announced while it lasted; 0 when none was. */
  announced: number;
};

/**
 * Look-ups under way, one a slug. A flight that a change overtakes asks again for at least the announced version,
 * FILLS_MAX times in all; what it then found is served and not kept.
 */
export function createLinkFlights(options: LinkFlightsOptions): LinkFlights {
  const flights = new Map<string, Flight>();

  async function run(slugKey: string, flight: Flight): Promise<ServedLink | null> {
    try {
      for (let attempt = 1; ; attempt += 1) {
        const start = options.start();
        const minVersion = Math.max(flight.announced, options.held(slugKey)?.version ?? 0);
        const { snapshot, lagMs } = await options.resolve(slugKey, minVersion);
        const version = snapshot?.version ?? 0;
        const held = options.held(slugKey);
        if (held !== null && version < held.version) return options.onOlder(slugKey);
        // Of the same version it says the same: what was made of it then, a page of a megabyte say, is kept.
        const isHeld = snapshot === null || version === held?.version;
        const link = isHeld ? held : options.prepare(snapshot);
        if (version >= flight.announced) {
          // What a replica said is as old as the replica is behind, so that it is not kept for longer than it is true.
          options.keep(slugKey, link, { ...start, at: start.at - lagMs });
          return link;
        }
        options.onOvertaken();
        if (attempt === FILLS_MAX) return link;
      }
    } catch (err) {
      return options.recover(slugKey, err);
    } finally {
      flights.delete(slugKey);
    }
  }

  return {
    isUnderWay: (slugKey) => flights.has(slugKey),
    fly(slugKey) {
      const known = flights.get(slugKey);
      if (known !== undefined) return known.promise;
      const flight: Flight = { promise: Promise.resolve(null), announced: 0 };
      flights.set(slugKey, flight);
      flight.promise = run(slugKey, flight);
      return flight.promise;
    },
    announce(slugKey, version) {
      const flight = flights.get(slugKey);
      if (flight !== undefined) flight.announced = Math.max(flight.announced, version);
    },
  };
}
