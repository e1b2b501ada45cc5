import type { SmartlinkDocument } from '@smartlink/smartlink/document';
import type { SmartlinkType } from '@smartlink/smartlink/smartlink-type';
import type { OpenGraph } from '@smartlink/smartlink/snapshot';
import { findUrls } from '@smartlink/smartlink/url-members';
import type { DocumentUrl } from '@smartlink/smartlink/url-members';
import { isObject } from '@smartlink/smartlink/is-object';
import type { Content, SmartlinkRow } from './smartlink-row.js';

/** A checked document, cut into the columns it is stored in. */
export type DocumentParts = {
  readonly name: string;
  /** undefined: the service assigns one. */
  readonly slug: string | undefined;
  readonly type: SmartlinkType;
  readonly openGraph: OpenGraph | null;
  readonly content: Content;
  /** In clear, to be hashed; undefined when the document brings none. */
  readonly password: string | undefined;
};

/** Returns the columns of a checked document. Unset members are left out, so that what is stored is what is returned. */
export function toParts(document: SmartlinkDocument): DocumentParts {
  const { configuration, openGraph, ...objects } = document;
  const { smartlinkName, smartlinkUrl, smartlinkType, ...stores } = configuration;
  const { password, members } = takePassword(objects);
  const storeLinks = withoutUnset(stores);
  return {
    name: smartlinkName,
    slug: smartlinkUrl,
    type: smartlinkType,
    openGraph: openGraph === undefined ? null : nullIfEmpty(withoutUnset(openGraph) as OpenGraph),
    content: {
      ...withoutUnset(members),
      ...(nullIfEmpty(storeLinks) === null ? {} : { configuration: storeLinks }),
    },
    password,
  };
}

/** Returns the document a row was made from, but for its password, as a PATCH changes it. */
export function toDocument(row: SmartlinkRow, type: string): Record<string, unknown> {
  const content: Content =
    (Object.hasOwn(row.content, type) ? row.content[type as SmartlinkType] : null) ?? {};
  return {
    ...content,
    configuration: configurationOf(row, content),
    ...(row.open_graph === null ? {} : { openGraph: row.open_graph }),
  };
}

/** Returns a row's configuration as the API has it: that of every type, and an App's stores out of its content. */
export function configurationOf(row: SmartlinkRow, content: Content): object {
  return {
    smartlinkName: row.name,
    smartlinkUrl: row.slug,
    smartlinkType: row.type,
    ...content.configuration,
  };
}

/** Returns every URL of a smartlink that a visitor may meet, with its path, for the safety check. */
export function urlsOf(parts: {
  readonly content: Content;
  readonly openGraph: OpenGraph | null;
}): readonly DocumentUrl[] {
  return findUrls({ ...parts.content, openGraph: parts.openGraph ?? {} });
}

/** Returns the same of a row, whose content may be that of its present type alone. */
export function urlsOfRow(
  row: Pick<SmartlinkRow, 'type' | 'content' | 'open_graph'>,
): readonly DocumentUrl[] {
  return urlsOf({ content: row.content[row.type] ?? {}, openGraph: row.open_graph });
}

/** The password is hashed and kept in a column of its own; no content holds it. */
function takePassword(objects: Readonly<Record<string, unknown>>): {
  password: string | undefined;
  members: Record<string, unknown>;
} {
  const { shortener } = objects;
  if (!isObject(shortener)) return { password: undefined, members: objects };
  const { password, ...rest } = shortener;
  return { password: password as string | undefined, members: { ...objects, shortener: rest } };
}

/** Returns `value` without the members that are undefined, at every depth. */
function withoutUnset(value: object): Record<string, unknown> {
  const set: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value) as [string, unknown][]) {
    if (member !== undefined) set[name] = withoutUnsetInside(member);
  }
  return set;
}

function withoutUnsetInside(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUnsetInside);
  return isObject(value) ? withoutUnset(value) : value;
}

function nullIfEmpty<T extends object>(value: T): T | null {
  return Object.keys(value).length === 0 ? null : value;
}
