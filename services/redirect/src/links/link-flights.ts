import type { Resolution } from '@smartlink/links/resolve';
import type { LinkSnapshot } from '@smartlink/smartlink/document';
import type { ServedLink } from './served-link.js';

/** Attempts of a fill overtaken by changes, before its visitor gets the result. */
const FILLS_MAX = 3;

/** When a fill began. */
export type FillStart = {
  /** Monotonic milliseconds. */
  readonly at: number;
  /** Count of gaps in the change feed at that moment. */
  readonly gaps: number;
};

export type LinkFlightsOptions = {
  /** Looks a slug up beyond this process, at least at `minVersion`; rejects when no store can answer. */
  readonly resolve: (slugKey: string, minVersion: number) => Promise<Resolution>;
  readonly prepare: (snapshot: LinkSnapshot, slugKey: string) => ServedLink;
  readonly start: () => FillStart;
  /** The link already held, or null: a store may have an older one, restored from its disk. */
  readonly held: (slugKey: string) => ServedLink | null;
  readonly keep: (slugKey: string, link: ServedLink | null, start: FillStart) => void;
  /** The link to serve after a failed flight, or throws `err`. */
  readonly recover: (slugKey: string, err: unknown) => ServedLink | null;
  /** The link to serve instead of a result older than the one held. */
  readonly onOlder: (slugKey: string) => ServedLink | null;
  readonly onOvertaken: () => void;
};

type Flight = {
  promise: Promise<ServedLink | null>;
  /** The newest version announced during the flight, else 0. */
  announced: number;
};

/**
 * Look-ups in progress, one per slug. A flight overtaken by a change asks again for at least the announced version, up to
 * FILLS_MAX times; its last result is then served but not kept.
 */
export function createLinkFlights(options: LinkFlightsOptions) {
  const flights = new Map<string, Flight>();

  async function fetchLink(slugKey: string, flight: Flight): Promise<ServedLink | null> {
    try {
      for (let attempt = 1; ; attempt += 1) {
        const start = options.start();
        const minVersion = Math.max(flight.announced, options.held(slugKey)?.version ?? 0);
        const { snapshot, lagMs } = await options.resolve(slugKey, minVersion);
        const version = snapshot?.version ?? 0;
        const held = options.held(slugKey);
        if (held !== null && version < held.version) return options.onOlder(slugKey);
        // An equal version means equal content: its prepared page, perhaps a megabyte, is kept.
        const isHeld = snapshot === null || version === held?.version;
        const link = isHeld ? held : options.prepare(snapshot, slugKey);
        if (version >= flight.announced) {
          // A replica's answer is as old as the replica's lag, so its life is shortened by it.
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
    isUnderWay: (slugKey: string) => flights.has(slugKey),
    /** The result of a slug's flight, shared by concurrent callers. Rejects when `recover` throws. */
    fly(slugKey: string) {
      const known = flights.get(slugKey);
      if (known !== undefined) return known.promise;
      const flight: Flight = { promise: Promise.resolve(null), announced: 0 };
      flights.set(slugKey, flight);
      flight.promise = fetchLink(slugKey, flight);
      return flight.promise;
    },
    /** A version was published: a flight with an older result must ask again. */
    announce(slugKey: string, version: number) {
      const flight = flights.get(slugKey);
      if (flight !== undefined) flight.announced = Math.max(flight.announced, version);
    },
  };
}
