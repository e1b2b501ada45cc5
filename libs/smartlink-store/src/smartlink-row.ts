import type { SmartlinkStatus, SmartlinkType } from '@smartlink/smartlink/smartlink-type';
import type { OpenGraph } from '@smartlink/smartlink/snapshot';

/** A row of table smartlinks. */
export type SmartlinkRow = {
  readonly id: string;
  readonly user_id: string;
  readonly status: SmartlinkStatus;
  readonly type: SmartlinkType;
  readonly name: string;
  readonly slug: string;
  readonly open_graph: OpenGraph | null;
  /** Content by type; that of an earlier type stays and comes back with the type. */
  readonly content: Partial<Record<SmartlinkType, Content>>;
  readonly password_hash: string | null;
  readonly password_version: number;
  /** bigint, which pg hands over as text. */
  readonly version: string;
  readonly pause_reason: PauseReason | null;
  readonly created_at: Date;
  readonly updated_at: Date;
};

/**
 * What only the smartlink's type has, under the API's names: its objects and arrays, and in `configuration` an App's
 * stores. Never a password.
 */
export type Content = {
  readonly configuration?: Readonly<Record<string, unknown>>;
  readonly [member: string]: unknown;
};

/** Why the service has paused a smartlink; null where its owner did. */
export type PauseReason = {
  readonly code: 'UNSAFE_URL';
  readonly details: readonly { readonly path: string; readonly message: string }[];
};

/** The columns of a SmartlinkRow but for its content. */
export const COLUMNS = `
  smartlinks.id, smartlinks.user_id, smartlinks.status, smartlinks.type, smartlinks.name, smartlinks.slug,
  smartlinks.open_graph, smartlinks.password_hash, smartlinks.password_version,
  smartlinks.version, smartlinks.pause_reason, smartlinks.created_at, smartlinks.updated_at`;

/** The columns of a SmartlinkRow with the content of its present type: that of earlier ones may be six times as much. */
export const SHOWN_COLUMNS = `${COLUMNS},
  jsonb_build_object(smartlinks.type, smartlinks.content -> smartlinks.type) as content`;

/** The columns of a SmartlinkRow with the content of every type that it has had, which a change needs. */
export const ALL_COLUMNS = `${COLUMNS}, smartlinks.content`;

/**
 * Returns when the URLs of a row are to be judged next: every day (decisions.md, URLs); soon where the provider could not
 * be asked. `isChecked` is a boolean expression.
 */
export const NEXT_URL_CHECK = (isChecked: string): string =>
  `now() + case when ${isChecked} then interval '1 day' else interval '30 seconds' end`;
