import type { Queryable } from '@smartlink/link-resolver/snapshot-query';
import { PAGE_OBJECTS } from '@smartlink/smartlink/smartlink-type';

/** What a QR image is made of. */
export type QrSource = {
  readonly slug: string;
  /** The logoLink of the smartlink's present type, an http or https address; null: none. */
  readonly logo_url: string | null;
};

// $3 names the object that may hold logoLink, by type. No content travels but that: a menu may be a mebibyte.
const FIND_QR_SOURCE = `
select slug, content #>> array[type, $3::jsonb ->> type, 'logoLink'] as logo_url
from smartlinks where id = $1 and user_id = $2`;

/** Returns what the QR image of an owner's smartlink, in any status, is made of, or null. */
export async function findQrSource(db: Queryable, id: string, userId: string): Promise<QrSource | null> {
  const { rows } = await db.query(FIND_QR_SOURCE, [id, userId, PAGE_OBJECTS]);
  return (rows[0] as QrSource | undefined) ?? null;
}
