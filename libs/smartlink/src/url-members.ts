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
export function findUrls(part: object): DocumentUrl[] {
  const found: DocumentUrl[] = [];
  collectUrls(part, [], found);
  return found;
}

/** One list and one path for all of it: a menu may have two hundred thousand members. */
function collectUrls(part: object, path: string[], found: DocumentUrl[]): void {
  for (const [name, value] of Object.entries(part) as [string, unknown][]) {
    if (typeof value === 'object' && value !== null) {
      path.push(name);
      collectUrls(value, path, found);
      path.pop();
    } else if (typeof value === 'string' && URL_MEMBERS.has(name) && /^https?:/.test(value)) {
      found.push({ path: [...path, name].join('.'), url: value });
    }
  }
}
