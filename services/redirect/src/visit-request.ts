import type { VisitHeaders } from '@smartlink/visit-routing/classify';
import type { ClientAddress } from './client-address.js';
import type { Tally } from './counters.js';

/** What is copied of a request before anything can wait: uWebSockets.js takes it back at the first await. */
export type VisitRequest = {
  readonly isHead: boolean;
  /** As in the address, GET and HEAD visits and unlock tries alike. */
  readonly slug: string;
  readonly isScan: boolean;
  /** What the visitor said on the page that tells iPads from Macs; null for nearly everybody. */
  readonly chosenPlatform: 'ipad' | 'mac' | null;
  /** Without `?`, undecoded. */
  readonly query: string;
  readonly headers: VisitHeaders;
  readonly cookie: string;
  /** For the visitor's country and their id. */
  readonly address: ClientAddress;
  /** Their country as a trusted proxy names it, '' when none does. */
  readonly edgeCountry: string;
  readonly tally: Tally;
};
