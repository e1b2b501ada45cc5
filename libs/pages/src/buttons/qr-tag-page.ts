import type { PageContext } from '../html/page-context.js';
import type { PageSourceOf } from '../page-source.js';
import type { Page } from '../page.js';
import { byPosition } from '../parts/owner-text.js';
import { buttonPage } from './button-page.js';

/**
 * Returns the page of a QRTag, its buttons by position. It is read in front of a sticker: its targets are large, and
 * each says where it leads, as people mistrust a code that somebody stuck there.
 */
export function qrTagPage(source: PageSourceOf<'QRTag'>, context: PageContext): Page {
  const { qrTag, qrTagButtons } = source.page;
  return buttonPage(context, {
    source,
    kind: 'tag',
    owner: qrTag,
    scheme: 'Auto',
    buttons: byPosition(qrTagButtons ?? []),
    list: { hasTarget: true },
  });
}
