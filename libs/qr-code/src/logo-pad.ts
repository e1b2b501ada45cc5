import type { QrSymbol } from './qr-symbol.js';

// A pad of a fifth of the width hides 4 % of the modules; levels Q and H repair some 25 and 30 % of a symbol, which is
// enough also where each hidden module spoils a codeword of its own (the tests read such symbols back).
const WIDTH_SHARE_MAX = 0.2;

/** The empty square in the middle of a symbol, in modules. */
export type LogoPad = { readonly start: number; readonly width: number };

/** Returns where a logo's pad is. */
export function logoPadOf(symbol: QrSymbol): LogoPad {
  const most = Math.floor(symbol.length * WIDTH_SHARE_MAX);
  // A symbol is an odd number of modules wide, and so must be what stands in its middle.
  const width = most % 2 === 1 ? most : most - 1;
  return { start: (symbol.length - width) / 2, width };
}

/** Returns the symbol with nothing under its logo's pad. */
export function withLogoPad(symbol: QrSymbol): QrSymbol {
  const { start, width } = logoPadOf(symbol);
  const isInside = (at: number) => at >= start && at < start + width;
  return symbol.map((row, y) => row.map((isDark, x) => isDark && !(isInside(x) && isInside(y))));
}
