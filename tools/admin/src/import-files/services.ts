import { bitly } from './bitly.js';
import type { Service } from './foreign-link.js';
import { kutt } from './kutt.js';
import { shlink } from './shlink.js';
import { yourls } from './yourls.js';

/**
 * The services whose exports are read, by the name that stands in the formats. A table of short and long URLs could be
 * Shlink's or Bitly's: the first that fits counts.
 */
export const SERVICES = { shlink, kutt, yourls, bitly } as const satisfies Record<string, Service>;

export type ServiceName = keyof typeof SERVICES;

export const SERVICE_NAMES = Object.keys(SERVICES) as readonly ServiceName[];
