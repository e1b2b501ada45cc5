/** One URL of a document, and where it stands, as a dotted path. */
export type DocumentUrl = { readonly path: string; readonly url: string };

/** The members of a document that hold a URL, whatever the type. A test holds the list against the schemas. */
export const URL_MEMBERS: ReadonlySet<string> = new Set([
  'amazonStoreLink',
  'appGalleryLink',
  'appStoreLink',
  'bgLink',
  'coverLink',
  'fallBackLink',
  'googlePlayLink',
  'iconUrl',
  'imageLink',
  'imageUrl',
  'ipadAppLink',
  'link',
  'logoLink',
  'macOsAppLink',
  'url',
  'windowsAppLink',
]);

/** Returns every URL of the web in a checked document or a part of one, in its order: what a safety provider is asked. */
export function findUrls(part: object, path: readonly string[] = []): DocumentUrl[] {
  return Object.entries(part).flatMap(([name, value]: [string, unknown]) => {
    const here = [...path, name];
    if (typeof value === 'object' && value !== null) return findUrls(value, here);
    if (typeof value !== 'string' || !URL_MEMBERS.has(name)) return [];
    return /^https?:/.test(value) ? [{ path: here.join('.'), url: value }] : [];
  });
}
