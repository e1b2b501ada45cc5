import type { SmartlinkDocument } from '@smartlink/smartlink/document';
import type { OpenGraph, SmartlinkType } from '@smartlink/smartlink/snapshot';
import type { SmartlinkRow } from './smartlink-row.js';

/** A checked document, cut into the columns it is stored in. */
export type DocumentParts = {
  readonly name: string;
  /** undefined: the service assigns one. */
  readonly slug: string | undefined;
  readonly type: SmartlinkType;
  readonly openGraph: OpenGraph | null;
  readonly content: Record<string, unknown>;
  /** In clear, to be hashed; undefined when the document brings none. */
  readonly password: string | undefined;
};

/** Returns the columns of a checked document. Unset members are left out, so that what is stored is what is returned. */
export function toParts(document: SmartlinkDocument): DocumentParts {
  const { configuration, openGraph, shortener } = document;
  const { password, ...shortenerContent } = shortener;
  return {
    name: configuration.smartlinkName,
    slug: configuration.smartlinkUrl,
    type: configuration.smartlinkType,
    openGraph: openGraph === undefined ? null : nullIfEmpty(withoutUnset(openGraph)),
    content: { shortener: withoutUnset(shortenerContent) },
    password,
  };
}

/** Returns the document a row was made from, but for its password, as a PATCH changes it. */
export function toDocument(row: SmartlinkRow, type: string): Record<string, unknown> {
  const content = Object.hasOwn(row.content, type) ? row.content[type as SmartlinkType] : undefined;
  return {
    configuration: { smartlinkName: row.name, smartlinkUrl: row.slug, smartlinkType: row.type },
    ...(row.open_graph === null ? {} : { openGraph: row.open_graph }),
    ...content,
  };
}

/** Returns every URL of a document that a visitor may meet, with its path, for the safety check. */
export function urlsOf(parts: DocumentParts): readonly { path: string; url: string }[] {
  const urls: { path: string; url: string }[] = [];
  const shortener = parts.content['shortener'] as { url: string } | undefined;
  if (shortener !== undefined) urls.push({ path: 'shortener.url', url: shortener.url });
  const imageUrl = parts.openGraph?.imageUrl;
  if (imageUrl !== undefined) urls.push({ path: 'openGraph.imageUrl', url: imageUrl });
  return urls;
}

function withoutUnset<T extends object>(value: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}

function nullIfEmpty<T extends object>(value: T): T | null {
  return Object.keys(value).length === 0 ? null : value;
}
