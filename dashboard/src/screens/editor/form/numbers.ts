/** Parses a number as people write it; other texts are returned as they are, for the service to refuse. */
export function toNumber(text: string): number | string {
  const written = text
    .trim()
    .replace(/[\s\u00a0]/g, '')
    .replace(',', '.');
  return /^-?\d+(\.\d+)?$/.test(written) ? Number(written) : text;
}
