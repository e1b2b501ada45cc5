/** A colour of sRGB, each channel a whole number from 0 to 255. */
export type Rgb = { readonly red: number; readonly green: number; readonly blue: number };

/** A colour that lets `1 - alpha` of what lies under it through; alpha is from 0 to 1. */
export type Rgba = Rgb & { readonly alpha: number };

/**
 * Returns the colour that `#` and 3, 4, 6 or 8 hexadecimal digits name (CSS Color 4, 5.2), or null for anything else.
 * libs/qr-code reads the same notation for its own drawings: it imports no lib, and one parser is not worth a tie.
 */
export function parseHexColor(text: string): Rgba | null {
  if (!/^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i.test(text)) return null;
  const digits = text.slice(1);
  const long = digits.length <= 4 ? digits.replace(/./g, '$&$&') : digits;
  const [red = 0, green = 0, blue = 0, alpha = 255] = Buffer.from(long, 'hex');
  return { red, green, blue, alpha: alpha / 255 };
}

/** Returns `#` and six lower-case hexadecimal digits. */
export function formatHexColor({ red, green, blue }: Rgb): string {
  return `#${((1 << 24) | (red << 16) | (green << 8) | blue).toString(16).slice(1)}`;
}

/** Returns `share` (0 to 1) of `top` and the rest of `bottom`, mixed channel by channel in sRGB and rounded. */
export function mix(top: Rgb, bottom: Rgb, share: number): Rgb {
  const blend = (above: number, below: number) => Math.round(above * share + below * (1 - share));
  return {
    red: blend(top.red, bottom.red),
    green: blend(top.green, bottom.green),
    blue: blend(top.blue, bottom.blue),
  };
}
