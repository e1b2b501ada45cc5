import type { Color } from './color.js';
import type { QrSymbol } from './qr-symbol.js';

/** What an image shows. */
export type Drawing = {
  readonly symbol: QrSymbol;
  /** Width and height of the image in pixels. */
  readonly sizePx: number;
  /** Empty modules on each side; ISO/IEC 18004:2024, 5.3.8, asks for 4. */
  readonly marginModules: number;
  readonly color: Color;
  readonly background: Color;
};

/** Returns the width of a drawing in modules, margins included. */
export function widthModules({ symbol, marginModules }: Drawing): number {
  return symbol.length + 2 * marginModules;
}
