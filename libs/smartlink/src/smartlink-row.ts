import type { Availability } from './availability.js';
import { type Metadata, TAGS_COLUMN, toMetadata } from './metadata.js';
import {
  APPEARANCE_TYPES,
  type DocumentUrl,
  findUrls,
  isObject,
  REDIRECT_TYPES,
  type SmartlinkStatus,
  type SmartlinkType,
} from './model.js';
import type { RedirectOptions } from './redirect-options.js';
import { type Routing, withIds } from './routing-schema.js';
import type { Appearance, OpenGraph, Utm } from './snapshot.js';
import type { SmartlinkDocument } from './type-schemas.js';

/** A row of table smartlinks. */
export type SmartlinkRow = {
  readonly id: string;
  readonly user_id: string;
  readonly status: SmartlinkStatus;
  readonly type: SmartlinkType;
  readonly name: string;
  readonly slug: string;
  /** null: the own host of the instance. */
  readonly domain_number: number | null;
  /** Host of the domain. */
  readonly domain: string | null;
  readonly open_graph: OpenGraph | null;
  /** Kept while the type has none, for a change back. */
  readonly appearance: Appearance | null;
  /** Kept while the type is not Url. */
  readonly utm: Utm | null;
  /** Kept while the type does not redirect. */
  readonly redirect: RedirectOptions | null;
  readonly routing: Routing | null;
  readonly availability: Availability | null;
  /** null without `maxVisits`. */
  readonly visits_used: number | null;
  /** Content by type; that of an earlier type is kept for a change back to it. */
  readonly content: Partial<Record<SmartlinkType, Content>>;
  readonly password_hash: string | null;
  readonly password_version: number;
  /** bigint, which pg hands over as text. */
  readonly version: string;
  readonly pause_reason: PauseReason | null;
  /** Those of another service, exactly as written; null without any. */
  readonly imported_addresses: readonly string[] | null;
  /** Names in order; null without any. */
  readonly tags: readonly string[] | null;
  readonly folder_id: string | null;
  readonly notes: string | null;
  readonly archived_at: Date | null;
  readonly external_id: string | null;
  /** The person who created it; null if a key did. */
  readonly created_by: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
};

/**
 * The type's own objects and arrays by the API's names, with an App's stores in `configuration`. Never a password.
 */
export type Content = {
  readonly configuration?: Readonly<Record<string, unknown>>;
  readonly [member: string]: unknown;
};

/** Why the service paused a smartlink. */
export type PauseReason = {
  readonly code: 'UNSAFE_URL';
  readonly details: readonly { readonly path: string; readonly message: string }[];
};

// A statement that changes a limit reads what was used before it; of a new limit nothing is.
const VISITS_USED_COLUMN = `
  case when smartlinks.availability ? 'maxVisits' then
    coalesce((select used from link_allowances where link_allowances.smartlink_id = smartlinks.id), 0)
  end as visits_used`;

/** The host of a smartlink's domain; null: the own host of the instance. */
export const DOMAIN_COLUMN = `
  case when smartlinks.domain_number is not null then
    (select host from domains where domains.number = smartlinks.domain_number)
  end as domain`;

/** The columns of a SmartlinkRow but for its content. */
export const COLUMNS = `
  smartlinks.id, smartlinks.user_id, smartlinks.status, smartlinks.type, smartlinks.name, smartlinks.slug,
  smartlinks.domain_number, ${DOMAIN_COLUMN}, smartlinks.open_graph, smartlinks.appearance, smartlinks.utm, smartlinks.redirect, smartlinks.routing,
  smartlinks.availability, smartlinks.password_hash,
  smartlinks.password_version, smartlinks.version, smartlinks.pause_reason, smartlinks.imported_addresses, smartlinks.folder_id,
  smartlinks.notes, smartlinks.archived_at, smartlinks.external_id, smartlinks.created_by, smartlinks.created_at,
  smartlinks.updated_at, ${TAGS_COLUMN}, ${VISITS_USED_COLUMN}`;

/** The content of the present type; that of earlier types may be six times as much. */
export const SHOWN_CONTENT = 'jsonb_build_object(smartlinks.type, smartlinks.content -> smartlinks.type)';

/** COLUMNS with the content of the present type. */
export const SHOWN_COLUMNS = `${COLUMNS}, ${SHOWN_CONTENT} as content`;

/** COLUMNS with the content of all types, which a change needs. */
export const ALL_COLUMNS = `${COLUMNS}, smartlinks.content`;

/**
 * When the URLs of a row are to be judged next: every day; soon where the provider could not
 * be asked. `isChecked` is a boolean expression.
 */
export const NEXT_URL_CHECK = (isChecked: string): string =>
  `now() + case when ${isChecked} then interval '1 day' else interval '30 seconds' end`;

/** A checked document, cut into the columns it is stored in. */
export type DocumentParts = {
  readonly name: string;
  /** undefined: the service assigns one. */
  readonly slug: string | undefined;
  /** Host of a custom domain; null: the own host of the instance. undefined: left out. */
  readonly domain: string | null | undefined;
  readonly type: SmartlinkType;
  readonly openGraph: OpenGraph | null;
  /** undefined: the type has none, and a stored one is kept. */
  readonly appearance: Appearance | null | undefined;
  /** The same. */
  readonly utm: Utm | null | undefined;
  /** The same. */
  readonly redirect: RedirectOptions | null | undefined;
  readonly routing: Routing | null;
  readonly availability: Availability | null;
  readonly content: Content;
  readonly metadata: Metadata;
  /** In clear, to be hashed; undefined when the document brings none. */
  readonly password: string | undefined;
};

/** The columns of a checked document. Unset members are left out, so that stored and returned content are the same. */
export function toParts(document: SmartlinkDocument): DocumentParts {
  const { configuration, openGraph, routing, availability, ...named } = document;
  const { tags, folderId, notes, archived, externalId, ...typed } = named;
  const { appearance, utm, redirect, ...objects } = {
    ...{ appearance: undefined, utm: undefined, redirect: undefined },
    ...typed,
  };
  const { smartlinkName, smartlinkUrl, smartlinkType, domain, ...stores } = configuration;
  const { password, members } = takePassword(objects);
  const storeLinks = withoutUnset(stores);
  return {
    name: smartlinkName,
    slug: smartlinkUrl,
    domain,
    type: smartlinkType,
    openGraph: openGraph === undefined ? null : nullIfEmpty(withoutUnset(openGraph) as OpenGraph),
    appearance: APPEARANCE_TYPES.has(smartlinkType)
      ? nullIfEmpty(withoutUnset(appearance ?? {}) as Appearance)
      : undefined,
    utm: smartlinkType === 'Url' ? nullIfEmpty(withoutUnset(utm ?? {}) as Utm) : undefined,
    redirect: REDIRECT_TYPES.has(smartlinkType)
      ? nullIfEmpty(withoutUnset(redirect ?? {}) as RedirectOptions)
      : undefined,
    routing: nullIfEmpty(withoutUnset(withIds(routing) ?? {}) as Routing),
    availability: nullIfEmpty(withoutUnset(availability ?? {}) as Availability),
    content: {
      ...withoutUnset(members),
      ...(nullIfEmpty(storeLinks) === null ? {} : { configuration: storeLinks }),
    },
    metadata: toMetadata({ tags, folderId, notes, archived, externalId }),
    password,
  };
}

/** The document a row was made from, but for its password and its metadata, as a PATCH changes it. */
export function toDocument(row: SmartlinkRow, type: SmartlinkType): Record<string, unknown> {
  const content: Content = row.content[type] ?? {};
  return {
    ...content,
    configuration: configurationOf(row, content),
    ...(row.open_graph === null ? {} : { openGraph: row.open_graph }),
    ...(row.routing === null ? {} : { routing: row.routing }),
    ...(row.availability === null ? {} : { availability: row.availability }),
    ...(APPEARANCE_TYPES.has(type) && row.appearance !== null ? { appearance: row.appearance } : {}),
    ...(type === 'Url' && row.utm !== null ? { utm: row.utm } : {}),
    ...(REDIRECT_TYPES.has(type) && row.redirect !== null ? { redirect: row.redirect } : {}),
  };
}

/** A row's configuration as the API has it: that of every type, and an App's stores out of its content. */
export function configurationOf(row: SmartlinkRow, content: Content): object {
  return {
    smartlinkName: row.name,
    smartlinkUrl: row.slug,
    smartlinkType: row.type,
    ...(row.domain === null ? {} : { domain: row.domain }),
    ...content.configuration,
  };
}

/** Every URL of a smartlink that a visitor may meet, with its path, for the safety check. */
export function urlsOf(
  parts: Pick<DocumentParts, 'content' | 'openGraph' | 'routing' | 'availability'>,
): readonly DocumentUrl[] {
  const { content, openGraph, routing, availability } = parts;
  const others = { openGraph: openGraph ?? {}, routing: routing ?? {}, availability: availability ?? {} };
  return findUrls({ ...content, ...others });
}

/** The columns of a row with URLs; its content may be that of its present type alone. */
export type RowWithUrls = Pick<SmartlinkRow, 'type' | 'content' | 'open_graph' | 'routing' | 'availability'>;

/** The same of a row. */
export function urlsOfRow(row: RowWithUrls): readonly DocumentUrl[] {
  const { open_graph: openGraph, routing, availability } = row;
  return urlsOf({ content: row.content[row.type] ?? {}, openGraph, routing, availability });
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

/** `value` without the members that are undefined, at every depth. */
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
