import { z } from 'zod';
import { destination, optional } from '../fields.js';
import { commonShape } from './every-type.js';
import type { DocumentOptions } from './every-type.js';

/** App: the stores stand in `configuration`, beside what every type has there. */
export function appSchema(options: DocumentOptions) {
  const common = commonShape(options, ['App']);
  const storeLink = (description: string) => optional(destination(options).meta({ description }));
  return z.object({
    ...common,
    configuration: common.configuration.extend({
      appStoreLink: storeLink('iPhone and iPod; iPad too, without a link of its own.'),
      googlePlayLink: storeLink('Android; Huawei and Fire devices too, without a link of their own.'),
      windowsAppLink: storeLink('Windows.'),
      macOsAppLink: storeLink('Mac.'),
      ipadAppLink: storeLink('iPad.'),
      appGalleryLink: storeLink('Huawei and HarmonyOS devices.'),
      amazonStoreLink: storeLink('Fire devices.'),
      fallBackLink: storeLink('Everybody else. Without it they get a page that lists the stores.'),
    }),
  });
}
