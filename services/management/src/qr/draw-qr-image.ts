import type { Queryable } from '@smartlink/link-resolver/snapshot-query';
import { drawPng } from '@smartlink/qr-code/draw-png';
import { drawSvg } from '@smartlink/qr-code/draw-svg';
import { widthModules } from '@smartlink/qr-code/drawing';
import type { Drawing } from '@smartlink/qr-code/drawing';
import { qrAddress } from '@smartlink/qr-code/qr-address';
import { encodeSymbol } from '@smartlink/qr-code/qr-symbol';
import { relink } from '@smartlink/smartlink/relink';
import type { Principal } from '../accounts/accounts.js';
import { ApiError, fault } from '../errors.js';
import { isSmartlinkId } from '../smartlink-id.js';
import { findQrSource } from './queries.js';
import type { QrQuery } from './qr-query.js';

export type QrImage = {
  readonly fileName: string;
  readonly mediaType: string;
  readonly contentSecurityPolicy: string;
  readonly content: string | Buffer;
};

/**
 * Returns the use case of a smartlink's QR image, in any status: a read like a fetch, and a link that is paused comes
 * back. Rejects with NOT_FOUND, and with VALIDATION_FAILED for what only the smartlink can tell: it has no logo, or
 * its code has more modules than the PNG has pixels.
 */
export function createQrDrawer({ pg, publicBaseUrl }: { pg: Queryable; publicBaseUrl: string }) {
  return async (principal: Principal, query: QrQuery): Promise<QrImage> => {
    const source = isSmartlinkId(query.id) ? await findQrSource(pg, query.id, principal.userId) : null;
    if (source === null) throw new ApiError('NOT_FOUND');
    const { slug, logo_url: logoUrl } = source;
    if (query.logo && logoUrl === null) throw fault('logo', 'The smartlink has no logoLink');
    const drawing: Drawing = {
      symbol: encodeSymbol(qrAddress(publicBaseUrl, slug), query.ecc ?? (query.logo ? 'H' : 'M')),
      sizePx: query.size,
      marginModules: query.margin,
      color: query.color,
      background: query.background,
    };
    if (query.format === 'png') return pngImage(slug, drawing);
    const title = `QR code of ${relink(publicBaseUrl, slug)}`;
    return svgImage(slug, drawSvg(drawing, { title, logoUrl: query.logo ? logoUrl : null }), query.logo);
  };
}

// Opened by itself an SVG is a document: it may load its logo and do nothing else.
function svgImage(slug: string, content: string, hasLogo: boolean): QrImage {
  return {
    fileName: `${slug}.svg`,
    mediaType: 'image/svg+xml; charset=utf-8',
    contentSecurityPolicy: `default-src 'none'${hasLogo ? '; img-src http: https:' : ''}`,
    content,
  };
}

function pngImage(slug: string, drawing: Drawing): QrImage {
  const content = drawPng(drawing);
  if (content === null) {
    throw fault('size', `Must be at least ${widthModules(drawing)}: the code has that many modules`);
  }
  return {
    fileName: `${slug}.png`,
    mediaType: 'image/png',
    contentSecurityPolicy: "default-src 'none'",
    content,
  };
}
