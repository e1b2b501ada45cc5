import { encodeQR } from 'qr';

/** Levels of error correction; some 7, 15, 25 and 30 % of a symbol may be unreadable (ISO/IEC 18004). */
export const ERROR_CORRECTIONS = ['L', 'M', 'Q', 'H'] as const;

export type ErrorCorrection = (typeof ERROR_CORRECTIONS)[number];

/** Rows of modules, true is dark; as many columns as rows, without the margin. */
export type QrSymbol = readonly (readonly boolean[])[];

const LEVEL_NAMES = { L: 'low', M: 'medium', Q: 'quartile', H: 'high' } as const;

/**
 * Returns the smallest QR symbol that holds `text` in one segment, with the mask of least penalty. Throws when no
 * symbol holds it: at level H 1,273 bytes are the most.
 */
export function encodeSymbol(text: string, errorCorrection: ErrorCorrection): QrSymbol {
  // The library gives no symbol without a border.
  const bordered = encodeQR(text, 'raw', { ecc: LEVEL_NAMES[errorCorrection], border: 1 });
  return bordered.slice(1, -1).map((row) => row.slice(1, -1));
}
