import { z } from 'zod';
import { optional } from '../fields.js';
import { multiLineText, oneLineText, snippetText } from '../text.js';
import { commonShape, member } from './every-type.js';
import type { DocumentOptions } from './every-type.js';

// decisions.md, Sizes; in code points.
const TEXT_LENGTH_MAX = 100_000;

/** TxtBin: a shared text or code snippet, kept exactly as it came. */
export function txtBinSchema(options: DocumentOptions) {
  return z.object({
    ...commonShape(options, ['TxtBin']),
    txtBin: member({
      title: optional(oneLineText(256)),
      description: optional(multiLineText(256)),
      text: snippetText(TEXT_LENGTH_MAX).meta({ description: 'Kept exactly as it came.' }),
    }),
  });
}
