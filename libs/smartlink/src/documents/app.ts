import { z } from 'zod';
import { destination, optional } from '../fields.js';
import { commonShape } from './every-type.js';
import type { DocumentOptions } from './every-type.js';

/** App: the stores stand in `configuration`, beside what every type has there. */
export function appSchema(options: DocumentOptions) {
  const common = commonShape(options, ['App']);
  return z.object({
    ...common,
    configuration: common.configuration.extend({
      appStoreLink: optional(destination(options)),
      googlePlayLink: optional(destination(options)),
      windowsAppLink: optional(destination(options)),
      macOsAppLink: optional(destination(options)),
      ipadAppLink: optional(destination(options)),
      appGalleryLink: optional(destination(options)),
      amazonStoreLink: optional(destination(options)),
      fallBackLink: optional(destination(options)),
    }),
  });
}
