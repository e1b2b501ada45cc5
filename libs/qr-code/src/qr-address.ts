// The letters of alphanumeric mode (ISO/IEC 18004:2024, table 5) with their lower case. Only ASCII: the upper case of
// `ß` is another host.
const ALPHANUMERIC_IN_ANY_CASE = /^[0-9A-Za-z $%*+\-./:]*$/;

/**
 * Returns the address that a smartlink's QR code encodes: `{publicBaseUrl}/q/<slug>`, in upper case where nothing but
 * scheme, host, `/q/` and slug is in it, none of which has a case, and every character is one of alphanumeric mode.
 * That mode takes 5.5 bits a character instead of 8, so the code is never larger and mostly smaller.
 * `publicBaseUrl` is an absolute URL, `slug` satisfies isSlug.
 */
export function qrAddress(publicBaseUrl: string, slug: string): string {
  const base = publicBaseUrl.replace(/(?<!\/)\/+$/, '');
  const address = `${base}/q/${slug}`;
  const hasPath = new URL(base).pathname !== '/';
  return !hasPath && ALPHANUMERIC_IN_ANY_CASE.test(address) ? address.toUpperCase() : address;
}
