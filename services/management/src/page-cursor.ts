import { fault } from './errors.js';
import { isSmartlinkId } from './smartlink-id.js';

/** The last row of a page: rows are newest first, those of one time by id. */
export type PageCursor = { readonly time: Date; readonly id: string };

/** Returns the text by which clients ask for the page after a row. */
export function encodeCursor({ time, id }: PageCursor): string {
  return Buffer.from(`${time.getTime()}.${id}`).toString('base64url');
}

/** Returns the row that a text of `encodeCursor` names. Throws VALIDATION_FAILED at `cursor` for any other text. */
export function decodeCursor(cursor: string): PageCursor {
  const [, time, id] = /^(\d{1,15})\.(.+)$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (time === undefined || id === undefined || !isSmartlinkId(id)) {
    throw fault('cursor', 'Must be a cursor from an earlier answer');
  }
  return { time: new Date(Number(time)), id };
}
