import { createHash } from 'node:crypto';
import { drawPng, drawSvg, encodeSymbol, qrAddress, type Drawing } from '@smartlink/pages/qr-code';
import { renderPage, vCard } from '@smartlink/pages/render-page';
import { compressPage, type PageSource, type Site, siteAt } from '@smartlink/pages/site';
import type { QrFile, RenderedFile, RenderJob } from './file-kinds.js';

/** A compressed file of a link; null if it has no such file. Runs in the rendering thread. */
export function renderFile(job: Omit<RenderJob, 'id'>, instance: Site): RenderedFile | null {
  const { file } = job;
  const site = siteAt(instance, job.baseUrl);
  if (file.kind === 'qr') return qrImage(job.slug, file, site);
  const source = JSON.parse(job.source) as PageSource;
  if (file.kind === 'raw') return rawText(source);
  if (file.kind === 'vcard') return card(source, site);
  const page = renderPage(source, file.view, job.language, site);
  if (page === null) return null;
  const { html, ...about } = page;
  return compressed('text/html; charset=utf-8', html, { page: about });
}

function rawText(source: PageSource): RenderedFile | null {
  if (source.type !== 'TxtBin') return null;
  return compressed('text/plain; charset=utf-8', source.page.txtBin.text);
}

function card(source: PageSource, site: Site): RenderedFile | null {
  if (source.type !== 'DigiCard') return null;
  const { text, fileName, fileNameUtf8 } = vCard(source, site);
  // An attachment: phones open their contact sheet and keep the file name.
  const disposition = `attachment; filename="${fileName}"; filename*=${fileNameUtf8}`;
  return compressed('text/vcard; charset=utf-8', text, { disposition });
}

const BLACK = { red: 0, green: 0, blue: 0, alpha: 1 };
const WHITE = { red: 255, green: 255, blue: 255, alpha: 1 };
// The quiet zone of ISO/IEC 18004:2024, 5.3.8.
const MARGIN_MODULES = 4;

function qrImage(slug: string, { format, ecc, sizePx }: QrFile, site: Site): RenderedFile {
  const drawing: Drawing = {
    symbol: encodeSymbol(qrAddress(site.publicBaseUrl, slug), ecc),
    sizePx,
    marginModules: MARGIN_MODULES,
    color: BLACK,
    background: WHITE,
  };
  if (format === 'svg') {
    const title = `QR code of ${site.publicBaseUrl}/${slug}`;
    return compressed('image/svg+xml; charset=utf-8', drawSvg(drawing, { title, logoUrl: null }));
  }
  const png = drawPng(drawing);
  // The longest address has far fewer modules than the smallest PNG has pixels.
  if (png === null) throw new Error('A QR code has more modules than its image has pixels');
  const identity = Buffer.from(Uint8Array.from(png).buffer);
  return { contentType: 'image/png', body: { identity }, hash: hashOf(png, ''), page: null, disposition: '' };
}

function compressed(
  contentType: string,
  text: string,
  about: Partial<Pick<RenderedFile, 'page' | 'disposition'>> = {},
): RenderedFile {
  const plain = Buffer.from(text);
  const { page = null, disposition = '' } = about;
  // Includes the headers, because a new policy must reach visitors with a cached page.
  const hash = hashOf(plain, JSON.stringify([contentType, page, disposition]));
  return { contentType, body: compressPage(plain), hash, page, disposition };
}

/** 128 bits in base64url. */
const HASH_LENGTH = 22;

function hashOf(body: Uint8Array, about: string): string {
  return createHash('sha256').update(about).update(body).digest('base64url').slice(0, HASH_LENGTH);
}
