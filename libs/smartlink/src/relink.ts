/** Returns a smartlink's public address: `{publicBaseUrl}/<slug>`. */
export function relink(publicBaseUrl: string, slug: string): string {
  return `${publicBaseUrl.replace(/(?<!\/)\/+$/, '')}/${slug}`;
}
