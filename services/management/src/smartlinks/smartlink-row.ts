import type { OpenGraph, SmartlinkStatus, SmartlinkType } from '@smartlink/smartlink/snapshot';

/** A row of table smartlinks, with the last known totals beside it (null: never read from ClickHouse). */
export type SmartlinkRow = {
  readonly id: string;
  readonly user_id: string;
  readonly status: SmartlinkStatus;
  readonly type: SmartlinkType;
  readonly name: string;
  readonly slug: string;
  readonly open_graph: OpenGraph | null;
  /** Content by type; see 0001_create_smartlinks.sql. */
  readonly content: ContentByType;
  readonly password_hash: string | null;
  readonly password_version: number;
  /** bigint, which pg hands over as text. */
  readonly version: string;
  readonly created_at: Date;
  readonly updated_at: Date;
};

export type ContentByType = Partial<Record<SmartlinkType, Record<string, unknown>>>;
