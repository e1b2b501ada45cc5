import { z } from 'zod';
import { destination, optional } from '../fields.js';
import { STORE_LINKS, STORE_LINK_NAMES } from '../store-links.js';
import type { StoreLinkName } from '../store-links.js';
import { commonShape } from './every-type.js';
import type { DocumentOptions } from './every-type.js';

/** App: the stores stand in `configuration`, beside what every type has there. */
export function appSchema(options: DocumentOptions) {
  const common = commonShape(options, ['App']);
  const storeLink = (description: string) => optional(destination(options).meta({ description }));
  const storeLinks = Object.fromEntries(
    STORE_LINK_NAMES.map((name) => [name, storeLink(STORE_LINKS[name])]),
  ) as Record<StoreLinkName, ReturnType<typeof storeLink>>;
  return z.object({ ...common, configuration: common.configuration.extend(storeLinks) });
}
