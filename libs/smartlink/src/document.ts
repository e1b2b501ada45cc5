import type { z } from 'zod';
import { appSchema } from './documents/app.js';
import type { DocumentOptions } from './documents/every-type.js';
import { digiCardSchema } from './documents/digi-card.js';
import { landingSchema } from './documents/landing.js';
import { qrMenuSchema } from './documents/qr-menu.js';
import { qrTagSchema } from './documents/qr-tag.js';
import { txtBinSchema } from './documents/txt-bin.js';
import { urlSchema } from './documents/url.js';
import type { SmartlinkType } from './smartlink-type.js';

export type { DocumentOptions } from './documents/every-type.js';

/** A smartlink as a client writes it, checked, with defaults filled in. The keys are the API's own. */
export type SmartlinkDocument = z.output<ReturnType<typeof documentSchemas>[SmartlinkType]>;

/** A checked smartlink of one type. */
export type DocumentOf<Type extends SmartlinkType> = z.output<ReturnType<typeof documentSchemas>[Type]>;

/**
 * Returns the schema of each type's whole document: what POST takes and what a merged PATCH must satisfy. Members that
 * a schema does not name, another type's content among them, are dropped at every depth.
 */
export function documentSchemas(options: DocumentOptions) {
  return {
    App: appSchema(options),
    Url: urlSchema(options),
    Landing: landingSchema(options),
    QRTag: qrTagSchema(options),
    DigiCard: digiCardSchema(options),
    TxtBin: txtBinSchema(options),
    QrMenu: qrMenuSchema(options),
  } satisfies Record<SmartlinkType, z.ZodObject>;
}
