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
