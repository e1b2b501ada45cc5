import type { Queryable } from '@smartlink/link-resolver/snapshot-query';

/** What a QR image is made of. */
export type QrSource = {
  readonly slug: string;
  /** The logoLink of the smartlink's present type, an http or https address; null: none. */
  readonly logo_url: string | null;
};

// The object that holds logoLink, by type (management-api.md); other types have none. No other content travels.
const FIND_QR_SOURCE = `
select slug, content #>> array[type, case type
    when 'Landing' then 'landing'
    when 'QRTag' then 'qrTag'
    when 'DigiCard' then 'digiCard'
    when 'QrMenu' then 'qrMenu'
  end, 'logoLink'] as logo_url
from smartlinks where id = $1 and user_id = $2`;

/** Returns what the QR image of an owner's smartlink, in any status, is made of, or null. */
export async function findQrSource(db: Queryable, id: string, userId: string): Promise<QrSource | null> {
  const { rows } = await db.query(FIND_QR_SOURCE, [id, userId]);
  return (rows[0] as QrSource | undefined) ?? null;
}
